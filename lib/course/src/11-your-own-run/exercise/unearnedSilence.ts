import { createRng, type Rng } from "turnwise/internal/base/rng";
import { diagnose, type Kind, type Mistake } from "../../shared/exercise/diagnose";
import { eight } from "../../shared/exercise/numbers";
import type { Passed } from "../../shared/exercise/verdict";

/** A line of a log in TRL's names; lines of an evaluation have a step alone. */
interface LogLine {
  readonly step: number;
  readonly reward?: number;
  readonly frac_reward_zero_std?: number;
}

/** The step at which the alarm rings first; null if it never does. */
export type UnearnedSilenceAnswer = (lines: readonly LogLine[]) => number | null;

interface Shape {
  /** Steps from one line to the next. */
  readonly every?: number;
  /** Number of consecutive bad steps, now and then, while all is well. */
  readonly bad?: number;
  readonly falls?: boolean;
  /** Whether a line of an evaluation stands between two steps. */
  readonly evaluates?: boolean;
}

const threshold = 0.2;
const patience = 3;
const length = 48;

/** A run that learns, is quiet since it has solved its task, and then perhaps falls: groups agree on what is wrong. */
function logOf(rng: Rng, { every = 1, bad = 1, falls = true, evaluates = false }: Shape): LogLine[] {
  const fall = falls ? 34 + rng.below(8) : Infinity;
  const start = 8 + rng.below(4);
  return Array.from({ length }, (_, i): LogLine[] => {
    const jitter = 0.04 * (rng.next() - 0.5);
    const learned = Math.min(1, i / 20);
    const wasBad = i >= start && (i - start) % 9 < bad && i < fall;
    const reward = i >= fall ? 0.3 : 0.1 + 0.8 * learned;
    // While it learns, groups disagree more than a share of successes would let one think.
    const agree = i >= fall ? 0.8 : wasBad ? reward + 0.35 : 0.9 * learned * learned;
    // The run was resumed, so that the places of lines are no steps.
    const step = (i + 11) * every;
    const line = { step, reward: reward + jitter, frac_reward_zero_std: Math.min(1, agree) };
    return evaluates ? [line, { step }] : [line];
  }).flat();
}

const kinds = (rng: Rng): Kind<readonly LogLine[]>[] => [
  { label: "a run that falls", inputs: eight(rng, "falls", (r) => logOf(r, {})) },
  {
    label: "a run that holds",
    inputs: eight(rng, "holds", (r) => logOf(r, { falls: false, bad: 0 })),
    sentence: "it rings in a run that has solved its task.",
  },
  {
    label: "two bad steps in a row",
    inputs: eight(rng, "bad", (r) => logOf(r, { falls: false, bad: 2 })),
  },
  {
    label: "a log of every tenth step",
    inputs: eight(rng, "tenth", (r) => logOf(r, { every: 10 })),
  },
  {
    label: "lines of an evaluation, which have neither of the two metrics",
    inputs: eight(rng, "evaluates", (r) => logOf(r, { evaluates: true })),
    sentence: "it lets a line of an evaluation, which has neither of the two metrics, end its count.",
  },
];

type Above = (line: Required<LogLine>) => boolean;

const isComplete = (line: LogLine): line is Required<LogLine> =>
  line.reward !== undefined && line.frac_reward_zero_std !== undefined;

/** The line of the log at which so many in a row have been above, counted from 0; -1 if there is none. */
function lineOf(lines: readonly LogLine[], above: Above, inARow = patience, ends = true): number {
  let count = 0;
  for (const [i, line] of lines.entries()) {
    if (!isComplete(line)) continue;
    if (above(line)) count++;
    else if (ends) count = 0;
    if (count === inARow) return i;
  }
  return -1;
}

const isSilent: Above = (line) => line.frac_reward_zero_std - line.reward > threshold;
const stepAt = (lines: readonly LogLine[], i: number): number | null => lines[i]?.step ?? null;
const right = (lines: readonly LogLine[]): number | null => stepAt(lines, lineOf(lines, isSilent));

const mistakes: readonly Mistake<readonly LogLine[], number | null>[] = [
  {
    sentence: "it rings at any silence: where all have solved their task, groups agree as well.",
    run: (lines) =>
      stepAt(
        lines,
        lineOf(lines, (line) => line.frac_reward_zero_std > threshold),
      ),
  },
  {
    sentence: "it rings at a single bad step; a healthy run has such steps, too.",
    run: (lines) => stepAt(lines, lineOf(lines, isSilent, 1)),
  },
  {
    sentence: "it rings after two bad steps in a row; three are asked for.",
    run: (lines) => stepAt(lines, lineOf(lines, isSilent, 2)),
  },
  {
    sentence: "it counts bad steps that are not in a row.",
    run: (lines) => stepAt(lines, lineOf(lines, isSilent, patience, false)),
  },
  {
    sentence: "it tells the place of the line in the log; its step is asked for.",
    run: (lines) => {
      const at = lineOf(lines, isSilent);
      return at < 0 ? null : at;
    },
  },
  {
    sentence: "it tells the first of the three steps; nobody knows then that two more will follow.",
    run: (lines) => {
      const complete = lines.filter(isComplete);
      return stepAt(complete, lineOf(complete, isSilent) - patience + 1);
    },
  },
  {
    sentence: "it turns the difference round: silence is what the reward does not explain.",
    run: (lines) =>
      stepAt(
        lines,
        lineOf(lines, (line) => line.reward - line.frac_reward_zero_std > threshold),
      ),
  },
  { sentence: "it never rings, not even after the fall.", run: () => null },
];

function form(output: unknown): string | undefined {
  if (output === null || (typeof output === "number" && Number.isFinite(output))) return undefined;
  return `it must return a step, or null; it returned ${output === undefined ? "undefined" : typeof output}.`;
}

/** The first step at which the share of groups that agree was more than .2 above the reward, three steps in a row. */
export function checkUnearnedSilence(answer: UnearnedSilenceAnswer): Passed {
  return diagnose<readonly LogLine[], number | null>({
    exercise: "unearnedSilence",
    kinds: kinds(createRng(1).split("unearnedSilence")),
    right,
    mistakes,
    form,
    same: (a, b) => a === b,
    call: (lines) => answer(lines.map((line) => ({ ...line }))),
  });
}
