import type { Change } from "../contract";
import type { Subject } from "../subject";

/** Weights to the engine that sampled, as the trainer has them. */
export function correct(s: Subject): readonly Change[] {
  const word = { verl: "token", skyrl: "token", openrlhf: "token", trl: true, "prime-rl": null }[s.trainer];
  return word === null ? [] : [{ setting: "correction", value: word }];
}
