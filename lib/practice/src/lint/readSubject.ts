import { recipe } from "turnwise/internal/rule/index";
import type { ReadTrainer } from "../configs/contract";
import { currentFlags, givenOf } from "../configs/convert";
import type { FlagValues } from "../configs/given";
import { readTrainers, type TrainerName } from "../configs/recognise";
import { Subject, type SubjectParts } from "./subject";

/** The settings of a configuration, with its rule as far as it can be read. */
export function readSubject(
  trainer: ReadTrainer,
  flags: FlagValues,
  { form, unresolved }: Pick<SubjectParts, "form" | "unresolved">,
): Subject {
  const given = givenOf(trainer, flags);
  const [name] = Object.entries(readTrainers).find(([, one]) => one === trainer)! as [
    TrainerName,
    ReadTrainer,
  ];
  let read: SubjectParts["read"];
  try {
    const { update, ...cells } = trainer.read(given);
    // Findings read the optimizer from its settings.
    const rule = recipe("grpo", { ...cells, update: { ...recipe("grpo").update, ...update } });
    read = { rule, without: given.without };
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
    read = error.message;
  }
  return new Subject({
    trainer: name,
    title: trainer.title,
    form,
    flags: currentFlags(trainer, flags),
    given,
    unresolved,
    read,
  });
}
