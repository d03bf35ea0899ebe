"""All tables in the READMEs that are facts of the code: `make docs`.

python -m backroom.train.docs
"""

from collections.abc import Callable
from pathlib import Path

from backroom.evaluate import docs
from backroom.evaluate.docs import markdown

from .settings import PPOSettings, SB3Settings, Settings, describe, value_text

README = Path(__file__).with_name("README.md")


def settings_table(kind: type[Settings], own: bool) -> str:
    """Settings, their defaults and meanings: the `own` ones of a way to learn, or the others."""
    common = set(Settings.__struct_fields__)
    rows = (
        (f"`{s.name}`", f"`{value_text(s.default)}`" if s.name != "game" else "", s.description)
        for s in describe(kind)
        if (s.name not in common) == own
    )
    return markdown(("setting", "default", "meaning"), rows)


TABLES: dict[str, Callable[[], str]] = {
    "settings": lambda: settings_table(PPOSettings, own=False),
    "ppo": lambda: settings_table(PPOSettings, own=True),
    "sb3": lambda: settings_table(SB3Settings, own=True),
}


def main() -> None:
    """Write all tables."""
    docs.main()
    docs.write(README, TABLES)


if __name__ == "__main__":
    main()
