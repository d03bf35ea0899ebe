"""Gangster Paradise Requiem: hidden teams that trade, talk and shoot. The rules: README.md here."""

from ..engine.game import Rules
from .arrange import arrange
from .hidden import HIDDEN
from .observation import observe
from .options import GangsterParadiseOptions, facts, setup
from .redeal import redeal
from .render import events, statistics, table
from .rules import deal, legal, returns, step
from .scene import scene
from .state import STATE

RULES = Rules(
    name="gangster_paradise",
    title="Gangster Paradise Requiem",
    version=0,
    options=GangsterParadiseOptions,
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
