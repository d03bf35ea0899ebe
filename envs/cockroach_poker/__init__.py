"""Cockroach Poker (Zeimet 2004), a game of bluff. The rules: README.md beside this file."""

from ..engine.game import Rules
from .observation import observe, redeal
from .render import events, statistics, table
from .rules import arrange, deal, legal, returns, step
from .scene import scene
from .state import HIDDEN, STATE, CockroachPokerOptions, facts, setup

RULES = Rules(
    name="cockroach_poker",
    title="Cockroach Poker",
    version=0,
    options=CockroachPokerOptions,
    state=STATE,
    hidden=HIDDEN,
    facts=facts,
    setup=setup,
    deal=deal,
    legal=legal,
    step=step,
    returns=returns,
    observe=observe,
    redeal=redeal,
    arrange=arrange,
    table=table,
    events=events,
    statistics=statistics,
    scene=scene,
)
