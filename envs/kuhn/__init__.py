"""Kuhn poker (Kuhn 1950), the smallest game with a bluff. The rules: README.md beside this file."""

from ..engine.game import Rules
from .observation import observe, redeal
from .render import events, statistics, table
from .rules import arrange, deal, legal, returns, step
from .scene import scene
from .state import HIDDEN, STATE, KuhnOptions, facts, setup

RULES = Rules(
    name="kuhn",
    title="Kuhn poker",
    version=0,
    options=KuhnOptions,
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
