import { recipe } from "turnwise/internal/rule/index";
import type { ReadTrainer } from "../configs/contract";
import { currentFlags, givenOf } from "../configs/convert";
import type { FlagValues } from "../configs/given";
import { Subject, type SubjectParts } from "./subject";

/** The settings of a configuration, with its rule as far as it can be read. */
export function readSubject(
  trainer: ReadTrainer,
  flags: FlagValues,
  about: Omit<SubjectParts, "flags" | "given" | "read">,
): Subject {
  const given = givenOf(trainer, flags);
  let read: SubjectParts["read"];
  try {
    const { update, ...fields } = trainer.read(given);
    // Findings read the optimizer from its settings.
    const rule = recipe("grpo", { ...fields, update: { ...recipe("grpo").update, ...update } });
    read = { rule, without: given.without };
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
    read = error.message;
  }
  return new Subject({ ...about, flags: currentFlags(trainer, flags), given, read });
}
