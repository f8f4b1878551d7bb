"""Starts the kernel: ``python -m turnwise_kernel {connection_file}``, as kernel.json says."""

import sys

from .node import run

if __name__ == "__main__":
    sys.exit(run("turnwise-kernel", "dist", "front", "main.js", args=sys.argv[1:]))
