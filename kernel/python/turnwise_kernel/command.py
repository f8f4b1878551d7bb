"""The command ``turnwise``."""

import os
import sys

from .node import run


def main() -> int:
    # The environment that the command belongs to, whether it is active or not: its JupyterLab is the one to use.
    if sys.prefix != sys.base_prefix and not os.environ.get("CONDA_PREFIX"):
        os.environ.setdefault("VIRTUAL_ENV", sys.prefix)
    return run("turnwise", "bin", "turnwise.cjs", args=sys.argv[1:])
