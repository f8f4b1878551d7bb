import type { Trainer } from "./contract";
import {
  heading,
  inDocstring,
  instructions,
  literal,
  pythonValue,
  session,
  sessionImports,
  shown,
} from "./text";

/** verl: a `BaseTool` for each tool, the files that name them and hold the prompts, and the reward function. */
export const verl: Trainer = {
  title: "verl",
  release: "0.9.1",
  reserved: [
    ...[
      "Session",
      "WorldTool",
      "BaseTool",
      "OpenAIFunctionToolSchema",
      "ToolResponse",
      "INSTRUCTIONS",
      "TOOLS",
    ],
    ...["asyncio", "contextlib", "itertools", "json", "os", "pathlib", "sys", "urllib", "weakref"],
    ...["compute_score", "rows", "shown", "write"],
  ],
  write(world) {
    const { moduleName } = world;
    const use = `Tools for verl's \`tool_agent\` loop. \`python ${moduleName}.py data 256\` writes data/tools.yaml and data/train.parquet, with the first
observation of each seed in its prompt (the world must be served by then). Train with this file on PYTHONPATH and

    data.train_files=data/train.parquet data.return_raw_chat=True
    actor_rollout_ref.rollout.agent.default_agent_loop=tool_agent
    actor_rollout_ref.rollout.multi_turn.enable=True
    actor_rollout_ref.rollout.multi_turn.max_parallel_calls=1
    actor_rollout_ref.rollout.multi_turn.max_assistant_turns=${world.maxTurns}
    actor_rollout_ref.rollout.multi_turn.tool_config_path=data/tools.yaml
    reward.custom_reward_function.path=${moduleName}.py
    reward.custom_reward_function.name=compute_score

A text without a call ends the episode in verl, and is paid what was earned until then.`;
    const tools = world.tools.map(({ name, key, about, schema }) => {
      const openAi = { type: "function", function: { name, description: about, parameters: schema } };
      return `class ${name}(WorldTool):
    """${inDocstring(about)}"""

    key = ${literal(key)}
    schema = ${pythonValue(openAi)}
`;
    });
    return `${heading(world, verl, use)}
import asyncio
${sessionImports}import pathlib
import sys
import weakref

from verl.tools.base_tool import BaseTool
from verl.tools.schemas import OpenAIFunctionToolSchema, ToolResponse

${instructions(world)}

${shown}

${session(world)}

class WorldTool(BaseTool):
    """A tool of the world: all calls of a trajectory share its session."""

    key: str
    schema: dict

    # verl makes and releases an instance for each call; the trajectory lasts longer.
    _sessions: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()

    def get_openai_tool_schema(self) -> OpenAIFunctionToolSchema:
        return OpenAIFunctionToolSchema.model_validate(self.schema)

    async def execute(self, instance_id: str, parameters: dict, agent_data=None, **kwargs) -> tuple[ToolResponse, float, dict]:
        """Takes a turn; the reward goes to the \`tool_rewards\` of the trajectory."""
        session = self._sessions.get(agent_data)
        if session is None:
            start = agent_data.tools_kwargs[self.name]["create_kwargs"]
            session = self._sessions[agent_data] = Session()
            weakref.finalize(agent_data, session.close)
            await asyncio.to_thread(session.reset, start["seed"], start.get("member"))
        try:
            text, reward = await asyncio.to_thread(session.call, self.key, parameters)
        except ValueError as error:
            return ToolResponse(text=str(error)), 0.0, {}
        return ToolResponse(text=text), reward, {}


${tools.join("\n\n")}

TOOLS = [${world.tools.map(({ name }) => name).join(", ")}]


def compute_score(data_source, solution_str, ground_truth, extra_info=None, **kwargs) -> float:
    """The sum of the episode's rewards."""
    return float(sum((extra_info or {}).get("tool_rewards") or []))


def rows(count: int, first_seed: int = 0) -> list[dict]:
    """Rows of a dataset, one a seed; the members of a group share the seed, and so their start."""
    made = []
    for index, seed in enumerate(range(first_seed, first_seed + count)):
        session = Session()
        prompt = INSTRUCTIONS + session.reset(seed, member=0)
        session.close()
        kwargs = {tool.schema["function"]["name"]: {"create_kwargs": {"seed": seed}} for tool in TOOLS}
        made.append({
            "data_source": ${literal(world.id)},
            "agent_name": "tool_agent",
            "prompt": [{"role": "user", "content": prompt}],
            "reward_model": {"style": "rule", "ground_truth": ""},
            "extra_info": {"index": index, "seed": seed, "need_tools_kwargs": True, "tools_kwargs": kwargs},
        })
    return made


def write(folder: str, count: int) -> None:
    """Writes tools.yaml and train.parquet, which the settings above name."""
    from datasets import Dataset

    place = pathlib.Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    names = "".join(f"  - class_name: ${moduleName}.{tool.__name__}\\n    config: {{type: native}}\\n" for tool in TOOLS)
    (place / "tools.yaml").write_text(f"tools:\\n{names}")
    Dataset.from_list(rows(count)).to_parquet(str(place / "train.parquet"))


if __name__ == "__main__":
    write(sys.argv[1], int(sys.argv[2]))
`;
  },
};
