import type { Batch } from "turnwise/internal/batch/batch";

/**
 * Everything that the agent read and wrote before each turn, [N][turns]. Unlike in `observation_nt`, two texts are the same only if
 * the agent's own words before them are.
 *
 * @example
 * import { make, scriptedBatch } from "turnwise";
 * import { historiesOf } from "turnwise-course/grpo-from-scratch";
 * const [zero, two] = [[["LOOKUP", "0"], ["ANSWER", "3"]], [["LOOKUP", "2"], ["ANSWER", "3"]]];
 * const batch = scriptedBatch(make("LookUp-v0"), [zero!, two!]);
 * const [first, second] = historiesOf(batch);
 * first![1] === second![1]; // => false
 */
export function historiesOf(batch: Batch): readonly (readonly string[])[] {
  const [, turns, tokens] = batch.shape;
  return batch.observation_nt.map((read, episode) => {
    const words: string[] = [];
    return read.map((text, turn) => {
      words.push(text);
      const before = words.join("\n");
      const start = (episode * turns + turn) * tokens;
      for (let i = start; i < start + tokens; i++)
        if (batch.mask_ntl[i] === 1) words.push(String(batch.token_ntl[i]));
      return before;
    });
  });
}
