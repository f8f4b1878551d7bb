"""Loads single modules of released packages and checkouts, so that their own functions run here.

What a module imports besides PyTorch, JAX and NumPy (trainers, model libraries, schedulers) is replaced by empty stand-ins:
nothing that is compared comes from one. Packages are entered without their __init__, which would import everything.
"""

import __future__
import ast
import hashlib
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import inspect
import pathlib
import re
import subprocess
import sys
import types
from types import SimpleNamespace

import torch

REAL = {"torch", "numpy", "jax", "omegaconf", "packaging", "yaml", "antlr4"}
ABSENT = {"torch_npu"}  # asked for only to use them where they are


# ---------------------------------------------------------------- stand-ins for imports
class Empty(type):
    """A class that has every attribute, each another such class; as a decorator it returns what it is given."""

    def __new__(mcs, name, bases=(), body=None):
        return super().__new__(mcs, name, bases, dict(body or {}))

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        made = Empty(name)
        setattr(cls, name, made)
        return made

    def __call__(cls, *given, **named):
        if "__init__" in cls.__dict__:
            return super().__call__(*given, **named)
        if len(given) == 1 and not named and callable(given[0]):
            return given[0]
        return Empty(cls.__name__)

    def __or__(cls, other):
        return cls

    __ror__ = __or__

    def __getitem__(cls, key):
        return cls

    def __add__(cls, other):
        return other

    def __lt__(cls, other):
        return False

    __gt__ = __le__ = __ge__ = __lt__

    def __iter__(cls):
        return iter(())

    def __bool__(cls):
        return False


class EmptyModule(types.ModuleType):
    __path__ = []

    def __getattr__(self, name):
        if name == "__version__":
            return "0"
        if name.startswith("__"):
            raise AttributeError(name)
        made = Empty(name)
        setattr(self, name, made)
        return made


class StandIns(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """The last finder asked, for what the files of one source import: whatever is not there is empty."""

    def __init__(self, folder):
        self.folder, self.made = str(folder), set()

    def find_spec(self, name, path=None, target=None):
        top = name.split(".")[0]
        if top in REAL | ABSENT or pathlib.Path(self.folder, top).exists() or not self.asked_by_source():
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def asked_by_source(self):
        frame = sys._getframe(2)
        while "importlib" in frame.f_code.co_filename:
            frame = frame.f_back
        return frame.f_code.co_filename.startswith(self.folder)

    def create_module(self, spec):
        self.made.add(spec.name.split(".")[0])
        return EmptyModule(spec.name)

    def exec_module(self, module):
        pass


# ---------------------------------------------------------------- double precision
class Double:
    """A namespace in which float32 is float64: released code that asks for single precision gets double."""

    def __init__(self, of):
        self._of = of

    def __getattr__(self, name):
        return getattr(self._of, "float64" if name == "float32" else name)


def in_double(module):
    for name in ("torch", "np"):
        if name in vars(module):
            setattr(module, name, Double(vars(module)[name]))
    return module


torch.set_default_dtype(torch.float64)
torch.Tensor.float = lambda self: self.double()


# ---------------------------------------------------------------- sources
class Source:
    """One released package or checkout: what of it was run, and how it is known."""

    def __init__(self, name, folder, about):
        self.name, self.folder, self.about, self.files = name, pathlib.Path(folder), about, {}
        self.finders = Bare(self.folder), StandIns(self.folder)
        self.modules = {}

    def __enter__(self):
        """While open, its packages are there without their __init__, and what is missing is a stand-in."""
        sys.modules.update(self.modules)
        sys.meta_path.insert(0, self.finders[0])
        sys.meta_path.append(self.finders[1])
        return self

    def __exit__(self, *_):
        for finder in self.finders:
            sys.meta_path.remove(finder)
        self.modules = {name: module for name, module in sys.modules.items() if self.owns(module)}
        for name in self.modules:
            del sys.modules[name]

    def owns(self, module):
        file = getattr(module, "__file__", None) or ""
        return isinstance(module, (EmptyModule, BarePackage)) or file.startswith(f"{self.folder}/")

    def text(self, path):
        data = (self.folder / path).read_bytes()
        self.files[path] = hashlib.sha256(data).hexdigest()
        return data.decode()

    def module(self, path, **given):
        """The file as a module of its package; `given` stands in it beforehand, in place of a star import."""
        self.text(path)
        name = path.removesuffix(".py").replace("/", ".")
        if name not in sys.modules:
            spec = importlib.util.spec_from_file_location(name, self.folder / path)
            module = importlib.util.module_from_spec(spec)
            vars(module).update(given)
            sys.modules[name] = module
            spec.loader.exec_module(module)
        return in_double(sys.modules[name])

    def line(self, path, snippet, after=""):
        """Where in a file a piece of code stands, as `path:line`; `after` a line, such as that of a function."""
        met = False
        for number, line in enumerate(self.text(path).splitlines(), 1):
            met = met or after in line
            if met and snippet in line:
                return f"{path}:{number}"
        raise LookupError(f"{path} of {self.name} has no line with {snippet!r}")

    def at(self, function):
        """Where a function stands."""
        function = inspect.unwrap(getattr(function, "__func__", function))
        path = pathlib.Path(inspect.getsourcefile(function)).relative_to(self.folder).as_posix()
        self.text(path)
        return f"{path}:{function.__code__.co_firstlineno} {function.__name__}"

    def statements(self, path, function, first, last):
        """The statements of a function from the one with `first` to the one with `last`, as released, to be run by themselves."""
        tree = ast.parse(self.text(path))
        (found,) = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == function]
        lines = self.text(path).splitlines()
        text = lambda node: "\n".join(lines[node.lineno - 1 : node.end_lineno])
        body = next(body for body in blocks(found) if any(first in text(node) for node in body))
        start = next(i for i, node in enumerate(body) if first in text(node))
        end = next(i for i, node in enumerate(body) if i >= start and last in text(node))
        chosen = ast.Module(body[start : end + 1], type_ignores=[])
        code = compile(chosen, str(self.folder / path), "exec")
        where = f"{path}:{body[start].lineno}-{body[end].end_lineno} in {function}"
        return code, where

    def functions(self, path, *names, **given):
        """Single functions of a file that imports too much to be entered, as released; `given` stands for what they import."""
        nodes = [node for node in ast.parse(self.text(path)).body if isinstance(node, ast.FunctionDef) and node.name in names]
        scope = {"torch": Double(torch), **given}
        flags = __future__.annotations.compiler_flag
        exec(compile(ast.Module(nodes, type_ignores=[]), str(self.folder / path), "exec", flags), scope)
        return SimpleNamespace(**{name: scope[name] for name in names})

    def beside(self, place):
        """A package that the checkout carries in a folder of its own."""
        return Source(self.name, self.folder / place, self.about)

    def described(self):
        return {**self.about, "files": dict(sorted(self.files.items()))}


def blocks(function):
    """The innermost lists of statements first."""
    found = []
    for node in ast.walk(function):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                found.append(block)
    return reversed(found)


class Bare(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Packages of one folder without their __init__; a name that an __init__ would have given is looked up in its files."""

    def __init__(self, folder):
        self.folder = folder

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in REAL:
            return None
        place = self.folder.joinpath(*name.split("."))
        file = place.with_suffix(".py")
        if file.is_file() and not (place / "__init__.py").is_file():
            return importlib.util.spec_from_file_location(name, file)
        return importlib.machinery.ModuleSpec(name, self, is_package=True) if place.is_dir() else None

    def create_module(self, spec):
        return BarePackage(spec.name, self.folder.joinpath(*spec.name.split(".")))

    def exec_module(self, module):
        pass


class BarePackage(types.ModuleType):
    def __init__(self, name, folder):
        super().__init__(name)
        self.__path__ = [str(folder)]

    def __getattr__(self, name):
        if name == "__version__":
            return "0"
        if name.startswith("__"):
            raise AttributeError(name)
        wanted = re.compile(rf"^(class|def) {re.escape(name)}\b|^{re.escape(name)} *[:=]", re.MULTILINE)
        folder = pathlib.Path(self.__path__[0])
        for file in sorted(folder.rglob("*.py"), key=lambda file: (len(file.parts), file)):
            if wanted.search(file.read_text()):
                inner = file.relative_to(folder).with_suffix("").parts
                # What an __init__ itself defines is a stand-in, too: nothing that is compared stands in one.
                module = Empty("__init__") if inner[-1] == "__init__" else importlib.import_module(".".join([self.__name__, *inner]))
                made = getattr(module, name)
                setattr(self, name, made)
                return made
        raise AttributeError(name)


class Watch:
    """Which functions were run while it was open, as (file, name)."""

    def __enter__(self):
        self.run = set()
        sys.setprofile(lambda frame, event, _: event == "call" and self.run.add((frame.f_code.co_filename, frame.f_code.co_name)))
        return self

    def __exit__(self, *_):
        sys.setprofile(None)


def installed(site, name):
    """Which release of a package stands in a folder of pip's."""
    (metadata,) = pathlib.Path(site).glob(f"{name}-*.dist-info/METADATA")
    version = next(line for line in metadata.read_text().splitlines() if line.startswith("Version: "))
    return {"from": "PyPI", "version": version.removeprefix("Version: ")}


def checked_out(folder, repository):
    """Which commit of a repository a checkout is of."""
    asked = subprocess.run(["git", "-C", str(folder), "rev-parse", "HEAD"], capture_output=True, text=True, check=True)
    return {"from": repository, "commit": asked.stdout.strip()}
