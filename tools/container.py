"""Run the instructions of the Containerfile in a Debian: `python -m tools.container ROOT CHECKOUT`.

This tests the Containerfile on machines without a container engine. `tools/fresh.sh container`
creates the Debian system and runs this module as root.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import socket
import subprocess
import sys
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

from tools.units import until

PATIENCE = 1200
_INIT = (
    *("init", "--address", "game@play.example.org", "--smtp-host", "127.0.0.1"),
    *("--smtp-security", "none", "--smtp-port", "2526", "--listen", "smtp:127.0.0.1:2527"),
)


@dataclass
class Image:
    """An image in a folder, in its state after the instructions so far.

    Attributes:
        root: the folder that is the image's `/`.
        checkout: source folder of `COPY`.
        env: variables of its processes.
        user: user of its processes, or empty for root.
        folder: working folder of its processes.
    """

    root: Path
    checkout: Path
    env: dict[str, str] = field(default_factory=dict)
    user: str = ""
    folder: str = "/"
    entry: list[str] = field(default_factory=list)
    service: list[str] = field(default_factory=list)
    checked: list[str] = field(default_factory=list)

    def instruct(self, instruction: str, rest: str) -> None:
        """Carry out one instruction. Raises: ValueError for an unknown instruction."""
        match instruction:
            case "FROM" | "VOLUME" | "EXPOSE":
                pass
            case "CMD":
                self.service = json.loads(rest)
            case "RUN":
                self.run(["sh", "-c", rest])
            case "COPY":
                source, target = rest.split()
                shutil.copytree(self.checkout / source, self.root / target.lstrip("/"))
            case "ENV":
                self.env |= dict(pair.split("=", 1) for pair in shlex.split(rest))
            case "USER":
                self.user = rest
            case "WORKDIR":
                self.folder = rest
            case "ENTRYPOINT":
                self.entry = json.loads(rest)
            case "HEALTHCHECK":
                self.checked = json.loads(rest.partition("CMD ")[2])
            case _:
                raise ValueError(f"this runs no {instruction}")

    def run(self, command: list[str], expected: int = 0) -> str:
        """Run a command in the image and return its output.

        Raises:
            RuntimeError: the exit code is not `expected`.
        """
        done = subprocess.run(
            self.words(command),
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
            stdin=subprocess.DEVNULL,
        )
        if done.returncode != expected:
            raise RuntimeError(
                f"{shlex.join(command)}: {done.returncode}\n{done.stdout}{done.stderr}"
            )
        return done.stdout

    def words(self, command: list[str]) -> list[str]:
        """Return the host's command line for running a command as the image's user, in its folder."""
        user = [f"--userspec={self.user}"] if self.user else []
        inside = ["sh", "-c", 'cd "$0" && exec "$@"', self.folder, *command]
        carried = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
        env = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", **carried, **self.env}
        variables = [f"{name}={value}" for name, value in env.items()]
        return ["chroot", *user, str(self.root), "env", "-i", *variables, *inside]


def instructions(text: str) -> list[tuple[str, str]]:
    """Return the instructions of a Containerfile, each with its argument on one line."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in joined.split("\n"))]


def main(root: Path, checkout: Path) -> None:
    """Build the image and use it as documented. Raises: RuntimeError, ValueError."""
    image = Image(root, checkout)
    for instruction, rest in instructions((checkout / "Containerfile").read_text(encoding="utf-8")):
        print(f"{instruction} {' '.join(rest.split())[:90]}", flush=True)  # noqa: T201
        image.instruct(instruction, rest)
    image.run([*image.entry, *_INIT])
    image.run([*image.entry, "db", "check"])
    answer = image.run([*image.checked, "--json"], expected=1)  # no service is running yet
    if not json.loads(answer):
        raise RuntimeError("the health check prints nothing")
    serve(image)
    print("ok: the lines of the Containerfile make a service")  # noqa: T201


def serve(image: Image) -> None:
    """Run the service with seat pages until it is healthy. Raises: RuntimeError."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    # The same variables as in compose.yaml. The service is reached from outside the container.
    image.env |= {"PBEM_WEB__URL": "https://cards.example.org"}
    image.env |= {"PBEM_WEB__LISTEN": f"0.0.0.0:{port}"}
    service = subprocess.Popen(image.words([*image.entry, *image.service]))
    try:
        until(lambda: _answers(f"http://127.0.0.1:{port}/seat/"), "the seat pages do not answer")
        image.run(image.checked)
    finally:
        service.terminate()
        code = service.wait(PATIENCE)
    if code:
        raise RuntimeError(f"the service ended with {code}")


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=10) as page:  # noqa: S310  (on this machine)
            return bool(page.read())
    except OSError:
        return False


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
