import { textOfTokens, wordsOf, type StoredTurn } from "../trace";
import { numberOf, refuseToWrite, without, type TraceFormat } from "./contract";

/**
 * verl's dumps of rollouts, `<rollout_data_dir>/<step>.jsonl`: `input`, `output`, `gts`, `score`, `step`, and what the reward added.
 *
 * They hold flat text: a trajectory is one turn there, its tokens are words, and log-probs are not told. Prompts that are the
 * same in one step are a group.
 *
 * @see verl 0.9.1 on PyPI, `trainer/ppo/ray_trainer.py` (`_dump_generations`)
 */
export const verl: TraceFormat = {
  title: "verl's rollout dumps",
  is: (record) => typeof record.input === "string" && typeof record.output === "string" && "score" in record,
  read: (record, number) => [
    {
      id: String(number),
      group: `${String(record.step ?? "")}:${record.input as string}`,
      turns: [{ observation: record.input as string, tokens: wordsOf(record.output as string) }],
      reward: numberOf(record.score, "score", `record ${number}`),
      truncated: false,
      extra: without(record, ["input", "output", "score"]),
    },
  ],
  write: ([one]) => {
    const [turn, ...more] = one!.turns;
    const output = turn && textOfTokens(turn);
    if (output === undefined || more.length > 0) {
      refuseToWrite(
        "verl's rollout dumps",
        "one turn of text",
        `trajectory ${one!.id} has ${turnsOfText(one!.turns)}`,
      );
    }
    return { input: turn!.observation, output, score: one!.reward, ...one!.extra };
  },
};

const turnsOfText = (turns: readonly StoredTurn[]): string =>
  turns.length === 1 ? "numbers for tokens" : `${turns.length} turns`;
