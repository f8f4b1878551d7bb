import type { PythonParameter, PythonTool, PythonWorld, Trainer } from "./contract";

/** A text as a literal of Python: JSON's escapes are Python's. */
export const literal = (text: string): string => JSON.stringify(text);

/** A text inside a docstring. */
export const inDocstring = (text: string): string =>
  text.replaceAll("\\", "\\\\").replaceAll('"""', '\\"\\"\\"');

/** The lines, indented by `spaces` spaces; empty ones stay empty. */
export const indented = (spaces: number, text: string): string =>
  text.replaceAll(/^(?=.)/gm, " ".repeat(spaces));

/** A JSON value as a literal of Python. */
export function pythonValue(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return literal(value);
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(", ")}]`;
  const entries = Object.entries(value as object).map(([key, x]) => `${literal(key)}: ${pythonValue(x)}`);
  return `{${entries.join(", ")}}`;
}

function annotation({ values, required }: PythonParameter): string {
  const type = values && values.length > 0 ? `Literal[${values.map(literal).join(", ")}]` : "str";
  return required ? type : `${type} | None`;
}

/** The arguments of a tool's method, with their types. */
export const signature = ({ parameters }: PythonTool): string =>
  ["self", ...parameters.map((p) => `${p.name}: ${annotation(p)}${p.required ? "" : " = None"}`)].join(", ");

/** The arguments of a tool as a dictionary of Python by the server's names. */
export const argumentsOf = ({ parameters }: PythonTool): string =>
  `{${parameters.map(({ key, name }) => `${literal(key)}: ${name}`).join(", ")}}`;

/** The docstring of a tool in Google's form, which trainers turn into a schema. */
export function docstring({ about, parameters }: PythonTool, returns: string): string {
  const args = parameters.map((p) => `    ${p.name}: ${inDocstring(p.about)}`);
  const part = args.length > 0 ? `\nArgs:\n${args.join("\n")}\n` : "";
  return `"""${inDocstring(about)}\n${part}\nReturns:\n    ${returns}\n"""`;
}

/** Whether a method of the tools needs `Literal`. */
export const typingImport = ({ tools }: PythonWorld): string =>
  tools.some(({ parameters }) => parameters.some(({ values }) => values && values.length > 0))
    ? "from typing import Literal\n"
    : "";

/** The docstring of the file. */
export function heading(
  world: PythonWorld,
  trainer: Pick<Trainer, "title" | "release">,
  use: string,
): string {
  const { id, command } = world;
  return `"""${id} of turnwise for ${trainer.title} ${trainer.release}.

Serve the world first, and set TURNWISE_URL where it is not ${world.url}:

    ${inDocstring(command)}

${inDocstring(use)}
"""
`;
}

/** The constant with the first part of every prompt. */
export const instructions = (world: PythonWorld): string =>
  `INSTRUCTIONS = (\n${world.instructions.map((line) => `    ${literal(`${line}\n`)}\n`).join("")})\n`;

/** The text that a client shows the model for an answer of the server. */
export const shown = `def shown(answer: dict) -> str:
    """The text of an answer for the model; it names the agent whose turn comes, where there are several."""
    observation = answer["observation"]
    text = observation["text"]
    if "agent" in observation and not answer["done"]:
        text = f"{observation['agent']}: {text}"
    return f"{text}\\nThe episode has ended." if answer["done"] else text
`;

/** The class that talks to the server: HTTP by the standard library, so that a client needs nothing else. */
export const session = ({ url }: PythonWorld): string => `class Session:
    """A session of the server: one episode at a time."""

    # Members of a group share the start of their seed; this number makes them differ in every later draw. Workers begin apart.
    _members = itertools.count(int.from_bytes(os.urandom(4), "big"))

    def __init__(self) -> None:
        self.url = os.environ.get("TURNWISE_URL", ${literal(url)}).rstrip("/")
        self.id: str | None = None
        self.done = True
        self.total = 0.0

    def reset(self, seed: int | None = None, member: int | None = None) -> str:
        """Begins an episode in a new session, as the server ends one that has been idle for long."""
        self.close()
        self.id = self._rpc("openenv/session/create", {})["session_id"]
        self.done, self.total = False, 0.0
        start = {"member": next(self._members) if member is None else int(member)}
        if seed is not None:
            start["seed"] = int(seed)
        return shown(self._post("/reset", {"session_id": self.id, **start}))

    def step(self, action: dict) -> tuple[str, float]:
        """Takes a turn; returns the text for the model and the reward."""
        if self.done:
            raise ValueError("The episode has ended: no turn is left.")
        answer = self._post("/step", {"session_id": self.id, "action": action})
        self.done = answer["done"]
        reward = answer["reward"] or 0.0
        self.total += reward
        if self.done:
            self.close()
        return shown(answer), reward

    def call(self, tool: str, arguments: dict) -> tuple[str, float]:
        """Takes a turn by the call of a tool; an argument that is None is left out."""
        given = {name: value for name, value in arguments.items() if value is not None}
        return self.step({"type": "call_tool", "tool_name": tool, "arguments": given})

    def close(self) -> None:
        """Ends the session."""
        if self.id is not None:
            with contextlib.suppress(RuntimeError):
                self._rpc("openenv/session/close", {"session_id": self.id})
            self.id = None

    def _rpc(self, method: str, params: dict) -> dict:
        answer = self._post("/mcp", {"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        if "error" in answer:
            raise RuntimeError(answer["error"]["message"])
        return answer["result"]

    def _post(self, path: str, body: dict) -> dict:
        headers = {"Content-Type": "application/json"}
        token = os.environ.get("TURNWISE_SERVE_TOKEN")
        if token:
            headers["Authorization"] = f"Bearer {token}"
        request = urllib.request.Request(self.url + path, json.dumps(body).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            text = error.read().decode(errors="replace")
            try:
                text = json.loads(text)["detail"]
            except (ValueError, KeyError, TypeError):
                pass
            raise RuntimeError(f"{self.url}{path} refused: {text}") from error
        except urllib.error.URLError as error:
            raise RuntimeError(f"{self.url} does not answer: {error.reason}. Is the world served?") from error
`;

/** Imports of `session`. */
export const sessionImports = `import contextlib
import itertools
import json
import os
import urllib.error
import urllib.request
`;
