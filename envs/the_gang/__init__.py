"""The Gang: one team reads each other's poker hands from chips alone. The rules: README.md here."""

from ..engine.game import Rules
from .arrange import arrange
from .hidden import HIDDEN
from .observation import observe
from .options import TheGangOptions, facts, setup
from .redeal import redeal
from .render import events, statistics, table
from .rules import deal, legal, returns, step
from .scene import scene
from .state import STATE

RULES = Rules(
    name="the_gang",
    title="The Gang",
    version=0,
    options=TheGangOptions,
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
