"""Scripted agents for The Gang, each a convention: what chips mean, the same for all seats.

From the one that anybody plays without a word, by way of one that people find by themselves, to one
that no stranger could read: `quantile`, `clock`, `codebook`. Each module says how to play it.

The first two play all modes, and use the cards alike, as `cards` says; `codebook` plays `basic`.
"""
