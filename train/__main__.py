"""`python -m backroom.train` is the command `backroom`."""

from backroom.train.cli import main

main()
