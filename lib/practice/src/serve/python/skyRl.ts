import type { Trainer } from "./contract";
import {
  argumentsOf,
  docstring,
  heading,
  indented,
  instructions,
  literal,
  pythonValue,
  session,
  sessionImports,
  shown,
  signature,
  typingImport,
} from "./text";

/** SkyRL: a `BaseTextEnv` of skyrl-gym, which reads calls in the text of a message. */
export const skyRl: Trainer = {
  title: "SkyRL (skyrl-gym)",
  release: "0.4.0",
  reserved: [
    ...["init", "step", "close", "turns", "max_turns", "tool_groups", "tool_to_toolgroup", "get_metrics"],
    ...["init_tool_groups", "aggregate_metrics", "session"],
  ],
  write(world) {
    const use = `An environment for SkyRL's generator. Register it in your entry point, before training starts:

    from skyrl_gym.envs import register
    register(id=${literal(world.id)}, entry_point="${world.moduleName}:${world.className}")

and write the dataset by \`python ${world.moduleName}.py train.parquet 256\`. A turn is a call in <tool_call> tags, as the prompt
says. Another text is sent as the words of a turn; what is none costs a turn.`;
    const schemas = world.tools.map(({ name, about, schema }) => ({
      name,
      description: about,
      parameters: schema,
    }));
    const tools = world.tools.map(
      (tool) => `    def ${tool.name}(${signature(tool)}) -> tuple[str, float]:
${indented(8, docstring(tool, "The next observation, and the reward."))}
        return self.session.call(${literal(tool.key)}, ${argumentsOf(tool)})
`,
    );
    return `${heading(world, skyRl, use)}
${sessionImports}import re
import sys
${typingImport(world)}from typing import Any

from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput, ConversationType

TOOLS = [
${schemas.map((schema) => `    ${pythonValue(schema)},\n`).join("")}]
${instructions(world)}FORMAT = (
    "Write a call as JSON in tags, such as "
    '<tool_call>{"name": ${literal(world.tools[0]!.name)}, "arguments": {...}}</tool_call>, and nothing after it.\\n'
    "The tools with the schemas of their arguments:\\n" + "\\n".join(json.dumps(tool) for tool in TOOLS) + "\\n"
)


def rows(count: int, first_seed: int = 0) -> list[dict]:
    """Rows of a dataset, one a seed; the members of a group share the seed, and so their start."""
    prompt = [{"role": "user", "content": INSTRUCTIONS + FORMAT}]
    seeds = range(first_seed, first_seed + count)
    return [
        {"data_source": ${literal(world.id)}, "prompt": prompt, "env_class": ${literal(world.id)}, "seed": seed}
        for seed in seeds
    ]


${shown}

${session(world)}

class ${world.className}(BaseTextEnv):
    """An episode of ${world.id} for each trajectory."""

    def __init__(self, env_config: Any = None, extras: dict[str, Any] | None = None) -> None:
        super().__init__()
        extras = extras or {}
        self.max_turns = min(extras.get("max_turns") or ${world.maxTurns}, ${world.maxTurns})
        self.seed = extras.get("seed")
        self.member = extras.get("member")
        self.session = Session()

    def init(self, prompt: ConversationType) -> tuple[ConversationType, dict[str, Any]]:
        """Begins the episode; the first observation follows the prompt's last message."""
        text = self.session.reset(self.seed, self.member)
        last = prompt[-1]
        return [*prompt[:-1], {**last, "content": last["content"] + text}], {"seed": self.seed}

    def step(self, action: str) -> BaseTextEnvStepOutput:
        """Takes the turn that a message of the model means."""
        self.turns += 1
        text, reward = self._take(action)
        done = self.session.done or self.turns >= self.max_turns
        return BaseTextEnvStepOutput(
            observations=[] if done else [{"role": "user", "content": text}],
            reward=reward,
            done=done,
            metadata={"text": text, "turn": self.turns},
        )

    def close(self) -> None:
        """Ends the session."""
        self.session.close()

    def _take(self, action: str) -> tuple[str, float]:
        calls = re.findall(r"<tool_call>(.*?)(?:</tool_call>|$)", action, re.DOTALL)
        if not calls:
            return self.session.step({"text": action.strip()})
        try:
            call = json.loads(calls[-1])
            name, arguments = call["name"], call.get("arguments", {})
            if name not in METHODS or not isinstance(arguments, dict):
                raise ValueError(f"the tool must be among {', '.join(METHODS)}")
            return getattr(self, name)(**arguments)
        except (KeyError, TypeError, ValueError):
            # The server explains a call that it cannot read, and charges the turn.
            return self.session.step({"text": calls[-1].strip()[:200]})

${tools.join("\n")}

METHODS = [tool["name"] for tool in TOOLS]

if __name__ == "__main__":
    from datasets import Dataset

    path, count = sys.argv[1], int(sys.argv[2])
    Dataset.from_list(rows(count)).to_parquet(path)
`;
  },
};
