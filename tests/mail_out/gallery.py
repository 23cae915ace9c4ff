"""Render all samples for looking at: `python -m tests.mail_out.gallery OUTDIR [NAME …]`.

Writes .txt, .html and .eml, and pictures in two widths and both colour schemes if there is a
chromium on this machine.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from pbem import resources
from pbem.mail_out.compose import compose
from pbem.mail_out.render import Renderer
from tests.mail_out.samples import MAIL_HEAD, SAMPLES

WIDTHS = (360, 700)
QUIET = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-quic",
    "--no-first-run",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
]


def main(folder: Path, names: list[str]) -> None:
    """Write the gallery."""
    folder.mkdir(parents=True, exist_ok=True)
    renderer = Renderer([resources.templates_dir() / "email"])
    for name in names or SAMPLES:
        rendered = renderer.render(SAMPLES[name])
        (folder / f"{name}.txt").write_text(f"Subject: {rendered.subject}\n\n{rendered.text}")
        page = folder / f"{name}.html"
        page.write_text(rendered.html)
        (folder / f"{name}.eml").write_bytes(compose(rendered, MAIL_HEAD))
        _photograph(page)


def _photograph(page: Path) -> None:
    browser = shutil.which("chromium")
    if browser is None:
        return
    height = 500 + page.read_text().count("<tr>") * 34
    for width in WIDTHS:
        # a window is never narrower than 500 pixels: the page is put into a frame
        frame = page.with_name(f"{page.stem}-{width}.frame.html")
        frame.write_text(
            f'<body style="margin:0"><iframe src="{page.name}" width="{width}" height="{height}"'
            ' style="border:0;display:block"></iframe>'
        )
        for scheme in ("light", "dark"):
            if scheme == "dark" and width != WIDTHS[0]:
                continue
            target = page.with_name(f"{page.stem}-{width}-{scheme}.png")
            dark = ["--blink-settings=preferredColorScheme=0"] if scheme == "dark" else []
            with tempfile.TemporaryDirectory() as profile:
                subprocess.run(
                    [
                        browser,
                        *QUIET,
                        *dark,
                        f"--user-data-dir={profile}",
                        f"--screenshot={target}",
                        f"--window-size={max(width, 500)},{height}",
                        frame.as_uri(),
                    ],
                    check=False,
                    capture_output=True,
                    timeout=60,
                )
        frame.unlink()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
