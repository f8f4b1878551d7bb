import { power } from "../../base/elementary/power";
import { createRng } from "../../base/rng";

export interface CodebreakerTask {
  readonly id: string;
  readonly level: number;
  /** Digits are 0 .. digits - 1; the interpreter knows them by these names. */
  readonly digits: number;
  readonly code: readonly number[];
}

/** Number of digits and length of a code. */
const LEVELS = [
  { digits: 3, length: 2 },
  { digits: 4, length: 3 },
  { digits: 5, length: 4 },
];

export const CODEBREAKER_LEVELS = LEVELS.length;

/** Distinct codes, in random order; never more than there are (9, 64 and 625). The same seed gives the same tasks. */
export function codebreakerTasks(level: number, count: number, seed = 0): CodebreakerTask[] {
  const { digits, length } = LEVELS[level - 1]!;
  const codes = Array.from({ length: power(digits, length) }, (_, i) =>
    Array.from({ length }, (_, place) => Math.floor(i / power(digits, place)) % digits),
  );
  return createRng(seed)
    .split("codebreaker", level)
    .shuffle(codes)
    .slice(0, count)
    .map((code, i) => ({ id: `codebreaker-${level}-${i}`, level, digits, code }));
}

/** @throws {RangeError} if codes differ in length or alphabet, or a digit is out of range */
export function expectCodebreakerTasks(id: string, tasks: readonly CodebreakerTask[]): void {
  for (const { id: task, digits, code } of tasks) {
    const good =
      Number.isInteger(digits) &&
      digits >= 2 &&
      digits <= 9 &&
      digits === tasks[0]!.digits &&
      code.length >= 1 &&
      code.length === tasks[0]!.code.length &&
      code.every((digit) => Number.isInteger(digit) && digit >= 0 && digit < digits);
    if (good) continue;
    throw new RangeError(
      `Cannot make ${id}: all codes must have one length and digits from 0 to the same number below 9, ` +
        `but "${task}" is ${code.join(" ")} of ${digits} digits.`,
    );
  }
}
