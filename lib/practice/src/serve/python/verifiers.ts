import type { Trainer } from "./contract";
import {
  argumentsOf,
  docstring,
  heading,
  indented,
  instructions,
  literal,
  session,
  sessionImports,
  shown,
  signature,
  typingImport,
} from "./text";

/** verifiers (and so prime-rl): a taskset of `verifiers.v1`, whose tools are one server for all rollouts. */
export const verifiers: Trainer = {
  title: "verifiers",
  release: "0.4.0",
  reserved: [
    ...["config", "state", "setup", "setup_task", "register", "run", "server_name", "TOOL_PREFIX", "EXTRAS"],
  ],
  write(world) {
    const { className, moduleName } = world;
    const use = `A taskset, with this file on PYTHONPATH (or in a package of this name):

    uv run eval ${moduleName} -n 8 --env.agent.harness.id null --env.taskset.num-tasks 256

The prompt of a task holds the first observation of its seed, so the world must be served when the tasks are loaded. A text
without a call ends the episode, and is paid what was earned until then.`;
    const tools = world.tools.map(
      (tool) => `    @vf.tool
    async def ${tool.name}(${signature(tool)}) -> str:
${indented(8, docstring(tool, "The next observation."))}
        return await self._take(${literal(tool.key)}, ${argumentsOf(tool)})
`,
    );
    return `${heading(world, verifiers, use)}
import asyncio
${sessionImports}${typingImport(world)}
import verifiers.v1 as vf

__all__ = ["${className}Taskset"]

${instructions(world)}

${shown}

${session(world)}

class ${className}State(vf.State):
    """The episode of a rollout, as the host and the tool server share it."""

    session: str = ""
    done: bool = False
    total: float = 0.0


class ${className}Data(vf.TaskData):
    """A start of the world."""

    seed: int = 0


class ${className}Tools(vf.Toolset[vf.SharedToolsetConfig, ${className}State]):
    """The tools of ${world.id}."""

    TOOL_PREFIX = None

    async def _take(self, tool: str, arguments: dict) -> str:
        session = Session()
        session.id, session.done, session.total = self.state.session, self.state.done, self.state.total
        text, _ = await asyncio.to_thread(session.call, tool, arguments)
        self.state.done, self.state.total = session.done, session.total
        return text

${tools.join("\n")}

class ${className}Task(vf.Task[${className}Data, ${className}State]):
    """An episode from one start; every rollout of it differs in its later draws."""

    async def setup(self, trace: vf.Trace, runtime: vf.Runtime) -> None:
        session = Session()
        await asyncio.to_thread(session.reset, self.data.seed)
        trace.state.session = session.id

    async def finalize(self, trace: vf.Trace, runtime: vf.Runtime) -> None:
        if not trace.state.done:
            session = Session()
            session.id = trace.state.session
            await asyncio.to_thread(session.close)

    @vf.stop
    async def ended(self, trace: vf.Trace) -> bool:
        """Whether the world has ended the episode."""
        return trace.state.done

    @vf.reward(weight=1.0)
    async def paid(self, trace: vf.Trace) -> float:
        """The sum of the episode's rewards."""
        return trace.state.total


class ${className}Config(vf.TasksetConfig):
    """Settings, under \`--env.taskset.*\`."""

    num_tasks: int = 256
    """Number of starts."""
    first_seed: int = 0
    """Seed of the first of them."""
    tools: vf.SharedToolsetConfig = vf.SharedToolsetConfig()
    """Where the tool server runs."""


class ${className}Taskset(vf.Taskset[${className}Task, ${className}Config]):
    """The starts of ${world.id}."""

    def load(self):
        """One task a seed."""
        first = self.config.first_seed
        for index, seed in enumerate(range(first, first + self.config.num_tasks)):
            session = Session()
            prompt = INSTRUCTIONS + session.reset(seed, member=0)
            session.close()
            yield ${className}Task(${className}Data(idx=index, prompt=prompt, seed=seed), self.config.task)

    @classmethod
    def toolsets(cls, config: ${className}Config) -> list[vf.Toolset]:
        """One server for all rollouts: what differs between them is in their state."""
        return [${className}Tools(config.tools)]


if __name__ == "__main__":
    ${className}Tools.run()
`;
  },
};
