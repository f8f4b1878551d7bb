"""Gives flags to the parsers of TRL, verl and OpenRLHF as they are released, and tells as JSON what each made of them.

On standard input: [{"framework", "name", "flags", "args"}], args being the words of the command line, or Python for TRL. What the
packages import besides (PyTorch, Ray, Transformers) is replaced by empty stand-ins: no parser needs it.
"""

import ast
import contextlib
import copy
import dataclasses
import importlib.util
import io
import json
import pathlib
import runpy
import sys
import types

SITE = pathlib.Path(importlib.util.find_spec("trl").origin).parent.parent


class Anything(types.ModuleType):
    """A module that has whatever is asked of it."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *_, **__: Anything(name)


def stand_in(*names):
    for name in names:
        sys.modules[name] = Anything(name)


def enter(name):
    """A package without its __init__."""
    package = types.ModuleType(name)
    package.__path__ = [str(SITE / name.replace(".", "/"))]
    sys.modules[name] = package


@dataclasses.dataclass
class TrainingArguments:
    """The fields that TRL's own classes read; those of Transformers are many more."""

    _VALID_DICT_FIELDS = []
    learning_rate: float = 5e-5
    per_device_train_batch_size: int = 8
    per_device_eval_batch_size: int = 8
    gradient_accumulation_steps: int = 1
    auto_find_batch_size: bool = False
    do_eval: bool = False
    eval_strategy: str = "no"
    fp16: bool = False
    parallelism_config: object = None
    world_size: int = 1
    device: object = dataclasses.field(default_factory=lambda: types.SimpleNamespace(type="cpu"))

    def __post_init__(self):
        pass


def trl():
    stand_in("transformers")
    sys.modules["transformers"].TrainingArguments = TrainingArguments
    enter("trl")
    enter("trl.trainer")
    from trl.trainer.grpo_config import GRPOConfig
    from trl.trainer.rloo_config import RLOOConfig

    words = choices(SITE / "trl/trainer/grpo_trainer.py")

    def parse(one):
        made = eval(one["args"][0], {"GRPOConfig": GRPOConfig, "RLOOConfig": RLOOConfig})
        for name, value in one["flags"].items():
            if name in words and value not in words[name]:
                raise ValueError(f"{name} is {value}; the trainer knows {sorted(words[name])}")
        return {name: getattr(made, name) for name in one["flags"]}

    return parse


def choices(file):
    """The words with which a trainer compares what it was given, by the name of the argument."""
    found = {}
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Compare) and isinstance(node.left, ast.Attribute):
            for word in ast.walk(node.comparators[0]):
                if isinstance(word, ast.Constant) and isinstance(word.value, str):
                    found.setdefault(node.left.attr, set()).add(word.value)
    return found


def verl():
    from hydra import compose, initialize_config_dir
    from hydra._internal.config_loader_impl import ConfigLoaderImpl
    from hydra.core.override_parser.overrides_parser import OverridesParser
    from omegaconf import OmegaConf

    # Its files are composed once; the overrides of each row are parsed and laid over by hydra as compose does it.
    with initialize_config_dir(str(SITE / "verl/trainer/config"), version_base=None):
        base = compose("ppo_trainer")

    algos = ast.parse((SITE / "verl/trainer/ppo/core_algos.py").read_text())
    estimators = {
        line.value.value
        for node in algos.body
        if isinstance(node, ast.ClassDef) and node.name == "AdvantageEstimator"
        for line in node.body
        if isinstance(line, ast.Assign)
    }
    losses = {
        decorator.args[0].value
        for node in algos.body
        if isinstance(node, ast.FunctionDef)
        for decorator in node.decorator_list
        if isinstance(decorator, ast.Call) and decorator.func.id == "register_policy_loss"
    }

    def parse(one):
        config = copy.deepcopy(base)
        ConfigLoaderImpl._apply_overrides_to_config(OverridesParser.create().parse_overrides(one["args"]), config)
        actor = config.actor_rollout_ref.actor
        if config.algorithm.adv_estimator not in estimators:
            raise ValueError(f"{config.algorithm.adv_estimator} is none of {sorted(estimators)}")
        if actor.policy_loss.loss_mode not in losses:
            raise ValueError(f"{actor.policy_loss.loss_mode} is none of {sorted(losses)}")
        corrected(config)
        return {name: OmegaConf.select(config, name) for name in one["flags"]}

    def corrected(config):
        """Its own parsers of what stands in a text."""
        source = (SITE / "verl/trainer/ppo/rollout_corr_helper.py").read_text()
        scope = {"Optional": __import__("typing").Optional}
        for node in ast.parse(source).body:
            if isinstance(node, ast.FunctionDef) and node.name in ("_parse_rollout_is_threshold", "_parse_rollout_rs_thresholds"):
                exec(ast.unparse(node), scope)
        correction = config.algorithm.rollout_correction
        if correction.rollout_is is not None:
            scope["_parse_rollout_is_threshold"](correction.rollout_is_threshold)
        if correction.rollout_rs is not None:
            scope["_parse_rollout_rs_thresholds"](correction.rollout_rs.split(","), correction.rollout_rs_threshold)

    return parse


class Parsed(Exception):
    pass


def openrlhf():
    stand_in("ray", "ray.util", "ray.util.placement_group", "torch")
    for name in ("openrlhf", "openrlhf.utils"):
        enter(name)
    stand_in(*(f"openrlhf.trainer{name}" for name in ("", ".ray", ".ray.launcher", ".ray.ppo_actor", ".ray.ppo_critic")))

    def taken(args):
        raise Parsed(args)

    sys.modules["openrlhf.utils"].get_strategy = taken

    def parse(one):
        sys.argv = ["train_ppo_ray", *one["args"], "--actor.model_name_or_path", "model", "--reward.remote_url", "url"]
        said = io.StringIO()
        try:
            with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
                runpy.run_path(str(SITE / "openrlhf/cli/train_ppo_ray.py"), run_name="__main__")
        except Parsed as parsed:
            args = parsed.args[0]
        except SystemExit:
            raise ValueError(said.getvalue().splitlines()[-1]) from None
        got = {}
        for name in one["flags"]:
            value = args
            for part in name.split("."):
                value = getattr(value, part)
            got[name] = value
        return got

    return parse


def main():
    parsers = {}
    told = []
    for one in json.load(sys.stdin):
        name = one["framework"]
        if name not in parsers:
            parsers[name] = {"trl": trl, "verl": verl, "openRlhf": openrlhf}[name]()
        try:
            told.append({"got": parsers[name](one)})
        except Exception as error:
            told.append({"refused": f"{type(error).__name__}: {error}"})
    json.dump(told, sys.stdout, default=list)


main()
