"""The subject of a mail: the sentence in the row of its kind, with names in it and the game's id last.

Mail programs make one conversation of mails with the same subject: turn mails and the answers to moves
share theirs, letter for letter.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.sentences import Sentence, filled, joined
from pbem.language import translate
from pbem.mail_out import texts
from pbem.mail_out.content import Content, GameMail, InvitationMail
from pbem.mail_out.kinds import KINDS, YOUR_TURN, SubjectState
from pbem.plain import clean


def subject_of(content: Content) -> str:
    """Return the subject of a mail in the language of its reader."""
    return _said(content, _template(content))


def of_its_game(content: GameMail | InvitationMail) -> str:
    """Return the subject of the conversation about a game, which an answer continues."""
    return _said(content, YOUR_TURN)


def table_name(content: GameMail | InvitationMail) -> str:
    """Return `Phyliss with Bob, Carol [k7q2m3x9ab]`."""
    return _said(content, None)


def _said(content: Content, template: Sentence | None) -> str:
    if not isinstance(content, GameMail | InvitationMail):
        return clean("" if template is None else translate(template, content.language))
    about = texts.game_name(content.title, content.players, content.reader)
    values: dict[str, str] = {"game": about, "title": content.title}
    values["thread"] = filled(YOUR_TURN, {"game": about})
    if isinstance(content, InvitationMail):
        values["inviter"] = texts.name_text(content.inviter)
    said = about if template is None else filled(template, values)
    return clean(translate(joined((said, f"[{clean(content.game_id)}]")), content.language))


def _template(content: Content) -> Sentence | None:
    kind = KINDS[content.kind]
    if isinstance(content, GameMail):
        for state, said in kind.subjects:
            if _STATES[state](content):
                return said
    return kind.subject


def is_to_move(mail: GameMail) -> bool:
    """True if the reader has to decide something and has no bot for it."""
    return mail.reader in mail.to_act and mail.reader not in mail.bots


def is_refused(mail: GameMail) -> bool:
    """True if nothing in the reader's mail was done, because of a mistake in it."""
    outcomes = {line.outcome for line in mail.lines}
    return "refused" in outcomes and "done" not in outcomes


_STATES: dict[SubjectState, Callable[[GameMail], bool]] = {
    "to-move": is_to_move,
    "refused": is_refused,
}
