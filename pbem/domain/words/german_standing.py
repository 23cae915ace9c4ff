"""Conditions of standing orders and rules for drawing in German, piece by piece (docs/standing-orders.md)."""

from __future__ import annotations

IF = r"(?:wenn|falls)"
OR = "oder"
OTHERWISE = r"(?:sonst|andernfalls|ansonsten)"
AND = "und"
THEN = "dann"

VERB_LAST = r"(?:ist|sind|liegt|hat|habe|haben)"
"""With which a condition may end."""

CONDITIONS = (
    (r"(?:die )?oberste karte|oben(?: liegt)?", "top"),
    (r"(?:der |dem |im |auf dem )?(?:ablagestapel|ablage|stapel)", "pile"),
    (r"(?:der |dem |im )?(?:nachziehstapel|vorrat)", "stock"),
    (r"(?:die )?hand von (\S+)", r"hand of \1"),
    (r"(?:die )?phase von (\S+)", r"phase of \1"),
    (r"(?:meine |die )?hand", "hand"),
    (r"(?:meine |die )?phase", "phase"),
    (r"ich habe nicht ausgelegt", "I have not laid"),
    (r"ich (?:habe )?ausgelegt(?: habe)?", "I have laid"),
    (r"ich nicht ausgelegt habe", "I have not laid"),
    (r"(\S+) nicht ausgelegt hat", r"\1 has not laid"),
    (r"(\S+) ausgelegt hat", r"\1 has laid"),
    (r"(\S+) hat nicht ausgelegt", r"\1 has not laid"),
    (r"(\S+) hat ausgelegt", r"\1 has laid"),
    (r"(?:meine |die )?(?:linke zone|links)", "left"),
    (r"(?:meine |die )?(?:mittlere zone|mitte)", "center"),
    (r"(?:meine |die )?(?:rechte zone|rechts)", "right"),
    (r"(?:ist |sind )?(?:nicht|keine?r?)", "is not"),
    (r"(?:ist |sind |hat |habe )?mindestens", "at least"),
    (r"(?:ist |sind |hat |habe )?höchstens", "at most"),
    (r"(?:ist |sind |hat |habe )?(?:mehr als|größer als|höher als|über)", "more than"),
    (r"(?:ist |sind |hat |habe )?(?:weniger als|kleiner als|niedriger als|unter)", "less than"),
    (r"hat", "has"),
    (r"ich", "I"),
    (r"habe", "have"),
    (r"(?:ist|sind|gleich|liegt)", "is"),
    (r"leer", "empty"),
    (r"karten?(?: übrig)?", "cards"),
    (r"(?:ein|eine|einen|der|die|das|genau)", ""),
)
"""How people say what may be compared, with what it is in English; what comes first is tried first."""

DRAWING = (
    (r"(?:immer )?(?:vom |von )?(?:nachziehstapel|vorrat|stapel)", "stock"),
    (r"(?:immer )?(?:ziehen|ziehe|zieh)", "stock"),
    (r"(?:immer )?(?:mich )?(?:fragen|frage|frag)(?: mich)?", "ask"),
    (r"(?:nimm|nehmen|nehme)(?: sie)?,? (?:wenn|falls)", "take if"),
    (r"(?:sie|es|die karte)", "it"),
    (r"(?:eine|ein|einen)", "a"),
    (
        r"(?:zum auslegen (?:reicht|hilft)|auslegt|(?:meine )?phase (?:fertig macht|vollmacht))",
        "lays",
    ),
    (r"(?:passt|anlegbar|angelegt werden kann)", "hits"),
    (r"ist", ""),
    (OTHERWISE, "else"),
    (OR, "or"),
)
"""The same for `drawing:`, where the verb may stand at the end."""
