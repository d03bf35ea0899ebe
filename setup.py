"""Map the top-level folders into one import package: envs/ is `backroom.envs`, and so on."""

from setuptools import find_packages, setup

FOLDERS = ("envs", "agents", "train", "evaluate")

setup(
    packages=["backroom." + name for f in FOLDERS for name in find_packages(include=[f, f + ".*"])],
    package_dir={"backroom." + f: f for f in FOLDERS},
    package_data={"": ["py.typed", "*.md", "*/*.toml", "*/*/*.toml", "*/*.safetensors", "*.npz"]},
)
