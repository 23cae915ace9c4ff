"""`pbem`: the root of the command line."""

from __future__ import annotations

import typer

from pbem.cli import (
    acts,
    audit,
    clock,
    db,
    dispute,
    doctor,
    game,
    init,
    key,
    log,
    mail,
    player,
    receive,
    replay,
    rules,
    running,
    simulate,
    stats,
)

app = typer.Typer(
    name="pbem",
    help="Card games by e-mail: players reply to turn mails with their moves.",
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
    rich_markup_mode=None,
)
acts.register(game.app)
app.add_typer(game.app, name="game")
app.add_typer(dispute.app, name="dispute")
app.add_typer(mail.app, name="mail")
app.add_typer(player.app, name="player")
app.add_typer(db.app, name="db")
app.add_typer(key.app, name="key")
init.register(app)
running.register(app)
clock.register(app, game.app)
doctor.register(app)
receive.register(app)
replay.register(app)
audit.register(app)
log.register(app)
rules.register(app)
simulate.register(app)
stats.register(app)


def main() -> None:
    """Run the command line."""
    app()


if __name__ == "__main__":
    main()
