"""Watching games: frames, what agents and seats may think of them, and the page that shows them."""
