"""Papermill's parameters in TypeScript, so that ``papermill in.ipynb out.ipynb -p rate 0.1`` needs no ``--language``.

Papermill looks for engines of other packages when it is imported, but not for translators. Loading the engine registers the
translator; the engine itself is papermill's own.
"""

from __future__ import annotations

import json
import math
import numbers
import re

from papermill.engines import NBClientEngine
from papermill.exceptions import PapermillException
from papermill.translators import Translator, papermill_translators

_name = re.compile(r"[^\W\d][\w$]*|\$[\w$]*")
_text = r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`"
_declaration = re.compile(
    rf"(?:export\s+)?(?:const|let|var)\s+(?P<name>[\w$]+)\s*(?::\s*(?P<type>(?:=>|[^=])+?))?\s*=\s*"
    rf"(?P<value>(?:{_text}|(?!//)[^\"'`])+?)\s*;?\s*(?://\s*(?P<help>.*))?$"
)
_largest_exact = 2**53 - 1


class TypeScriptTranslator(Translator):
    """Writes values of Python as TypeScript and reads the cell tagged ``parameters``."""

    @classmethod
    def translate(cls, val):
        if val is None:
            return "null"
        if isinstance(val, bool):
            return "true" if val else "false"
        if isinstance(val, numbers.Integral):
            # A number would be rounded.
            return str(int(val)) if abs(val) <= _largest_exact else f"{int(val)}n"
        if isinstance(val, numbers.Real):
            return cls.translate_float(float(val))
        if isinstance(val, dict):
            return cls.translate_dict(val)
        if isinstance(val, (list, tuple, set, frozenset)):
            return cls.translate_list(val)
        # Dates and paths as well; U+2028 and U+2029 may stand in a string.
        return json.dumps(str(val), ensure_ascii=False)

    @classmethod
    def translate_str(cls, val):
        return json.dumps(val, ensure_ascii=False)

    @classmethod
    def translate_float(cls, val):
        if math.isnan(val):
            return "NaN"
        if math.isinf(val):
            return "Infinity" if val > 0 else "-Infinity"
        return repr(val)

    @classmethod
    def translate_dict(cls, val):
        return "{" + ", ".join(f"{cls._key(key)}: {cls.translate(one)}" for key, one in val.items()) + "}"

    @classmethod
    def _key(cls, key):
        text = json.dumps(str(key), ensure_ascii=False)
        # As a plain key it would set the prototype.
        return f"[{text}]" if key == "__proto__" else text

    @classmethod
    def translate_list(cls, val):
        return "[" + ", ".join(cls.translate(one) for one in val) + "]"

    @classmethod
    def comment(cls, cmt_str):
        return "\n".join(f"// {line}".rstrip() for line in cmt_str.splitlines())

    @classmethod
    def assign(cls, name, str_val):
        if not _name.fullmatch(name):
            raise PapermillException(
                f"Cannot set the parameter {name}: its name must be one of a variable of TypeScript "
                f"(letters, digits, _ and $), got {json.dumps(name)}."
            )
        # The cell before may have declared it with const; with var it may be declared again.
        return f"var {name} = {str_val};"

    @classmethod
    def inspect(cls, parameters_cell):
        # Where papermill is too old to have it, it does not ask either; an error at the top would stop all of papermill.
        from papermill.models import Parameter

        found = (_declaration.match(line.strip()) for line in parameters_cell["source"].splitlines())
        return [
            Parameter(one["name"], one["type"] or "None", one["value"], one["help"] or "")
            for one in found
            if one is not None
        ]


class Engine(NBClientEngine):
    """Papermill's own engine."""


def _register() -> None:
    for language in ("typescript", "javascript"):
        try:
            papermill_translators.find_translator("", language)
        except PapermillException:
            # Nobody else has one.
            papermill_translators.register(language, TypeScriptTranslator)


_register()
