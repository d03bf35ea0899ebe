"""A Ray with room for a training by RLlib: what its machines must have, and what is waited for."""

import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import ray
from ray.exceptions import RayError, RayTaskError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from backroom.evaluate.ray_clusters import LONG, connected

from .rllib_runner import check_machine, terms
from .settings import RLlibSettings

GRACE = 5
"""Seconds after which it is told that there is no room yet: Ray is late to tell what is free."""


def check_machines(settings: RLlibSettings) -> None:
    """Whether all other machines of the cluster that have cores have this version of this suite.

    Raises:
        ValueError: with a sentence, if one has not.
    """
    here = ray.get_runtime_context().get_node_id()
    others = (node for node in ray.nodes() if node["Alive"] and node["NodeID"] != here)
    nodes = [node["NodeID"] for node in others if node["Resources"].get("CPU")]
    check, what = ray.remote(num_cpus=0)(check_machine), terms(settings)
    try:
        ray.get(
            [
                check.options(
                    scheduling_strategy=NodeAffinitySchedulingStrategy(node, soft=False)
                ).remote(what)
                for node in nodes
            ]
        )
    except RayTaskError as error:
        reason = str(error.cause).strip().rpartition("\n")[-1]
        raise ValueError(f"a machine of the Ray cluster cannot play: {reason}") from None
    except RayError as error:  # the machine has gone
        text = " ".join(str(error).split())[:LONG]
        raise ConnectionError(f"the Ray cluster failed: {text}") from None


def wait_for_room(settings: RLlibSettings, say: Callable[[str], None]) -> None:
    """Wait until the cluster has as many free cores as are wanted; a line tells for what.

    Raises:
        ValueError: with a sentence, if it has not as many, free or not.
    """
    processes, told = settings.runners + settings.learners, 0
    while True:
        cores = [int(n["Resources"].get("CPU", 0)) for n in ray.nodes() if n["Alive"]]
        if sum(own // settings.cores for own in cores) < processes:
            raise ValueError(
                f"the Ray cluster has {sum(cores)} cores on {len(cores)} machines, too few for "
                f"{settings.runners} runners and {settings.learners} learners of {settings.cores}"
            )
        free, wanted = int(ray.available_resources().get("CPU", 0)), processes * settings.cores
        if free >= wanted:
            return
        told += 1
        if told == GRACE:
            say(f"waiting for {wanted} free cores of the Ray cluster, of which {free} are free now")
        time.sleep(1)


@contextmanager
def on_ray(
    settings: RLlibSettings, address: str | None, say: Callable[[str], None] = print
) -> Iterator[None]:
    """Ray, with room for the runners; see `train`. `say` is told what it waits for.

    Raises:
        ValueError: with a sentence, if the cluster is too small for them.
    """
    wanted = (settings.runners + settings.learners) * settings.cores
    joined = address is not None or os.environ.get("RAY_ADDRESS") or ray.is_initialized()
    logger = logging.getLogger("ray.rllib")
    level = logger.level
    with connected(None if joined else max(os.cpu_count() or 1, wanted), address):
        logger.setLevel(logging.CRITICAL)  # `Learner` tells who is lost
        try:
            wait_for_room(settings, say)
            check_machines(settings)
            yield
        finally:
            logger.setLevel(level)
