"""Map the top-level folders into one import package: envs/ is `backroom.envs`, and so on."""

from setuptools import find_namespace_packages, setup

FOLDERS = ("envs", "agents", "train", "evaluate")


def packages() -> list[str]:
    """All folders that a wheel holds: those of settings and weights have no `__init__.py`."""
    found = find_namespace_packages(include=[name for f in FOLDERS for name in (f, f + ".*")])
    return ["backroom." + name for name in found if "__pycache__" not in name]


setup(
    packages=packages(),
    package_dir={"backroom." + f: f for f in FOLDERS},
    package_data={
        "": [
            "py.typed",
            "*.md",
            "*.toml",
            "*.csv",
            "*.npy",
            "*.npz",
            "*.safetensors",
            "*.html",
            "*.css",
            "*.js",
        ]
    },
)
