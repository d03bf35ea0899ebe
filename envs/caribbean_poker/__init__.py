"""Caribbean Poker, five-card poker against a banker. The rules: README.md beside this file."""

from ..engine.game import Rules
from .observation import observe, redeal
from .render import events, statistics, table
from .rules import arrange, deal, legal, returns, step
from .scene import scene
from .state import HIDDEN, STATE, CaribbeanPokerOptions, facts, setup

RULES = Rules(
    name="caribbean_poker",
    title="Caribbean Poker",
    version=0,
    options=CaribbeanPokerOptions,
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
