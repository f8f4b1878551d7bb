import { isFiniteNumber, type Row } from "../../logs/row";
import { wordsOf, type StoredTrajectory } from "../trace";
import { listOf, type TraceFormat } from "./contract";
import { chatOf, textOf, turnsOf, type Message } from "./messages";

const own = ["step", "gen_step", "prompt", "completion", "advantage", "advantages", "entropy"];

/**
 * TRL's completions, `completions/completions_<step>.parquet`: `step`, `prompt`, `completion`, a column for each reward, `advantage`.
 *
 * ms-swift's `completions.jsonl` has the same columns, one table a line, with `advantages`.
 *
 * Text or messages, no tokens and no log-probs. The reward is the sum of all columns that end in "reward" or, where none does, of all
 * numbers besides step and advantage; TRL's weights of rewards are not in the file.
 *
 * @see trl 1.16.0 on PyPI, `trainer/grpo_trainer.py` (`log`)
 */
export const trl: TraceFormat = {
  title: "TRL's completions",
  is: (record) => "prompt" in record && "completion" in record && ("advantage" in record || isTable(record)),
  read: (record, number) =>
    isTable(record)
      ? rowsOf(record, number).flatMap((row, i) => readRow(row, `${number}.${i}`, number))
      : readRow(record, String(number), number),
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

/** Whether a record is a table: each of its columns has the values of all rollouts of a step, as ms-swift stores them. */
const isTable = ({ completion, advantages }: Row): boolean =>
  Array.isArray(completion) && Array.isArray(advantages);

/** The rows of a table. */
function rowsOf({ advantages, ...columns }: Row, number: number): Row[] {
  const all = listOf<unknown>(advantages, "advantages", `record ${number}`);
  listOf(columns.completion, "completion", `record ${number}`, all.length);
  return all.map((advantage, i) => ({
    ...Object.fromEntries(
      Object.entries(columns).map(([name, values]) => [name, Array.isArray(values) ? values[i] : values]),
    ),
    advantage,
  }));
}

/** The rollout of a row. */
function readRow(record: Row, id: string, number: number): StoredTrajectory[] {
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
      id,
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
}

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
