"""Runs the lines of PyTorch that the lessons fold below their own, and stores what they give.

Run by hand:  python -m venv v && v/bin/pip install torch==2.15.0 && v/bin/python test/oracle/lessons.py
It rewrites test/oracle/lessons.json, which test/notebooks/torch.test.ts compares with the lines of the lessons to 1e-8.
"""

import json
import pathlib
import re

import torch

torch.set_default_dtype(torch.float64)
here = pathlib.Path(__file__).parent
fold = re.compile(r"<details><summary>The same in PyTorch</summary>\n\n```python\n(.*?)\n```", re.S)

rewards = [[1, 0, 0, 1], [1, -1, 0.5, 0.25], [0, 0, 0, 1]]
pairs = [[1.0, 1.0], [1.5, 1.0], [0.5, 1.0], [1.5, -1.0], [0.5, -1.0], [1.1, -2.0]]
# Log-probs now and before, and an advantage; no ratio is at the clip itself, where a slope has two answers.
moved = [[-0.3, -0.3, 1.0], [-0.2, -0.7, 1.0], [-1.5, -0.7, 1.0], [-0.2, -0.7, -1.0], [-1.5, -0.7, -1.0]]

# The arguments of each function, by its name.
calls = {
    "push": [[[[-0.5, -1.2], [-0.1, -2.0], [-0.7, -0.9]], [[1, 1], [1, 0], [1, 1]], [[1.5], [-0.5], [0.25]]]],
    "center": [[r] for r in rewards],
    "standardize": [[r] for r in rewards],
    "in_groups": [[[1, 0, 0, 1, 0.5, -1, 0.25, 0, 0, 0, 0, 1], 4]],
    "clipped": moved,
    "surprise": [[0.0, 1 / 3, 2 / 3], [-1 / 3, 2 / 3, 0.0], [1.0, 0.5, 0.0]],
    "gae": [[[0, 0, 1], [0.25, 0.5, 0.75], 0.9], [[-0.1, 0.5], [0.2, -0.3], 0.0], [[0.1, 0, 0.3], [0.5, 0.1, 0.2], 1.0]],
    "k3": [[-0.5, -0.5], [-3.0, -0.1], [-0.1, -3.0]],
    "turn_ratio": [[[0.1, 0.3]], [[0.5, -0.2, 0.3, 0.0]], [[-0.7]]],
    "ppo": pairs,
    "masked_mean": [[[1, 2, 6], [1, 0, 1]], [[4, -2, 0, 8], [0, 1, 1, 0]]],
    "kl": [[[-0.105360515657826, -2.30258509299405], [-0.693147180559945, -0.693147180559945]]],
    "gains": [[[0.25, 0.25, 0.9]], [[0.1, 0.6, 0.4]]],
    "implicit_reward": [[2.0, -0.5, -1.2], [0.5, -2.0, -0.25]],
    "voted": [[1.0, [1, 1, -1]], [1.0, [-1, -1, -1]]],
}
# What is not a tensor in a call: a size, a share.
plain = {"in_groups": [1], "gae": [2]}


def run(name, function, args):
    given = [x if i in plain.get(name, []) else torch.tensor(x, dtype=torch.float64) for i, x in enumerate(args)]
    if name == "push":
        before = given[0].clone()
        # The lesson's learning rate.
        function(torch.optim.SGD([given[0].requires_grad_()], lr=4), *given)
        return given[0].detach() - before
    if name == "clipped":
        # The lesson's line is the slope of this one.
        given[0].requires_grad_()
        function(*given).backward()
        return given[0].grad
    return function(*given)


stored = []
notebooks = here.parent.parent / "notebooks"
for file in [*sorted(notebooks.glob("*.ipynb")), *sorted(notebooks.glob("appendix/*.ipynb"))]:
    lesson = file.relative_to(notebooks).with_suffix("").as_posix()
    for cell in json.loads(file.read_text())["cells"]:
        for source in fold.findall("".join(cell["source"])):
            scope = {"torch": torch}
            exec(source, scope)
            (name,) = re.findall(r"^def (\w+)", source, re.M)
            results = [run(name, scope[name], args).tolist() for args in calls[name]]
            stored.append(
                {"lesson": lesson, "name": name, "source": source, "calls": calls[name], "results": results}
            )
(here / "lessons.json").write_text(json.dumps({"torch": torch.__version__.split("+")[0], "lines": stored}, indent=1) + "\n")
print(f"{len(stored)} lines of {len({s['lesson'] for s in stored})} lessons")
