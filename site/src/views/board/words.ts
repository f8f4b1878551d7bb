import { gainOf, type Score } from "./scores";

/** A score with two digits; one that is 0 with them has no sign. */
export const two = (x: number): string =>
  x
    .toFixed(2)
    .replace(/^-0\.00$/, "0.00")
    .replace("-", "−");

/** A change in words, such as "gate.clipHigh 0.3". */
export const changeWords = (change: string): string => change.replace("~", " ");

/** Whether a change is one of the gate, which a gate that the reader wrote replaces. */
export const isOfGate = (change: string): boolean => /^gate\b/.test(change);

/** A rule's name with its change. */
export const ruleWords = (title: string, change: string, isOwnGate: boolean): string =>
  [title, isOwnGate && isOfGate(change) ? "" : changeWords(change), isOwnGate ? "gate of yours" : ""]
    .filter((part) => part !== "")
    .join(", ");

/** The value that a field is first changed to: of numbers the one nearest to the rule's own. */
export function nearestTo(own: string, values: readonly string[]): string {
  const distance = (value: string): number => Math.abs(Number(value) - Number(own));
  return values.reduce((a, b) => (distance(b) < distance(a) ? b : a));
}

/** The finding of the page, in a sentence. */
export function finding(name: string, place: number, count: number, { overall }: Score): string {
  return `${name}: place ${place} of ${count}, with a score of ${two(overall)}`;
}

/** Whether the change helped, on the same seeds. */
export function gainWords(title: string, own: Score, base: Score): string {
  const { gain, low, high } = gainOf(own, base);
  const interval = `${two(gain)} [${two(low)}, ${two(high)}]`;
  if (low > 0) return `It scores higher than ${title} by ${interval} on the same twenty seeds.`;
  if (high < 0) return `It scores lower than ${title}: ${interval} on the same twenty seeds.`;
  return `No difference from ${title} is shown: ${interval} on the same twenty seeds.`;
}
