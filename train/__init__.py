"""Learning: one script an algorithm, settings as files, and the command line."""

if __name__ != "backroom.train":
    raise ImportError(f"import this package as backroom.train, not {__name__}")
