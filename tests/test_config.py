"""Test the configuration: a complete example and clear errors."""

import contextlib
import re
import tomllib
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from pbem.config import Config, find_config, load_config
from pbem.durations import duration_words, in_short, parse_duration
from pbem.errors import ConfigError

EXAMPLE = Path(__file__).parent.parent / "config.example.toml"
KEY = "ab" * 32
MINIMAL = """
[service]
address = "Game@play.example.org"
[smtp]
host = "mail.example.org"
"""


def _write(folder: Path, text: str = MINIMAL) -> Path:
    file = folder / "pbem.toml"
    file.write_text(text, encoding="utf-8")
    return file


def _load(folder: Path, text: str = MINIMAL, **env: str) -> Config:
    return load_config(_write(folder, text), {"PBEM_SERVICE__KEY": KEY, **env})


def _refused(folder: Path, text: str, **env: str) -> str:
    with pytest.raises(ConfigError) as caught:
        _load(folder, text, **env)
    return str(caught.value)


def test_the_example_loads(tmp_path: Path) -> None:
    """`cp config.example.toml pbem.toml` and a key are a working configuration."""
    (tmp_path / "pbem.key").write_text(KEY + "\n", encoding="utf-8")
    file = _write(tmp_path, EXAMPLE.read_text(encoding="utf-8"))
    config = load_config(file, {})
    assert config.service.key == bytes.fromhex(KEY)
    assert config.service.local == "game"
    assert config.service.domain == "play.example.org"
    assert config.database.url == f"sqlite:///{tmp_path}/pbem.sqlite3"


def _uncommented() -> str:
    """The example with every commented key and section put in."""
    text = EXAMPLE.read_text(encoding="utf-8")
    return re.sub(
        r"^# (?=\[(?:listen|imap|maildir|authentication|metrics|pages|web|pings|bots\.mybot)\]$|[a-z_]+ = )",
        "",
        text,
        flags=re.MULTILINE,
    )


def _sections() -> dict[str, type[BaseModel]]:
    found = {}
    for name, field in Config.model_fields.items():
        kind = field.annotation
        section = next(
            (k for k in (kind, *getattr(kind, "__args__", ())) if isinstance(k, type)), None
        )
        assert section is not None
        found[name] = section
    return found


def test_the_example_misses_no_key() -> None:
    """The example contains every key, commented with its default or set."""
    shown = tomllib.loads(_uncommented())
    assert set(shown) == set(Config.model_fields)
    shown |= shown["bots"]
    for name, section in _sections().items():
        keys = {field.alias or key for key, field in section.model_fields.items()}
        name = "mybot" if name == "bots" else name  # noqa: PLW2901
        if name == "service":
            keys -= {"key", "old_keys"}  # have no place in the file
        if name == "pings":
            keys -= {"matrix_token", "telegram_token"}  # stand in files of their own
        assert set(shown[name]) == keys, name


def test_the_environment_wins(tmp_path: Path) -> None:
    """A variable overrides the file, key by key, also in a section that the file lacks."""
    config = _load(
        tmp_path,
        PBEM_SMTP__PORT="465",
        PBEM_SMTP__SECURITY="tls",
        PBEM_LOG__JSON="true",
        PBEM_SERVICE__ADMINS='["Anna@example.org"]',
        PBEM_DEFAULTS__TIME_PER_MOVE="36h",
        PBEM_DEFAULTS__REMINDERS="[10]",
        PBEM_LISTEN__PROTOCOL="smtp",
        STATE_DIRECTORY="/var/lib/pbem",
        OTHER="x",
    )
    assert (config.smtp.host, config.smtp.port) == ("mail.example.org", 465)
    assert config.log.as_json
    assert config.service.admins == ("anna@example.org",)
    assert config.defaults.time_per_move == timedelta(hours=36)
    assert config.listen is not None
    assert config.listen.protocol == "smtp"
    assert config.database.url == f"sqlite:///{tmp_path}/pbem.sqlite3", "as for a command"


def test_a_credential_stands_over_the_file_of_its_name(tmp_path: Path) -> None:
    """An empty one does not; neither does one of another name. Who has a credential needs no file."""
    handed = tmp_path / "credentials"
    handed.mkdir()
    file = _write(
        tmp_path,
        '[service]\naddress = "a@b.org"\nkey_file = "secrets/the.key"\nold_key_files = ["old.key"]\n'
        '[smtp]\nhost = "h"\nusername = "u"\npassword_file = "smtp.password"\n'
        '[imap]\nhost = "h"\nusername = "u"\npassword_file = "imap.password"\n',
    )
    (tmp_path / "smtp.password").write_text("of the file\n", encoding="utf-8")
    (tmp_path / "imap.password").write_text("of the file\n", encoding="utf-8")
    (handed / "the.key").write_text("ef" * 32, encoding="utf-8")
    (handed / "old.key").write_text("cd" * 32, encoding="utf-8")
    (handed / "smtp.password").write_text("handed over\n", encoding="utf-8")
    (handed / "imap.password").write_text("", encoding="utf-8")
    config = load_config(file, {"CREDENTIALS_DIRECTORY": str(handed)})
    assert config.service.key == bytes.fromhex("ef" * 32)
    assert config.service.old_keys == (bytes.fromhex("cd" * 32),)
    assert config.smtp.password == "handed over"
    assert config.imap is not None
    assert config.imap.password == "of the file"
    (handed / "smtp.password").unlink()
    (handed / "smtp.password").mkdir()
    config = load_config(file, {"CREDENTIALS_DIRECTORY": str(handed)})
    assert config.smtp.password == "of the file", "what cannot be read is no credential"
    (handed / "the.key").unlink()
    with pytest.raises(ConfigError, match=r"key_file: .*/secrets/the\.key: No such file"):
        load_config(file, {"CREDENTIALS_DIRECTORY": str(handed)})


def test_a_credential_is_not_the_old_key_of_its_name(tmp_path: Path) -> None:
    """Keys in two folders may be called alike; the one that is handed over is today's."""
    handed, old = tmp_path / "credentials", tmp_path / "old"
    handed.mkdir()
    old.mkdir()
    file = _write(
        tmp_path,
        '[service]\naddress = "a@b.org"\nkey_file = "pbem.key"\nold_key_files = ["old/pbem.key"]\n'
        '[smtp]\nhost = "h"\n',
    )
    (handed / "pbem.key").write_text("ef" * 32, encoding="utf-8")
    (old / "pbem.key").write_text("cd" * 32, encoding="utf-8")
    service = load_config(file, {"CREDENTIALS_DIRECTORY": str(handed)}).service
    assert service.key == bytes.fromhex("ef" * 32)
    assert service.old_keys == (bytes.fromhex("cd" * 32),)


def test_who_may_not_read_the_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Is told as whom to run it; the folder that one happens to be in may be closed (root's)."""
    closed = tmp_path / "closed"
    look = Path.stat

    def refuse(path: Path, **kwargs: bool) -> object:
        if path == Path("pbem.toml") or path.is_relative_to(closed):
            raise PermissionError(13, "Permission denied")
        return look(path, **kwargs)

    monkeypatch.setattr(Path, "stat", refuse)
    here = _write(tmp_path)
    monkeypatch.setattr("pbem.config.SEARCHED", (Path("pbem.toml"), here))
    assert find_config(None, {}) == here
    monkeypatch.setattr("pbem.config.SEARCHED", (Path("pbem.toml"), closed / "pbem.toml"))
    for named in (None, closed / "pbem.toml"):
        with pytest.raises(
            ConfigError, match=r"closed/pbem\.toml: Permission denied.*sudo -u pbem"
        ):
            find_config(named, {})


def test_only_what_is_given_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process's own environment counts only if the caller passes it on."""
    monkeypatch.setenv("PBEM_SMTP__PORT", "1")
    assert _load(tmp_path).smtp.port == 587


def test_paths_start_at_the_file(tmp_path: Path) -> None:
    """key_file, password_file and a relative database are found beside the configuration."""
    (tmp_path / "k").write_text(KEY, encoding="utf-8")
    (tmp_path / "p").write_text("open sesame\n", encoding="utf-8")
    file = _write(
        tmp_path,
        '[database]\nurl = "sqlite:///games/x.sqlite3"\n'
        '[service]\naddress = "a@b.org"\nkey_file = "k"\n'
        'old_key_files = ["o"]\n'
        '[smtp]\nhost = "h"\nusername = "u"\npassword_file = "p"\n'
        '[imap]\nhost = "h"\nusername = "u"\npassword_file = "p"\n'
        '[maildir]\npath = "mails"\n'
        '[listen]\ncertificate_file = "c"\n',
    )
    (tmp_path / "o").write_text("cd" * 32, encoding="utf-8")
    config = load_config(file, {})
    assert config.service.old_keys == (bytes.fromhex("cd" * 32),)
    assert config.imap is not None
    assert config.imap.password == "open sesame"
    assert config.maildir is not None
    assert config.maildir.path == tmp_path / "mails"
    assert config.listen is not None
    assert config.listen.certificate_file == tmp_path / "c"
    assert config.database.url == f"sqlite:///{tmp_path}/games/x.sqlite3"
    assert config.smtp.password == "open sesame"


def test_it_cannot_be_changed(tmp_path: Path) -> None:
    """A configuration is read once."""
    config = _load(tmp_path)
    with pytest.raises(ValueError, match="frozen"):
        config.smtp.port = 1


def test_no_secret_in_a_repr(tmp_path: Path) -> None:
    """Keys, passwords and addresses of people stay out of logs."""
    config = _load(
        tmp_path,
        PBEM_SMTP__USERNAME="u",
        PBEM_SMTP__PASSWORD="geheim",
        PBEM_DATABASE__URL="postgresql://u:geheim@h/d",
        PBEM_SERVICE__ADMINS='["geheim@x.org"]',
    )
    assert "geheim" not in repr(config)
    assert "abab" not in repr(config)
    assert "\\xab" not in repr(config)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (MINIMAL + "prot = 1", "pbem.toml: [smtp] prot: there is no such key; did you mean port?"),
        (MINIMAL + "[smpt]\nhost = 'x'", "[smpt]: there is no such section; did you mean smtp?"),
        (MINIMAL + "[log]\njsno = true", "[log] jsno: there is no such key; did you mean json?"),
        (MINIMAL + "[log]\nxyz = 1", "known are: level, json"),
        (MINIMAL + "port = 'many'", "[smtp] port: Input should be a valid integer"),
        (MINIMAL + "port = 70000", "[smtp] port: Input should be less than or equal to 65535"),
        (MINIMAL + "security = 'ssl'", "[smtp] security: Input should be 'none', 'starttls' or"),
        (MINIMAL + "password = 'x'", "[smtp]: a password without a username"),
        (
            MINIMAL + "password = 'x'\nusername = 'u'\nsecurity = 'none'",
            "[smtp]: the password would travel in clear text",
        ),
        ("smtp = 3\n[service]\naddress = 'a@b.org'", "[smtp]: Input should be"),
        ("database = 3\n" + MINIMAL, "[database]: Input should be"),
        ("[service]\naddress = 'a@b.org'", "[smtp]: missing"),
        ("[service]\n[smtp]\nhost = 'x'", "[service] address: missing"),
        (MINIMAL.replace("Game@", "a+b@"), "[service] address: write it as"),
        (
            MINIMAL + "[defaults]\ntime_per_move = 3",
            '[defaults] time_per_move: write a time as "3d"',
        ),
        (MINIMAL + "[defaults]\ntime_per_move = '0d'", "[defaults] time_per_move: write a time"),
        (MINIMAL + "[defaults]\nreminders = [90, 50]", "[defaults] reminders: write the percent"),
        (MINIMAL + "[defaults]\non_timeout = 'panic'", "[defaults] on_timeout: Input should be"),
        (MINIMAL + "[database]\nurl = 'mysql://x:geheim@h/d'", "[database] url: write sqlite:///"),
        (MINIMAL.replace("[smtp]", "time_zone = 'Europe/Berlim'\n[smtp]"), '"Europe/Berlin"'),
        (MINIMAL.replace("[smtp]", "admins = ['anna']\n[smtp]"), "[service] admins: write each"),
        (MINIMAL.replace("[smtp]", f"key = '{KEY}'\n[smtp]"), "[service] key: a key has no place"),
        (MINIMAL.replace("[smtp]", f"old_keys = ['{KEY}']\n[smtp]"), "name that in old_key_files"),
        (MINIMAL.replace("[smtp]", "old_key_files = ['k']\n[smtp]"), "old_key_files: "),
        (MINIMAL + "[imap]\nhost = 'h'\nusername = 'u'", "[imap]: a mailbox needs a password"),
        (
            MINIMAL + "[imap]\nhost = 'h'\nusername = 'u'\npassword = 'geheim'\nsecurity = 'none'",
            "[imap]: the password would travel in clear text",
        ),
        (
            MINIMAL + "[imap]\nhost = 'h'\nusername = 'u'\npassword = 'geheim'\nfailed = 'inbox'",
            "[imap]: inbox, processed and failed must be three different folders",
        ),
        (MINIMAL + "[imap]\nhost = 'h'\npoll_seconds = 1741", "poll_seconds: Input should be less"),
        (MINIMAL + "[serve]\ntick_seconds = 3600", "[serve]: tick_seconds must be at most 150"),
        (MINIMAL + "[serve]\ntick_seconds = 3600", "write tick_seconds = 150"),
        (
            MINIMAL + "[serve]\ntick_seconds = 40\noutage_after = '1m'",
            "write tick_seconds = 30, or",
        ),
        (MINIMAL + "[maildir]", "[maildir] path: missing"),
        (MINIMAL + "[listen]\ncertificate_key_file = 'k'", "[listen]: a key without a certificate"),
        (MINIMAL + "[[", "this is not TOML"),
        (MINIMAL.replace("[smtp]", "admins = []\nkey_file = 3\n[smtp]"), "[service] key_file"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, words: str) -> None:
    """The error names file, section, key and what would be right; never a value."""
    message = _refused(tmp_path, text)
    assert words in message
    assert str(tmp_path / "pbem.toml") in message
    assert "geheim" not in message
    assert KEY not in message


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("PBEM_SMTP__PROT", "1", "PBEM_SMTP__PROT: there is no such key; did you mean port?"),
        (
            "PBEM_SMPT__PORT",
            "1",
            "PBEM_SMPT__PORT: there is no such setting; did you mean PBEM_SMTP",
        ),
        ("PBEM_PORT", "1", "PBEM_PORT: there is no such setting"),
        ("PBEM_SMTP__PORT", "many", "PBEM_SMTP__PORT: Input should be a valid integer"),
        ("PBEM_SERVICE__ADMINS", "anna@example.org", "must be JSON"),
        ("PBEM_SERVICE__KEY", "geheim", "PBEM_SERVICE__KEY: the key is 32 or more"),
        ("PBEM_SERVICE__KEY", "ab" * 31, "PBEM_SERVICE__KEY: the key is 32 or more"),
    ],
)
def test_a_wrong_variable_is_named(tmp_path: Path, name: str, value: str, words: str) -> None:
    """A misspelt variable is refused as a misspelt key is."""
    message = _refused(tmp_path, MINIMAL, **{name: value})
    assert words in message
    assert "geheim" not in message


def test_a_missing_key_is_named(tmp_path: Path) -> None:
    """Without a key no reply address can be made; the error says how to get one."""
    with pytest.raises(ConfigError, match="key_file: missing; `pbem init` makes a key"):
        load_config(_write(tmp_path), {})
    text = MINIMAL.replace("[smtp]", "key_file = 'k'\n[smtp]")
    with pytest.raises(ConfigError, match=r"key_file: .*/k: No such file"):
        load_config(_write(tmp_path, text), {})
    (tmp_path / "k").write_text("geheim", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"\[service\] key_file: the key is 32 or more"):
        load_config(_write(tmp_path, text), {})
    (tmp_path / "k").write_bytes(b"\xff")
    with pytest.raises(ConfigError, match="this is not text"):
        load_config(_write(tmp_path, text), {})


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """Not text, or a folder."""
    file = _write(tmp_path)
    file.write_bytes(b"\xff")
    with pytest.raises(ConfigError, match=r"pbem\.toml: this is not TOML"):
        load_config(file, {})
    with pytest.raises(ConfigError, match="no such file"):
        load_config(tmp_path, {})


def test_the_search_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """--config, $PBEM_CONFIG, ./pbem.toml; a named file that is missing is an error."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match="run `pbem init`"):
        find_config(None, {})
    here = _write(tmp_path)
    other = tmp_path / "other.toml"
    other.write_text(MINIMAL, encoding="utf-8")
    assert find_config(None, {}).resolve() == here
    assert find_config(None, {"PBEM_CONFIG": str(other)}) == other
    assert find_config(here, {"PBEM_CONFIG": str(other)}) == here
    with pytest.raises(ConfigError, match=r"no such file \(--config names it\)"):
        find_config(tmp_path / "none.toml", {})
    with pytest.raises(ConfigError, match=r"no such file \(\$PBEM_CONFIG names it\)"):
        find_config(None, {"PBEM_CONFIG": "none.toml"})


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("45s", 45),
        ("90m", 5400),
        ("36h", 129600),
        ("3d", 259200),
        (" 1W", 604800),
        ("1d 12h", 129600),
        ("P3D", 259200),
        ("P1DT12H", 129600),
        ("pt90m", 5400),
    ],
)
def test_durations(text: str, seconds: int) -> None:
    """A number and a unit, several of them, or ISO 8601."""
    assert parse_duration(text) == timedelta(seconds=seconds)


@given(st.text() | st.integers() | st.none())
def test_any_other_duration_is_refused(text: object) -> None:
    """A value or a ValueError, nothing else."""
    with contextlib.suppress(ValueError):
        assert parse_duration(text) > timedelta(0)


@pytest.mark.parametrize("text", ["", "0d", "P", "PT", "P0D", "3", "d3", "3 fortnights", "1d2"])
def test_what_is_no_duration(text: str) -> None:
    """Nothing, no number, no unit."""
    with pytest.raises(ValueError, match="write a time as"):
        parse_duration(text)


@given(st.integers(1, 999), st.sampled_from([1, 60, 3600, 86400]))
def test_a_duration_reads_back(count: int, unit: int) -> None:
    """The short form is read, and nothing is rounded."""
    assert parse_duration(in_short(count * unit)) == timedelta(seconds=count * unit)


def test_durations_in_words() -> None:
    """The largest unit that fits."""
    assert duration_words(259200) == "3 days"
    assert duration_words(3600) == "1 hour"
    assert duration_words(129600) == "36 hours"
    assert duration_words(61) == "61 seconds"


def test_a_maildir_in_place_of_a_server(tmp_path: Path) -> None:
    """For trying things out; one of the two, and the folder is found from the file."""
    without = MINIMAL.split("[smtp]", maxsplit=1)[0]
    config = _load(tmp_path, without + "[smtp]\nmaildir = 'out'\n")
    assert config.smtp.maildir == tmp_path / "out"
    for wrong in ("", "host = 'h'\nmaildir = 'out'\n"):
        assert "either the host" in _refused(tmp_path, without + f"[smtp]\n{wrong}")


@pytest.mark.parametrize(
    ("values", "words"),
    [({"increment": "1h"}, "increment needs a bank"), ({"quiet": [22]}, "quiet is two hours")],
)
def test_clocks_that_cannot_be(values: dict[str, object], words: str) -> None:
    """Keys that do not go together are named when the service is built."""
    from pbem.bootstrap import _timing  # noqa: PLC0415
    from pbem.sections import Defaults  # noqa: PLC0415

    with pytest.raises(ConfigError, match=words):
        _timing(Defaults.model_validate(values))


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ('url = "http://cards.example.org"', "clear text"),
        ('url = "cards.example.org"', "whole address"),
        ('url = "https://cards.example.org"\nlisten = "8025"', "an address and a port"),
        ('url = "https://cards.example.org"\nlisten = "127.0.0.1:80250"', "an address and a port"),
    ],
)
def test_a_seat_page_needs_https_and_a_place_to_listen(
    tmp_path: Path, lines: str, words: str
) -> None:
    assert words in _refused(tmp_path, f"{MINIMAL}[web]\n{lines}\n")
