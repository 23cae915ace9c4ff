"""What became of a mail."""

from __future__ import annotations

from dataclasses import dataclass

from engine.api import JsonObject


@dataclass(frozen=True, slots=True)
class Verdict:
    """The inbox status of a handled mail and why, for audit: no content, no address, no token.

    Attributes:
        status: `done`, `ignored`, `held`, or `new` to be handled again.
        why: a few words.
        triage: as in `pbem.mail_in.mime.message.Triage`.
    """

    status: str
    why: str
    triage: str = "human"

    def as_json(self) -> JsonObject:
        """Return what the inbox row keeps."""
        return {"why": self.why, "triage": self.triage}


def proof_words(said: JsonObject | None) -> str:
    """Say what the trusted mail server said of the sender of a mail, as the inbox row keeps it."""
    if said is None:
        return "No mail server was asked about its sender."
    words = {"pass": "passed", "fail": "FAILED"}.get(str(said["result"]), "was not told of")
    return f"{str(said['method']).upper()} {words} for its sender, says {said['authserv_id']}."
