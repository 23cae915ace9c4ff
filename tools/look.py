"""Check messages in Chromium, at phone and desktop widths, in every colour scheme.

`python -m tools.look [--row phalanx]` checks every kind of message of real games.
"""

from __future__ import annotations

import argparse
import operator
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import Console

from pbem.language import languages
from tests.mail_out.pages import lines as page_lines
from tests.show.browser import Page, browser
from tools.gallery import MADE_UP, exhibits
from tools.scenes import GAMES

PROBE = (Path(__file__).parent / "look.js").read_text(encoding="utf-8").strip()
HAND_LABELS = ["Your hand", "Deine Hand"]
HELP = {"What you can do", "Das kannst du tun"}
"""Heading of the help, in each language. Only a player's first turn messages contain it."""
PHONE, WIDE = 360, 700
HAND_BEGINS, MOVES_BEGIN = 300, 560
NEWCOMERS, OTHERS = 200, 120
"""Maximum number of words of running text in a player's first three turn messages and in others."""
SIDEWAYS = 0
TOUCH, TEXT, EDGE = 44, 4.5, 3.0
BYTES = 60_000


def faults(
    page: Page, html: str, *, is_turn: bool = True, most_words: int = OTHERS
) -> Iterator[str]:
    """Yield a description of each fault of a message's page."""
    if len(html.encode()) > BYTES:
        yield f"{len(html.encode())} bytes"
    page.show(html)
    for width, is_dark in ((PHONE, False), (WIDE, True)):
        show(page, width, is_dark=is_dark)
        seen = page.ask(f"({PROBE})({HAND_LABELS})")
        scheme = f"{width} px, {'dark' if is_dark else 'light'}: "
        if seen["width"] > width + SIDEWAYS:
            yield f"{scheme}as wide as {seen['width']} px"
        if width == PHONE and is_turn:
            yield from first_screen(seen, most_words)
        if width == PHONE:
            yield from forced_dark(page, html, seen["pairs"])
        yield from (scheme + fault for fault in touch(seen))
        yield from (scheme + fault for fault in contrast(seen, is_turned=not is_dark))


def show(page: Page, width: int, *, is_dark: bool) -> None:
    """Set the size and the colour scheme of the window, keeping the message."""
    page.resize(width, 740)
    page.dark(on=is_dark)


def first_screen(seen: dict[str, Any], most_words: int) -> Iterator[str]:
    """Yield faults of a phone's first screen: the positions of hand and moves, and too many words."""
    if seen["hand"] is not None and seen["hand"] > HAND_BEGINS:
        yield f"the hand begins at {seen['hand']} px"
    if seen["move"] is None or seen["move"] > MOVES_BEGIN:
        yield f"the moves begin at {seen['move']} px"
    if seen["words"] > most_words:
        yield f"{seen['words']} words"


def touch(seen: dict[str, Any]) -> Iterator[str]:
    """Yield buttons that are too low for a finger or whose label is cut off or wrapped."""
    for button in seen["buttons"]:
        if button["isWrapped"]:
            yield f"“{button['name']}” is wrapped"
        if button["height"] < TOUCH:
            yield f"“{button['name']}” is {button['height']} px high"
        if button["isCut"]:
            yield f"“{button['name']}” is cut"


def contrast(seen: dict[str, Any], *, is_turned: bool) -> Iterator[str]:
    """Yield pairs of colours with too little contrast, also after a client inverts them."""
    for pair, place in seen["pairs"].items():
        sample = place["text"]
        ink, ground = map(colour, pair.split(" on "))
        if (plain := ratio(ink, ground)) < TEXT:
            yield f"“{sample}”: {pair} is {plain:.1f}"
        if is_turned and (turned := ratio(inverted(ink), inverted(ground))) < TEXT:
            yield f"“{sample}”: {pair} is {turned:.1f}, turned"
    edges = {(button["edge"], button["ground"]) for button in seen["buttons"]}
    for edge, ground in edges:
        if (plain := ratio(colour(edge), colour(ground))) < EDGE:
            yield f"a button's edge {edge} on {ground} is {plain:.1f}"


_SCHEMES = re.compile(r'<style>.*?</style>|<meta name="[a-z-]*color-scheme[^>]*>', re.DOTALL)
_PIXELS = """\
async (source) => {
  const image = new Image(), canvas = document.createElement("canvas"), counted = {};
  image.src = source;
  await image.decode();
  [canvas.width, canvas.height] = [image.width, image.height];
  const pen = canvas.getContext("2d");
  pen.drawImage(image, 0, 0);
  const data = pen.getImageData(0, 0, image.width, image.height).data;
  for (let at = 0; at < data.length; at += 4) {
    const colour = `rgb(${data[at]}, ${data[at + 1]}, ${data[at + 2]})`;
    counted[colour] = (counted[colour] || 0) + 1;
  }
  return counted;
}"""
_SEEN_DARK: set[str] = set()


def forced_dark(page: Page, html: str, pairs: dict[str, Any]) -> Iterator[str]:
    """Yield faults of each new pair of colours in clients that replace our colour scheme.

    They are measured in pixels. Afterwards the page shows the message unchanged.
    """
    new = {pair: count for pair, count in pairs.items() if pair not in _SEEN_DARK}
    if not new:
        return
    _SEEN_DARK.update(new)
    page.show(_SCHEMES.sub("", html))
    page.call("Emulation.setAutoDarkModeOverride", enabled=True)
    for pair, count in new.items():
        shot = page.call(
            "Page.captureScreenshot", captureBeyondViewport=True, format="png", clip=count["clip"]
        )
        counted = page.ask(f"({_PIXELS})('data:image/png;base64,{shot['data']}')")
        ground = colour(max(counted, key=counted.__getitem__))
        inks = [colour(one) for one, times in counted.items() if times > _SPECKS]
        if (best := max(ratio(ink, ground) for ink in inks)) < TEXT:
            yield f"“{count['text']}”: {pair} is {best:.1f} in Chromium's dark mode"
    page.call("Emulation.setAutoDarkModeOverride", enabled=False)
    page.show(html)


_SPECKS = 3
"""Number of pixels that a colour can have by chance at the border of two other colours."""

Colour = tuple[float, float, float]


def colour(text: str) -> Colour:
    """Parse a CSS colour such as `rgb(1, 2, 3)` into three numbers from 0 to 1."""
    red, green, blue = (int(channel) / 255 for channel in re.findall(r"\d+", text)[:3])
    return red, green, blue


def inverted(one: Colour) -> Colour:
    """Return a colour of the same hue with inverted lightness, like Chromium (CIELAB)."""
    x, y, z = (
        sum(value * weight for value, weight in zip(map(linear, one), row, strict=True)) / white
        for row, white in zip(_TO_XYZ, _WHITE, strict=True)
    )
    fx, fy, fz = (c ** (1 / 3) if c > 0.008856 else 7.787 * c + 16 / 116 for c in (x, y, z))
    lightness, a, b = 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)
    fy = (min(110 - lightness, 100) + 16) / 116
    turned = [
        white * (c**3 if c**3 > 0.008856 else (c - 16 / 116) / 7.787)
        for c, white in zip((fy + a / 500, fy, fy - b / 200), _WHITE, strict=True)
    ]
    red, green, blue = (
        min(1.0, max(0.0, sum(c * weight for c, weight in zip(turned, row, strict=True))))
        for row in _FROM_XYZ
    )
    return gamma(red), gamma(green), gamma(blue)


_WHITE = (0.95047, 1.0, 1.08883)
_TO_XYZ = (
    (0.4124, 0.3576, 0.1805),
    (0.2126, 0.7152, 0.0722),
    (0.0193, 0.1192, 0.9505),
)
_FROM_XYZ = (
    (3.2406, -1.5372, -0.4986),
    (-0.9689, 1.8758, 0.0415),
    (0.0557, -0.2040, 1.0570),
)


def linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def gamma(part: float) -> float:
    return part * 12.92 if part <= 0.0031308 else float(1.055 * part ** (1 / 2.4) - 0.055)


def ratio(ink: Colour, ground: Colour) -> float:
    """Return the contrast of two colours as WCAG computes it."""

    def luminance(one: Colour) -> float:
        return sum(map(operator.mul, _TO_XYZ[1], map(linear, one)))

    dark, light = sorted((luminance(ink), luminance(ground)))
    return (light + 0.05) / (dark + 0.05)


def main() -> None:
    """Check every kind of message of real games and print the faults."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--row", choices=[*GAMES, MADE_UP], action="append")
    given = parser.parse_args()
    number, wrong, console = 0, 0, Console(soft_wrap=True, highlight=False)
    with tempfile.TemporaryDirectory() as profile, browser(Path(profile)) as page:
        for language in languages():
            for exhibit in exhibits(given.row or [*GAMES, MADE_UP], language):
                number += 1
                is_newcomers = HELP.intersection(page_lines(exhibit.page))
                limit = NEWCOMERS if is_newcomers else OTHERS
                for fault in faults(
                    page,
                    exhibit.page,
                    is_turn=exhibit.row != MADE_UP
                    and exhibit.name.startswith(("turn", "first turn")),
                    most_words=limit,
                ):
                    wrong += 1
                    console.print(f"{exhibit.row}, {exhibit.name}, {language}: {fault}")
    console.print(f"{number} mails, {wrong} faults")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
