import type { Trainer } from "./contract";
import {
  argumentsOf,
  docstring,
  heading,
  indented,
  instructions,
  literal,
  signature,
  typingImport,
} from "./text";

/** OpenEnv: a typed `EnvClient` over the WebSocket, with a method for each tool. */
export const openEnv: Trainer = {
  title: "OpenEnv",
  release: "0.10.0",
  reserved: [
    ...["reset", "step", "state", "close", "sync", "connect", "disconnect", "act_text", "new_session"],
    ...["from_docker_image", "from_env", "from_hub", "provider"],
  ],
  write(world) {
    const { className } = world;
    const first = world.tools[0]!;
    const example = first.parameters
      .map(({ name, values }) => `${name}=${literal(values?.[0] ?? "...")}`)
      .join(", ");
    const use = `A typed client, asynchronous or by \`sync()\`:

    from ${world.moduleName} import ${className}Client

    with ${className}Client(base_url=${literal(world.url)}).sync() as env:
        result = env.reset(seed=1)
        print(result.observation.text)
        result = env.${first.name}(${example})
        print(result.observation.text, result.reward, result.done)

A server with a token wants it as a header: \`headers={"Authorization": "Bearer ..."}\`.`;
    const tools = world.tools.map(
      (tool) => `    async def ${tool.name}(${signature(tool)}) -> StepResult[${className}Observation]:
${indented(8, docstring(tool, "The next observation, the reward, and whether the episode has ended."))}
        return await self._call(${literal(tool.key)}, ${argumentsOf(tool)})
`,
    );
    const names = world.tools.map(({ key }) => literal(key)).join(", ");
    return `${heading(world, openEnv, use)}
${typingImport(world) || "from typing import Literal\n"}from typing import Any

from openenv.core.client_types import StepResult
from openenv.core.env_client import EnvClient
from openenv.core.env_server.types import Action, Observation, State

${instructions(world)}

class ${className}Call(Action):
    """The call of a tool."""

    type: Literal["call_tool"] = "call_tool"
    tool_name: Literal[${names}]
    arguments: dict[str, str] = {}


class ${className}Text(Action):
    """A turn in the words of the world."""

    text: str


class ${className}Observation(Observation):
    """The text that the agent sees before a turn, and the same as tokens."""

    text: str
    tokens: list[int] = []
    agent: str | None = None
    tool_name: str | None = None
    result: Any = None
    error: Any = None
    tools: list[Any] | None = None


class ${className}State(State):
    """Where the episode stands."""

    world: str = ${literal(world.id)}
    done: bool = False


class ${className}Client(EnvClient[${className}Call | ${className}Text, ${className}Observation, ${className}State]):
    """Plays ${world.id}: one session, one episode at a time."""

    def _step_payload(self, action: ${className}Call | ${className}Text) -> dict[str, Any]:
        return action.model_dump(exclude={"metadata"})

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[${className}Observation]:
        metadata = payload.get("metadata") or {}
        seen = {**payload["observation"], "reward": payload.get("reward"), "done": payload.get("done", False)}
        observation = ${className}Observation(**seen, metadata=metadata)
        return StepResult(observation=observation, reward=observation.reward, done=observation.done, metadata=metadata)

    def _parse_state(self, payload: dict[str, Any]) -> ${className}State:
        return ${className}State(**payload)

    async def _call(self, tool: str, arguments: dict[str, str | None]) -> StepResult[${className}Observation]:
        given = {name: value for name, value in arguments.items() if value is not None}
        return await self.step(${className}Call(tool_name=tool, arguments=given))

    async def act_text(self, text: str) -> StepResult[${className}Observation]:
        """Takes a turn in the words of the world, such as a model that was taught no calls writes it."""
        return await self.step(${className}Text(text=text))

${tools.join("\n")}`;
  },
};
