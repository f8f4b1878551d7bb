"""The command ``turnwise``."""

import sys

from .node import run


def main() -> int:
    return run("turnwise", "bin", "turnwise.cjs", args=sys.argv[1:])
