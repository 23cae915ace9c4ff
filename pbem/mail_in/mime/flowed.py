"""Text that was wrapped for the way: format=flowed (RFC 3676) back to paragraphs."""

from __future__ import annotations


def unflow(text: str, *, delete_space: bool) -> str:
    """Join the lines that the sender's client wrapped.

    A line that ends in a space goes on in the next line of the same quote depth (§4.2 to §4.5);
    the signature mark `-- ` never flows. Quoted lines keep their depth as `>` marks.

    Args:
        text: lines separated by LF.
        delete_space: DelSp=yes, the space that marks the wrap is not part of the text.
    """
    out: list[str] = []
    pieces: list[str] = []
    open_depth = -1
    for raw in text.split("\n"):
        line = raw.lstrip(">")
        depth = len(raw) - len(line)
        line = line.removeprefix(" ")
        signature = line == "-- "
        if pieces and (depth != open_depth or signature):
            out.append(_quoted(open_depth, "".join(pieces)))
            pieces = []
        if line.endswith(" ") and not signature:
            pieces.append(line[:-1] if delete_space else line)
            open_depth = depth
            continue
        out.append(_quoted(depth, "".join((*pieces, line))))
        pieces = []
    if pieces:
        out.append(_quoted(open_depth, "".join(pieces)))
    return "\n".join(out)


def _quoted(depth: int, line: str) -> str:
    return f"{'>' * depth} {line}" if depth else line
