"""Advantages, losses and gradients of the rules as public frameworks have released them, run and stored as a fixture.

    python test/conformance/conformance.py --sources DIR [--only NAME ...]

DIR holds the released sources; README.md says which and how to get them. Writes test/conformance/fixture.json, which
test/lib/conformance.test.ts compares with the library. Nothing is downloaded, and no function that is compared is written
here: each is called where it stands in the release, and its file, line and SHA-256 go into the fixture. With --only, the
named sources alone are run, and the fixture keeps what it holds of the others.
"""

import argparse
import contextlib
import hashlib
import io
import json
import logging
import pathlib
import warnings

import torch

import from_agents
import from_newer
import from_openrlhf
import from_others
import from_sequential
import from_trl
import from_verl
import released
from batches import BATCHES

# Name, folder in --sources, repository (none: a package of PyPI, in the folder that pip installed it to).
SOURCES = [
    ("verl", "site", None),
    ("trl", "site", None),
    ("openrlhf", "site", None),
    ("RAGEN", "RAGEN", "RAGEN-AI/RAGEN"),
    ("WebAgent-R1", "WebAgent-R1", "weizhepei/WebAgent-R1"),
    ("DrMAS", "DrMAS", "langfengQ/DrMAS"),
    ("verl-agent", "verl-agent", "langfengQ/verl-agent"),
    ("CM2", "CM2/verl_v0.6.1_checklist", "namezhenzhang/CM2-RLCR-Tool-Agent"),
    ("HiPER", "HiPER-agent", "JonP07/HiPER-agent"),
    ("StepPO", "StepPO", "AgentR1/StepPO"),
    ("AgentEvolver", "AgentEvolver", "modelscope/AgentEvolver"),
    ("HARL", "HARL", "PKU-MARL/HARL"),
    ("SkyRL", "SkyRL", "NovaSky-AI/SkyRL"),
    ("prime-rl", "prime-rl", "PrimeIntellect-ai/prime-rl"),
    ("ATPO", "ATPO/ATPO/verl_atpo", "zzfoutofspace/ATPO"),
    ("AReaL", "AReaL", "inclusionAI/AReaL"),
    ("AgentOPSD", "AgentOPSD", "ZethWang/AgentOPSD"),
    ("C3", "C3", "EIT-EAST-Lab/C3"),
    ("ARPO", "ARPO", "dongguanting/ARPO"),
    ("Entropy-Mechanism", "Entropy-Mechanism", "PRIME-RL/Entropy-Mechanism-of-RL"),
    ("FSPO", "FSPO", "nusnlp/FSPO"),
    ("GMPO", "GMPO", "callsys/GMPO"),
    ("GPG", "GPG", "AMAP-ML/GPG"),
    ("HGPO", "HGPO", "xlan156/verl-agent"),
    ("IGPO", "IGPO", "GuoqingWang1/IGPO"),
    ("Multi-Turn-RL-Agent", "Multi-Turn-RL-Agent", "SiliangZeng/Multi-Turn-RL-Agent"),
    ("Open-AgentRL", "Open-AgentRL", "Gen-Verse/Open-AgentRL"),
    ("RAGEN-2", "RAGEN-2", "mll-lab-nu/RAGEN"),
    ("RL-PLUS", "RL-PLUS", "YihongDong/RL-PLUS"),
    ("SPIRAL", "SPIRAL", "spiral-rl/spiral"),
    ("Skywork-OR1", "Skywork-OR1", "SkyworkAI/Skywork-OR1"),
    ("Tree-GRPO", "Tree-GRPO", "AMAP-ML/Tree-GRPO"),
    ("agent_prm", "agent_prm", "sanjibanc/agent_prm"),
    ("iStar", "iStar", "Tongyi-ConvAI/Qwen-Character"),
    ("maxrl", "maxrl", "tajwarfahim/maxrl"),
    ("tinker-cookbook", "tinker-cookbook", "thinking-machines-lab/tinker-cookbook"),
    ("A2TGPO", "a2tgpo", "manavsehgal/ai-field-notes"),
    ("CCPO", "ccpo", "bhai114/ccpo"),
    ("TPO", "tpo", "JeanKaddour/tpo"),
    ("VCPO", "vcpo", "mit-han-lab/vcpo"),
    ("verl-main", "verl-main", "verl-project/verl"),
]


class Fixture:
    def __init__(self):
        self.cases, self.lines, self.found, self.steered, self.grown, self.answered = {}, {}, {}, {}, {}, {}

    def add(self, name, source, batches, calls, compute, old="old"):
        results = []
        for batch in batches:
            run = BATCHES[batch].run(old)
            with released.Watch() as watch:
                advantage, loss = compute(run)
            self.note(name, source, calls, watch.run)
            (gradient,) = torch.autograd.grad(loss, run.logp)
            outside = run.mask == 0
            if bool((gradient[outside] != 0).any()):
                raise AssertionError(f"{name}: a masked token has a gradient")
            inside = lambda x: x.detach()[run.mask == 1].tolist()
            results.append({"batch": batch, "loss": loss.item(), "advantage": inside(advantage), "gradient": inside(gradient)})
        self.cases[name] = {"source": source.name, "calls": calls, "old": old, "results": results}

    def add_steps(self, name, source, batches, calls, compute, old):
        """A rule that updates one turn after the other: the same for each turn, and the carry after it."""
        results = []
        for batch in batches:
            run = BATCHES[batch].run(old)
            with released.Watch() as watch:
                computed = compute(run, old)
            self.note(name, source, calls, watch.run)
            steps = []
            for turn, advantage, loss, carry in computed:
                loss, gradient = loss if isinstance(loss, tuple) else (loss, torch.autograd.grad(loss, run.logp)[0])
                inside = run.mask[:, turn] == 1
                steps.append(
                    {
                        "turn": turn,
                        "advantage": advantage[:, 0].detach()[inside].tolist(),
                        "loss": loss.item(),
                        "gradient": gradient[:, turn][inside].tolist(),
                        "carry": carry.tolist(),
                    }
                )
            results.append({"batch": batch, "steps": steps})
        self.cases[name] = {"source": source.name, "calls": calls, "old": old, "results": results}

    def note(self, name, source, calls, run):
        """Every file of which a function was run belongs to the release that is compared; every function that is named was run."""
        for file, _ in run:
            for one in self.found.values():
                path = pathlib.Path(file)
                inside = path.relative_to(one.folder).as_posix() if path.is_relative_to(one.folder) else ""
                if inside and (one.folder.name != "site" or inside.startswith(f"{one.name}/")):
                    one.text(inside)
        for call in calls:
            path, function = call.split(":")[0], call.split(" ")[-1]
            if " in " not in call and (str(source.folder / path), function) not in run:
                raise AssertionError(f"{name}: {function} of {path} was not run")

    def read(self, name, cases):
        source = self.found.get(name)
        if source is None:
            return
        with contextlib.redirect_stdout(io.StringIO()):
            lines = cases(source)
        self.lines.update({f"{name}.{key}": where for key, where in lines.items()})

    def all(self, sources, only=None):
        for name, place, repository in SOURCES:
            if only and name not in only:
                continue
            folder = sources / place
            about = released.checked_out(folder, repository) if repository else released.installed(folder, name)
            self.found[name] = released.Source(name, folder, about)
        verl, trl = self.found.get("verl"), self.found.get("trl")
        opened = lambda cases: lambda source: closed(source, lambda: cases(source, self.add))
        self.read("verl", opened(from_verl.cases))
        self.read("trl", opened(from_trl.cases))
        self.read("openrlhf", opened(from_openrlhf.cases))
        self.read("RAGEN", lambda source: from_agents.ragen(source, self.add, verl))
        self.read("WebAgent-R1", lambda source: from_agents.webagent(source, self.add, trl))
        self.read("DrMAS", opened(from_agents.drmas))
        self.read("verl-agent", opened(from_agents.verl_agent))
        self.read("CM2", opened(from_agents.cm2))
        self.read("HiPER", opened(from_agents.hiper))
        self.read("StepPO", opened(from_agents.steppo))
        self.read("AgentEvolver", lambda source: closed(source, lambda: from_sequential.seeupo(source, self.add_steps)))
        self.read("HARL", lambda source: closed(source, lambda: from_sequential.harl(source, self.add_steps)))
        self.read("SkyRL", lambda source: closed(source, lambda: from_others.skyrl(source, self.add, verl)))
        self.read("prime-rl", opened(from_others.prime))
        self.answered = self.figures("prime-rl", from_others.answered)
        self.read("AReaL", lambda source: from_newer.areal(source, self.add, verl))
        self.read("HGPO", opened(from_newer.hgpo))
        self.read("IGPO", opened(from_newer.igpo))
        self.read("Multi-Turn-RL-Agent", opened(from_newer.mt_grpo))
        self.read("RL-PLUS", lambda source: from_newer.rl_plus(source, self.add))
        self.read("Tree-GRPO", opened(from_newer.tree_grpo))
        self.read("FSPO", opened(from_newer.fspo))
        self.read("Open-AgentRL", opened(from_newer.rl_anything))
        self.read("AgentOPSD", opened(from_newer.agent_opsd))
        self.read("C3", opened(from_newer.c3))
        self.read("tinker-cookbook", opened(from_newer.tinker))
        self.read("RAGEN-2", opened(from_newer.ragen_2))
        self.read("verl", lambda source: from_newer.optimal_token(source, self.add))
        self.read("iStar", lambda source: from_newer.istar(source, self.add))
        self.read("A2TGPO", lambda source: from_newer.a2tgpo(source, self.add))
        self.read("CCPO", lambda source: from_newer.ccpo(source, self.add))
        self.read("TPO", lambda source: from_newer.tpo(source, self.add))
        self.read("VCPO", opened(from_newer.vcpo))
        self.steered = self.figures("Skywork-OR1", from_others.skywork)
        self.read("ATPO", opened(from_others.atpo))
        self.grown = self.figures("ATPO", from_others.grown)
        self.cite(json.loads((pathlib.Path(__file__).parent / "cited.json").read_text()))
        return self

    def figures(self, name, ask):
        source = self.found.get(name)
        return closed(source, lambda: ask(source)) if source else {}

    def cite(self, cited):
        """Lines that rows cite without a comparison: each must still say what it said when it was read."""
        for name, files in cited.items():
            source = self.found.get(name)
            if source is None:
                continue
            for path, lines in files.items():
                text = source.text(path).splitlines()
                for number, said in lines.items():
                    if not said or text[int(number) - 1].strip() != said:
                        raise AssertionError(f"{name}: line {number} of {path} must be {said!r}: it is {text[int(number) - 1].strip()!r}")
                    self.lines[f"{name}: {path}:{number}"] = f"{path}:{number}"


def renewed(stored, run):
    """What is stored, with what was run of some sources instead of what it holds of them."""
    names = run["sources"]
    own = lambda name: name.split(".")[0].split(":")[0] in names
    merged = {key: {name: one for name, one in stored[key].items() if not own(name)} | run[key] for key in ("lines", "sources")}
    merged["cases"] = {name: one for name, one in stored["cases"].items() if one["source"] not in names} | run["cases"]
    figures = {key: run[key] or stored[key] for key in ("steered", "grown", "answered")}
    return {**stored, **merged, **figures}


def closed(source, run):
    with source:
        return run()


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--sources", required=True, type=pathlib.Path, help="the folder with the released sources")
    options.add_argument("--only", nargs="+", choices=[name for name, _, _ in SOURCES], help="the sources to run")
    given = options.parse_args()
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    fixture = Fixture().all(given.sources.resolve(), given.only)
    written = {
        "command": "python test/conformance/conformance.py --sources DIR",
        "torch": torch.__version__,
        "sources": {name: source.described() for name, source in fixture.found.items()},
        "lines": fixture.lines,
        "batches": {name: batch.described() for name, batch in BATCHES.items()},
        "cases": fixture.cases,
        "steered": fixture.steered,
        "grown": fixture.grown,
        "answered": fixture.answered,
    }
    path = pathlib.Path(__file__).parent / "fixture.json"
    if given.only:
        written = renewed(json.loads(path.read_text()), written)
    path.write_text(json.dumps(written, separators=(",", ":")) + "\n")
    print(f"{len(fixture.cases)} cases, {path.stat().st_size} bytes, {hashlib.sha256(path.read_bytes()).hexdigest()[:12]}")


if __name__ == "__main__":
    main()
