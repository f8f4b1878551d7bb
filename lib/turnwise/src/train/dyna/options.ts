import { expectKnown, expectWhole } from "../../base/expect";
import { show } from "../../base/show";
import type { CountModelOptions, HallucinationOptions } from "../../search/model";
import type { CountModelState } from "../../search/model";
import type { Checkpoint } from "../checkpoint";
import type { TrainOptions } from "../options";

/** Options of the model with which an agent plans. */
export interface DynaModelOptions extends CountModelOptions {
  /** `count` learns from the real batches; `exact` is the world itself, which must list its outcomes. Default `count`. */
  readonly kind?: "count" | "exact";
  /** Makes some of the model's replies up. */
  readonly hallucination?: HallucinationOptions;
}

/** The options of `train`, and what is planned with. */
export interface DynaOptions extends Omit<TrainOptions, "resume"> {
  /** Default: a count model over histories. */
  readonly model?: DynaModelOptions;
  /** n: updates on the model after each one on the world; 0 is plain training. Default 4. */
  readonly planning?: number;
  readonly resume?: DynaCheckpoint;
}

/** Everything that the next update depends on, as plain JSON data. */
export interface DynaCheckpoint {
  readonly format: "turnwise-dyna";
  readonly train: Checkpoint;
  readonly model: DynaModelOptions;
  readonly planning: number;
  readonly realSteps: number;
  readonly modelSteps: number;
  /** Counts; null for an exact model. */
  readonly counts: CountModelState | null;
}

/** The options that are Dyna's own. */
export interface Planning {
  readonly model: DynaModelOptions & { readonly kind: "count" | "exact" };
  readonly planning: number;
}

/**
 * Takes Dyna's own options apart from those of `train`.
 *
 * @throws {TypeError} if the checkpoint is none of Dyna's, or fixes what is given
 * @throws {RangeError} if the model's kind is unknown, one of its options does not belong to it, or the number of planned updates
 * is not a whole number >= 0
 */
export function readDynaOptions(options: DynaOptions): {
  readonly train: TrainOptions;
  readonly own: Planning;
  readonly resume: DynaCheckpoint | undefined;
} {
  const { model, planning, resume, ...train } = options;
  if (resume === undefined) return { train, own: planningOf({ model, planning }), resume };
  if ((resume as Partial<DynaCheckpoint> | null)?.format !== "turnwise-dyna") {
    throw new TypeError(`Cannot resume: the checkpoint must be one of dyna's, got ${show(resume)}.`);
  }
  const given = Object.entries({ model, planning }).flatMap(([name, value]) =>
    value === undefined ? [] : name,
  );
  if (given.length > 0) {
    throw new TypeError(`Cannot resume: the checkpoint fixes ${given.join(", ")}. Leave it out.`);
  }
  return { train: { ...train, resume: resume.train }, own: planningOf(resume), resume };
}

function planningOf({ model = {}, planning = 4 }: Pick<DynaOptions, "model" | "planning">): Planning {
  const { kind = "count" } = model;
  expectWhole("train", "planning", planning, 0);
  if ((kind as string) !== "count" && (kind as string) !== "exact") {
    throw new RangeError(`Cannot train: model.kind must be "count" or "exact", got ${show(kind)}.`);
  }
  const known = kind === "count" ? ["kind", "memory", "unseen", "hallucination"] : ["kind", "hallucination"];
  expectKnown("train", model, known);
  return { model: { ...model, kind }, planning };
}
