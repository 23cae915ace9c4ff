"""Play a whole game between a German and an English player."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

from tests.mail_out import pages
from tests.service.conftest import Table


def test_a_refusal_in_german(table: Table) -> None:
    """The explanation and the suggestion are in the sender's language."""
    game, seat, _ = table.start(2)
    table.answer(seat, "language de")
    text = " ".join(table.ask(seat, "spiele Herz Dame Pik Dame Karo Dame Kreuz Dame").text.split())
    assert re.search(r" -- (?!PHY).+ Das geht nicht\. Regel PHY-1[78]\.", text)
    assert "Möglich wäre eines davon: „spiele" in text
    queries = (urlsplit(link).query for _, link in pages.mailto_links(table.last_to(seat).html))
    links = [parse_qs(query)["body"][0] for query in queries if "body" in query]
    assert any(re.fullmatch(r"spiele \d+[♣♦♥♠]", order) for order in links), links
    assert not [order for order in links if re.search(r"play|pickup|[2-9JQKA][cdhs]\b", order)]
    assert (
        " ".join(table.ask(seat, f"{links[0]}?\nprobiere {links[0]}").text.split()).count(
            f"„{links[0]}“ ginge"
        )
        == 2
    )
    version = table.game(game.id).version
    table.answer(seat, links[0])
    assert table.game(game.id).version > version
    assert "aufgeben bestätigen" in " ".join(table.ask(seat, "bestätigen").text.split())
    table.answer(seat, "Aufgeben bestätigen")
    assert "antworte mit „ja“" in " ".join(table.question(seat).text.split())
    table.answer(seat, "ja", to=table.question(seat).reply_to)
    assert table.game(game.id).status == "finished"
