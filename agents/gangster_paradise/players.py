"""The scripted agents of Gangster Paradise: four ways to care for things."""

from .agent import GangsterParadiseAgent
from .style import Style


class Collector(GangsterParadiseAgent):
    """Goes for sets of cards: buys and trades for what they lack, and shoots late."""

    name = "collector"
    style = Style(virtue=1.5, wealth=1.2, greatness=1.2, war=0.4, spying=0.8, trade=1.5)


class Hunter(GangsterParadiseAgent):
    """Arms itself, spies when unsure, and shoots whom its colour would see dead."""

    name = "hunter"
    style = Style(virtue=0.8, wealth=0.7, greatness=0.7, war=1.6, spying=1.6, trade=0.8)


class Trader(GangsterParadiseAgent):
    """Proposes what is good for both, and agrees to what is good for itself."""

    name = "trader"
    style = Style(war=0.7, trade=2.5, margin=0.1)


class Liar(GangsterParadiseAgent):
    """Says what helps it, believes others by their record, and fights as well as it collects."""

    name = "liar"
    style = Style(war=1.2, spying=1.2, listens=True, talks=True)
