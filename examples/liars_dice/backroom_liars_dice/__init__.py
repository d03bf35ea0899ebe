"""Liar's dice for backroom."""
