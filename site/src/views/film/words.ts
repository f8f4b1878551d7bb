import { LOOKUP, words, type Pass, type Reuse } from "./passes";

/** Below this probability the agent no longer learns about a word, since it hardly ever tries it. */
export const forgotten = 0.05;
/** A smaller change is none. */
const change = 0.05;

/** A probability as the page writes it: .78. */
export const share = (p: number): string => (p > 0.995 ? p.toFixed(3) : p.toFixed(2)).replace(/^0/, "");

const times = (ratio: number): string => (ratio < 10 ? ratio.toFixed(1) : String(Math.round(ratio)));

const passWords = (count: number): string => `${count} pass${count === 1 ? "" : "es"}`;

/** Course of the word LOOKUP over the passes. */
export interface Course {
  readonly start: number;
  readonly end: number;
  /** The pass after which it was likeliest. */
  readonly peak: number;
  /** The pass after which it was gone for good. */
  readonly gone: number | undefined;
}

export function courseOf(made: readonly Pass[]): Course {
  const course = made.map(({ first }) => first[LOOKUP]!);
  const peak = course.indexOf(Math.max(...course));
  const lastSeen = course.findLastIndex((p) => p >= forgotten);
  return {
    start: course[0]!,
    end: course.at(-1)!,
    peak,
    gone: lastSeen === course.length - 1 ? undefined : lastSeen + 1,
  };
}

/** The finding, in a sentence. */
export function finding(made: readonly Pass[], { clip }: Pick<Reuse, "clip">): string {
  const { start, end, peak, gone } = courseOf(made);
  const passes = made.length - 1;
  const rises = made[peak]!.first[LOOKUP]! > start + change;
  if (gone !== undefined)
    return rises
      ? `It learns the tool in ${passWords(peak)} and has forgotten it by pass ${gone}`
      : `It has forgotten the tool by pass ${gone}`;
  if (Number.isFinite(clip) && end > start - change) return `With the clip at ${clip}, it keeps the tool`;
  if (end > start + change)
    return peak === passes || end > made[peak]!.first[LOOKUP]! - change
      ? `It learns the tool in ${passWords(passes)}`
      : "It learns the tool, and unlearns some of it";
  if (end < start - change)
    return rises ? "It learns the tool, and unlearns it again" : "It uses the tool less and less";
  return `After ${passWords(passes)}, it uses the tool as often as before`;
}

/** The word other than LOOKUP that the agent says first most often in the end. */
export function winnerOf(made: readonly Pass[]): number {
  const { first } = made.at(-1)!;
  return [...first.keys()].filter((v) => v !== LOOKUP).reduce((a, b) => (first[b]! > first[a]! ? b : a));
}

/** Three sentences: what is done, what it brings, and what stops or does not stop it. */
export function sentences(made: readonly Pass[], { clip }: Pick<Reuse, "clip">): readonly string[] {
  const { start, end, peak, gone } = courseOf(made);
  const passes = made.length - 1;
  const top = made[peak]!.first[LOOKUP]!;
  const winner = winnerOf(made);
  const ratio = times(made.at(-1)!.ratio);
  const hasTaken = gone !== undefined && made.at(-1)!.first[winner]! > 0.5;
  const rise =
    top > start + change
      ? `Looking up was paid better than guessing, so its probability goes from ${share(start)} to ${share(top)} in ${passWords(peak)}.`
      : `Here the probability of looking up goes from ${share(start)} to ${share(end)}.`;
  const taken =
    winner > LOOKUP
      ? `“${words[winner]!}” begins no valid call, was paid only because others lost more,`
      : `“${words[winner]!}” was paid, too,`;
  const force = Number.isFinite(clip)
    ? `The clip stops pushing a word once it is ${Math.round(100 * clip)}% likelier than when it was sampled: ` +
      (hasTaken ? `too late here, as the largest ratio is ${ratio}.` : `the largest ratio is ${ratio}.`)
    : "Each pass multiplies a word’s pay by its ratio, new probability over old, so what has grown is pushed harder: " +
      (hasTaken
        ? `${taken} and ends at ${share(made.at(-1)!.first[winner]!)}.`
        : `the largest ratio is ${ratio}.`);
  return [
    `An untrained agent has tried 64 times, and the same 64 tries teach it ${passes === 1 ? "once" : `${passes} times`}.`,
    rise,
    force,
  ];
}
