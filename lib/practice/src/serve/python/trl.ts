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

/** TRL: a class for `environment_factory`, whose public methods are the tools. */
export const trl: Trainer = {
  title: "TRL",
  release: "1.16.0",
  reserved: ["reset", "get_reward"],
  write(world) {
    const use = `An environment for \`environment_factory\`: its public methods are the tools, and it owns the reward.

    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer
    from ${world.moduleName} import ${world.className}, rows

    trainer = GRPOTrainer(
        model="Qwen/Qwen3-0.6B",
        args=GRPOConfig(max_tool_calling_iterations=${world.maxTurns}, max_completion_length=1024),
        train_dataset=Dataset.from_list(rows(256)),
        environment_factory=${world.className},
    )
    trainer.train()

A text without a call ends the episode in TRL, and is paid what was earned until then. There is a session for each rollout
of a batch: \`--sessions\` of the server is the most at once.`;
    const tools = world.tools.map(
      (tool) => `    def ${tool.name}(${signature(tool)}) -> str:
${indented(8, docstring(tool, "The next observation."))}
        return self._session.call(${literal(tool.key)}, ${argumentsOf(tool)})[0]
`,
    );
    return `${heading(world, trl, use)}
${sessionImports}${typingImport(world)}
${instructions(world)}

def rows(count: int, first_seed: int = 0) -> list[dict]:
    """Rows of a dataset, one a seed; the members of a group share the seed, and so their start."""
    prompt = [{"role": "user", "content": INSTRUCTIONS}]
    return [{"prompt": prompt, "seed": seed} for seed in range(first_seed, first_seed + count)]


${shown}

${session(world)}

class ${world.className}:
    """An episode of ${world.id} for each rollout."""

    def __init__(self) -> None:
        self._session = Session()

    def reset(self, seed: int | None = None, member: int | None = None, **row) -> str:
        """Begins the episode of the row's seed; TRL appends the text to the prompt."""
        return self._session.reset(seed, member)

    def get_reward(self) -> float:
        """The sum of the episode's rewards."""
        return self._session.total

${tools.join("\n")}`;
  },
};
