import { gainOf, type Score } from "./scores";

const two = (x: number): string => x.toFixed(2).replace("-", "−");

/** A change in words, such as "gate.clipHigh 0.3". */
export const changeWords = (change: string): string => change.replace("~", " ");

/** A rule's name with its change. */
export const ruleWords = (title: string, change: string, isOwnGate: boolean): string =>
  `${title}${change === "" ? "" : `, ${changeWords(change)}`}${isOwnGate ? ", gate of yours" : ""}`;

/** The finding of the page, in a sentence. */
export function finding(name: string, place: number, count: number, { overall }: Score): string {
  return `${name}: place ${place} of ${count}, at ${two(overall)}`;
}

/** Whether the change helped, on the same seeds. */
export function gainWords(title: string, own: Score, base: Score): string {
  const { gain, low, high } = gainOf(own, base);
  const interval = `${two(gain)} [${two(low)}, ${two(high)}]`;
  if (low > 0) return `It scores higher than ${title} by ${interval} on the same twenty seeds.`;
  if (high < 0) return `It scores lower than ${title}: ${interval} on the same twenty seeds.`;
  return `No difference from ${title} is shown: ${interval} on the same twenty seeds.`;
}
