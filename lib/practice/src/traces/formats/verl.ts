import { textOfTokens } from "../trace";
import { numberOf, refuseToWrite, without, type TraceFormat } from "./contract";
import { textOfTurns, turnsOfText } from "./flatTurns";

/**
 * verl's dumps of rollouts, `<rollout_data_dir>/<step>.jsonl`: `input`, `output`, `gts`, `score`, `step`, and what the reward added.
 *
 * They hold flat text: an episode's turns are told apart by the marks around what tools answered, tokens are words, and log-probs are
 * not told. Prompts that are the same in one step are a group.
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
      turns: turnsOfText(record.input as string, record.output as string),
      reward: numberOf(record.score, "score", `record ${number}`),
      truncated: false,
      extra: without(record, ["input", "output", "score"]),
    },
  ],
  write: ([one]) => {
    const { id, turns } = one!;
    const isText = turns.every((turn) => textOfTokens(turn) !== undefined);
    const output = isText ? textOfTurns(turns) : undefined;
    // Several turns are told apart only by the marks of an environment.
    if (output === undefined || turns.length === 0 || turnsOfText("", output).length !== turns.length) {
      refuseToWrite(
        "verl's rollout dumps",
        "one turn of text",
        `trajectory ${id} has ${isText ? `${turns.length} turns that no mark of a tool divides` : "numbers for tokens"}`,
      );
    }
    return { input: turns[0]!.observation, output, score: one!.reward, ...one!.extra };
  },
};
