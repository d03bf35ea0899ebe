"""Other frameworks' ways in, a module each; importing one needs that framework and no other.

What each framework can do with a game, and the lines that it takes: `docs/frameworks.md`.
"""
