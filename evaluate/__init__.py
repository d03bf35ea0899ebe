"""Who is better: matches, statistics, records."""

if __name__ != "backroom.evaluate":
    raise ImportError(f"import this package as backroom.evaluate, not {__name__}")
