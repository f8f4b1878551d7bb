import { isFiniteNumber } from "../../../monitor/logs/row";
import { wordsOf } from "../trace";
import { listOf, type TraceFormat } from "./contract";
import { textOf, turnsOf } from "./messages";

const own = ["step", "prompt", "completion", "advantage"];

/**
 * TRL's completions, `completions/completions_<step>.parquet`: `step`, `prompt`, `completion`, a column for each reward, `advantage`.
 *
 * Text or messages, no tokens and no log-probs. The reward is the sum of all columns that end in "reward" or, where none does, of all
 * numbers besides step and advantage; TRL's weights of rewards are not in the file.
 *
 * @see trl 1.16.0 on PyPI, `trainer/grpo_trainer.py` (`log`)
 */
export const trl: TraceFormat = {
  title: "TRL's completions",
  is: (record) => "prompt" in record && "completion" in record && "advantage" in record,
  read: (record, number) => {
    const { prompt, completion, advantage, step } = record;
    const said = asText(prompt);
    const rewards = Object.entries(record).filter(
      ([name, value]) => !own.includes(name) && isFiniteNumber(value),
    );
    const named = rewards.filter(([name]) => /reward/i.test(name));
    const turns =
      typeof completion === "string"
        ? [{ observation: said, tokens: wordsOf(completion) }]
        : turnsOf(
            [{ role: "user", content: said }, ...listOf<never>(completion, "completion", `record ${number}`)],
            `record ${number}`,
          );
    return [
      {
        id: String(number),
        group: `${String(step)}:${said}`,
        turns: turns.map((turn) =>
          isFiniteNumber(advantage) ? { ...turn, advantage: turn.tokens.map(() => advantage) } : turn,
        ),
        reward: (named.length > 0 ? named : rewards).reduce((sum, [, value]) => sum + (value as number), 0),
        truncated: false,
        extra: Object.fromEntries(
          Object.entries(record).filter(([name]) => !["prompt", "completion"].includes(name)),
        ),
      },
    ];
  },
};

const asText = (prompt: unknown): string =>
  Array.isArray(prompt) ? prompt.map((message) => textOf(message as never)).join("\n") : String(prompt);
