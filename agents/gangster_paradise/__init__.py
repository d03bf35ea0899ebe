"""Scripted agents for Gangster Paradise Requiem: `collector`, `hunter`, `trader`, `liar`.

They share one mind and differ in what they care for (`style.py`, `players.py`):

    view.py     what a seat sees, by name, and what the card table says
    beliefs.py  who may be of which colour, and hold what
    worth.py    what cards are worth, to oneself and to others
    enemies.py  who is a friend, whom one would rather see dead, whom one would look at
    trades.py   which trade to propose, and whether to agree to one
    menu.py     what to begin in a turn
    chain.py    the choices that follow
    answers.py  reactions to what others do
    talk.py     what to say
    agent.py    all that in one: scores of actions, and a draw among the best

Everything works on many positions at once: arrays have B rows, one a position; n seats, counted
from the observer on; K kinds of card. Scores are in the unit in which cards are valued.
"""
