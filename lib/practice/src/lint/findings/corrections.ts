import type { Change } from "../contract";
import type { Subject } from "../subject";

/** Weights to the engine that sampled, as the trainer has them. */
export function correct(s: Subject): readonly Change[] {
  // SkyRL's former switch is no word.
  const isSwitch = s.trainer === "skyrl" && s.flagOf("correction").endsWith("use_tis");
  const word = isSwitch
    ? true
    : { verl: "token", skyrl: "token", openrlhf: "token", trl: true, "prime-rl": null }[s.trainer];
  return word === null ? [] : [{ setting: "correction", value: word }];
}
