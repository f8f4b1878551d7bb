import { close, isNumbers } from "./diagnose";

/** A function from numbers to numbers: a line of a rule, or of what a lesson says about it. */
export type PieceFunction = (...args: never[]) => unknown;

/** A line that readers write inside a lesson. */
export interface Piece<F extends PieceFunction> {
  /** The lesson's own. */
  readonly ours: F;
  /** Arguments of the tries, the plainest first. */
  readonly tries: readonly Parameters<F>[];
  /** Common mistakes, each with the sentence that names it. */
  readonly mistakes: readonly (readonly [sentence: string, run: F])[];
}

type Anything = (...args: unknown[]) => unknown;

/**
 * States in a sentence where an answer is not right yet; undefined if it is.
 *
 * It shows the first try that fails, and names the mistake if the answer agrees with a common one in all tries.
 */
export function problemOf<F extends PieceFunction>(piece: Piece<F>, answer: unknown): string | undefined {
  if (typeof answer !== "function")
    return `it must be a function, got ${answer === null ? "null" : typeof answer}.`;
  const tries = piece.tries as readonly (readonly unknown[])[];
  const results: unknown[] = [];
  for (const args of tries) {
    const given = args.map(copyOf);
    try {
      const result = (answer as Anything)(...given);
      // A promise is no number; what becomes of it must not end the kernel.
      if (result instanceof Promise) result.catch(() => undefined);
      results.push(result);
    } catch (error) {
      return `for ${shown(args)} it throws "${error instanceof Error ? error.message : String(error)}".`;
    }
    if (!same(given, args)) return "it changes what it was given; return something new instead.";
  }
  if (results.every((result) => result === undefined)) return "nothing is returned yet.";
  const due = tries.map((args) => (piece.ours as unknown as Anything)(...args.map(copyOf)));
  const wrong = results.findIndex((result, i) => !same(result, due[i]));
  if (wrong < 0) return undefined;
  const form = formProblem(results[wrong], due[wrong]);
  if (form !== undefined) return `for ${shown(tries[wrong]!)} ${form}`;
  const mistake = piece.mistakes.find(([, run]) =>
    tries.every((args, i) => same(results[i], (run as unknown as Anything)(...args.map(copyOf)))),
  );
  const numbers = `for ${shown(tries[wrong]!)} it returns ${shown([results[wrong]])}, and ${shown([due[wrong]])} is right.`;
  return mistake === undefined ? numbers : `${mistake[0]} ${capital(numbers)}`;
}

const copyOf = (x: unknown): unknown => (Array.isArray(x) ? x.map(copyOf) : x);

function same(a: unknown, b: unknown): boolean {
  if (typeof a === "number" && typeof b === "number") return close(a, b);
  if (!isNumbers(a) && !Array.isArray(a)) return a === b;
  const [x, y] = [Array.from(a as ArrayLike<unknown>), b as ArrayLike<unknown>];
  return (isNumbers(b) || Array.isArray(b)) && x.length === y.length && x.every((one, i) => same(one, y[i]));
}

function formProblem(result: unknown, due: unknown): string | undefined {
  if (typeof due === "number") return typeof result === "number" ? undefined : `it must return a number.`;
  if (!isNumbers(result)) return "it must return a list of numbers.";
  const [got, wanted] = [result.length, (due as ArrayLike<number>).length];
  return got === wanted ? undefined : `it must return ${String(wanted)} numbers, got ${String(got)}.`;
}

/** Arguments or a result, as short as they can be read. */
const shown = (args: readonly unknown[]): string => args.map(one).join(", ");

function one(x: unknown): string {
  if (typeof x === "number") return String(Number(x.toPrecision(3))).replace("-", "−");
  if (isNumbers(x)) return `[${Array.from(x).map(one).join(", ")}]`;
  return String(x);
}

const capital = (words: string): string => words[0]!.toUpperCase() + words.slice(1);
