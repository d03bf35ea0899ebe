"""The command `backroom`."""

import sys
from typing import Annotated

import typer

from backroom.train.commands import (
    evaluate,
    games,
    new_game,
    play,
    records,
    solve,
    sweep,
    tools,
    training,
    verify,
    watch,
)
from backroom.train.commands.common import Command, examples

app = typer.Typer(
    name="backroom",
    help="Card games of hiding, signalling and bluffing: list, play, train, evaluate, watch.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

LISTED = (
    ("games", games.games, examples("backroom games", "backroom games the_gang")),
    (
        "play",
        play.play,
        examples(
            "backroom play kuhn",
            "backroom play the_gang --set num_players=4 episode=heist --seat 0 2",
            "backroom play cockroach_poker --agents counting bluffer --record games.jsonl",
            "backroom play caribbean_poker --terminal",
        ),
    ),
    (
        "evaluate",
        evaluate.evaluate,
        examples(
            "backroom evaluate kuhn",
            "backroom evaluate cockroach_poker --agents random runs/a/policy.safetensors",
            "backroom evaluate the_gang --set num_players=4 --games 2000 --json",
            "backroom evaluate kuhn --games 20 --record games.jsonl --odds",
            "backroom evaluate the_gang --games 1000000 --executor ray --address 10.0.0.5:6379",
        ),
    ),
    (
        "crossplay",
        evaluate.crossplay,
        examples(
            "backroom crossplay the_gang --agents a.safetensors b.safetensors --plot x.png",
            "backroom crossplay kuhn --agents random ppo-1 --executor process --workers 4",
        ),
    ),
    (
        "solve",
        solve.solve,
        examples(
            "backroom solve caribbean_poker",
            "backroom solve caribbean_poker --agents three-rules runs/a/policy.zip --plot x.png",
            "backroom solve caribbean_poker --set call_paytable=100,50,25,10,7,5,3,2,1,1 --json",
        ),
    ),
    (
        "watch",
        watch.watch,
        examples(
            "backroom watch kuhn --seed 3",
            "backroom watch the_gang --agents random --seat 1 --step",
            "backroom watch games.jsonl --game 12 --delay 0.5",
            "backroom watch games.jsonl --html games.html",
        ),
    ),
    (
        "records",
        records.records,
        examples(
            "backroom records games.jsonl",
            "backroom records games.jsonl --agents counting --earned 0.5: --moves :40",
            "backroom records --schema",
        ),
    ),
    (
        "export",
        records.export,
        examples(
            "backroom export games.jsonl games.html",
            "backroom export games.jsonl film.gif --game 12 --seat 1",
            "backroom export games.jsonl seat.jsonl --seat 1",
            "backroom export games.jsonl hands.phhs --rules caribbean_poker",
        ),
    ),
    ("verify", verify.verify, examples("backroom verify games.jsonl")),
    (
        "train",
        training.train,
        examples(
            "backroom train kuhn --out runs/kuhn-0",
            "backroom train the_gang --set num_players=4 total_decisions=2e7",
            "backroom train the_gang --algorithm rllib --set runners=8 --address auto",
            "backroom train kuhn --out runs/kuhn-0 --resume",
        ),
    ),
    (
        "sweep",
        sweep.sweep,
        examples(
            "backroom sweep kuhn --seeds 1 2 3 --workers 2",
            "backroom sweep the_gang --set total_decisions=2e7 --out runs/gang --executor ray",
            "backroom sweep the_gang --out runs/gang --resume --address 10.0.0.5:6379",
        ),
    ),
    ("bench", tools.bench, examples("backroom bench", "backroom bench --json")),
    ("warm", tools.warm, examples("backroom warm", "backroom warm kuhn")),
    ("new-game", new_game.new_game, examples("backroom new-game skull")),
)

for name, function, end in LISTED:
    context = {"allow_extra_args": True, "ignore_unknown_options": True} if name == "bench" else {}
    app.command(name, cls=Command, context_settings=context, epilog=end)(function)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"backroom {version('backroom')}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=_show_version, help="Say the version."),
    ] = False,
) -> None:
    """Card games of hiding, signalling and bluffing: list, play, train, evaluate, watch."""


def main() -> None:
    """Run the command that the shell names; agents of one's own may lie in the current folder."""
    sys.path.insert(0, "")
    app(prog_name="backroom")


if __name__ == "__main__":
    main()
