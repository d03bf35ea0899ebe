"""Agents for Caribbean Poker: published rules of thumb, and the exact optimal strategy."""
