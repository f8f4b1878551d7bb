import { isNumbers, type Kind } from "./diagnose";
import type { Rng } from "turnwise/internal/base/rng";

/** Eight hidden inputs of one kind. */
export const eight = <Input>(rng: Rng, name: string, make: (rng: Rng) => Input): Kind<Input>["inputs"] =>
  Array.from({ length: 8 }, (_, i) => make(rng.split(name, i)));

export const formOfNumber = (output: unknown): string | undefined =>
  typeof output === "number" ? undefined : `it must return a number; it returned ${typeof output}.`;

export function formOfNumbers(output: unknown, count: number, of: string): string | undefined {
  if (!isNumbers(output)) return "it must return a list of numbers.";
  if (output.length === count) return undefined;
  return `it must return one number for each ${of}; it returned ${String(output.length)} for ${String(count)}.`;
}
