import { isFiniteNumber } from "../../logs/row";
import { wordsOf, type StoredTrajectory } from "../trace";
import { listOf, type TraceFormat } from "./contract";
import { chatOf, textOf, turnsOf, type Message } from "./messages";

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
            [...heardIn(prompt, said), ...listOf<never>(completion, "completion", `record ${number}`)],
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
  write: ([one]) => {
    const { step = 0, advantage: _, ...columns } = one!.extra;
    const chat = chatOf(withoutLogProbs(one!), "TRL's completions").map(({ role, content, ...more }) => ({
      role,
      content: typeof content === "string" || content === null ? content : textOf({ role, content, ...more }),
    }));
    const first = chat.findIndex(({ role }) => role === "assistant");
    const rewards = Object.entries(columns).filter(
      ([name, value]) => /reward/i.test(name) && isFiniteNumber(value),
    );
    const sum = rewards.reduce((total, [, value]) => total + (value as number), 0);
    return {
      step,
      prompt: chat.slice(0, first),
      completion: chat.slice(first),
      ...columns,
      // A column of its own where the stored ones do not say it.
      ...((rewards.length === 0 || sum !== one!.reward) && { reward: one!.reward - sum }),
      advantage: one!.turns[0]?.advantage?.[0] ?? null,
    };
  },
};

const withoutLogProbs = (one: StoredTrajectory): StoredTrajectory => ({
  ...one,
  turns: one.turns.map(({ rolloutLogProb: _, ...turn }) => turn),
});

/** A prompt of messages as they are; one with answers in it, or of text, is something that was said to the agent. */
const heardIn = (prompt: unknown, said: string): readonly Message[] =>
  Array.isArray(prompt) && prompt.every((message: Message) => message.role !== "assistant")
    ? (prompt as Message[])
    : [{ role: "user", content: said }];

const asText = (prompt: unknown): string =>
  Array.isArray(prompt) ? prompt.map((message) => textOf(message as never)).join("\n") : String(prompt);
