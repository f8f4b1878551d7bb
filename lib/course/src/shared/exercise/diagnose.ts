import { NotYet, Passed } from "./verdict";

/** Hidden inputs of one kind, such as groups of unequal size. */
export interface Kind<Input> {
  /** Completes "is wrong with ...". */
  readonly label: string;
  readonly inputs: readonly Input[];
  /** Sentence to use instead of the label if every kind before this one is right. */
  readonly sentence?: string;
}

/** A common mistake, and the sentence that names it. */
export interface Mistake<Input, Output> {
  readonly sentence: string;
  readonly run: (input: Input) => Output;
}

export interface Diagnosis<Input, Output> {
  readonly exercise: string;
  /** From the plainest to the most special. */
  readonly kinds: readonly Kind<Input>[];
  readonly right: (input: Input) => Output;
  readonly mistakes: readonly Mistake<Input, Output>[];
  /** Says what is wrong with the form of an output; undefined if nothing is. */
  readonly form: (output: unknown, input: Input) => string | undefined;
  readonly same: (a: Output, b: Output) => boolean;
  /** Calls the answer with copies, so that it may change them. */
  readonly call: (input: Input) => unknown;
}

/**
 * Compares an answer with the right one on hidden inputs; if it differs, names the mistake.
 *
 * A mistake is recognized by its results: the first one that agrees with the answer on all inputs, or else on the plainest
 * kind. If the answer is right on the plain kinds, the message names the first kind on which it is wrong.
 *
 * @throws {NotYet} if the answer is wrong
 */
export function diagnose<Input, Output>(d: Diagnosis<Input, Output>): Passed {
  const wrong = (sentence: string): NotYet => new NotYet(d.exercise, sentence);
  const results = d.kinds.map(({ label, inputs }, k) =>
    inputs.map((input) => {
      let output: unknown;
      try {
        output = d.call(input);
      } catch (error) {
        if (error instanceof NotYet) throw error;
        const message = error instanceof Error ? error.message : String(error);
        if (k === 0) throw wrong(`the answer throws on the plainest input: ${message}`);
        throw wrong(`the answer throws with ${label}: ${message}`);
      }
      const form = d.form(output, input);
      if (form !== undefined) throw wrong(form);
      return output as Output;
    }),
  );
  const agrees = (run: (input: Input) => Output, k: number): boolean =>
    d.kinds[k]!.inputs.every((input, i) => d.same(results[k]![i]!, run(input)));
  const all = d.kinds.map((_, k) => k);
  if (all.every((k) => agrees(d.right, k))) {
    const count = d.kinds.reduce((sum, { inputs }) => sum + inputs.length, 0);
    return new Passed(d.exercise, `${String(count)} hidden inputs`);
  }
  const known =
    d.mistakes.find(({ run }) => all.every((k) => agrees(run, k))) ??
    (agrees(d.right, 0) ? undefined : d.mistakes.find(({ run }) => agrees(run, 0)));
  if (known) throw wrong(known.sentence);
  const first = d.kinds[all.find((k) => !agrees(d.right, k))!]!;
  throw wrong(first.sentence ?? `it is wrong with ${first.label}.`);
}

/** Whether numbers agree up to single precision and the epsilon that some add to a std; NaN equals NaN. */
export function close(a: number, b: number): boolean {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) && Number.isNaN(b);
  // Nothing is near infinity: the tolerance would be infinite, too.
  if (!Number.isFinite(a) || !Number.isFinite(b)) return a === b;
  return Math.abs(a - b) <= 1e-4 * Math.max(1, Math.abs(a), Math.abs(b));
}

export function closeLists(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  return a.length === b.length && Array.from(a).every((x, i) => close(x, b[i]!));
}

/** Whether something can be read as a list of numbers. */
export function isNumbers(x: unknown): x is ArrayLike<number> {
  if (ArrayBuffer.isView(x)) return !(x instanceof DataView);
  return Array.isArray(x) && x.every((one) => typeof one === "number");
}
