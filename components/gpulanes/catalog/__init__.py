"""Dated, sourced facts about what providers sell and what models look like. Data files; no network."""

from gpulanes.catalog.age import Age, age
from gpulanes.catalog.defaults import Default, default
from gpulanes.catalog.gpus import Gpu, gpu, gpus
from gpulanes.catalog.instances import Instance, ami_type, families, instance, instances
from gpulanes.catalog.lustre import LustreGrid, lustre_grids
from gpulanes.catalog.models import ModelFacts, model, models
from gpulanes.catalog.prices import Price, SpotRange

__all__ = [
    "Age",
    "Default",
    "Gpu",
    "Instance",
    "LustreGrid",
    "ModelFacts",
    "Price",
    "SpotRange",
    "age",
    "ami_type",
    "default",
    "families",
    "gpu",
    "gpus",
    "instance",
    "instances",
    "lustre_grids",
    "model",
    "models",
]
