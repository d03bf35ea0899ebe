"""Caribbean Poker, solved: exact values of the best play and of any agent, without a game played.

backroom solve caribbean_poker
"""
