/** The notebook of each exercise, in the order of the course. */
export const exerciseNotebooks: readonly (readonly [notebook: string, exercise: string])[] = [
  ["00-one-knob", "oneKnob"],
  ["01-group-advantage", "groupAdvantage"],
  ["01-leave-one-out", "leaveOneOut"],
  ["02-expected-push", "expectedPush"],
  ["03-seeupo-carry", "carry"],
  ["04-echo-trap", "echoTrap"],
  ["05-clip", "clipGate"],
  ["05-turn-ratio", "turnRatio"],
  ["06-the-mask", "maskedLoss"],
  ["06-worth-of-looking", "worthOfLooking"],
  ["07-verifier", "verifier"],
  ["08-information-gain", "informationGain"],
  ["09-two-shares", "twoShares"],
  ["10-log-prob", "tokenLogProb"],
  ["11-read-the-alarm", "unearnedSilence"],
];

const lessonOf = (notebook: string): string => notebook.slice(0, 2);

/** Next step after an exercise that passed, as a sentence. */
export function nextAfter(exercise: string): string {
  const at = exerciseNotebooks.findIndex(([, name]) => name === exercise);
  const [notebook] = exerciseNotebooks[at] ?? [];
  const [next] = exerciseNotebooks[at + 1] ?? [];
  if (notebook === undefined) return "";
  if (next === undefined) return "That was the last exercise of the course.";
  if (lessonOf(next) === lessonOf(notebook)) return `Next: exercise ${next}.`;
  return `Next: lesson ${lessonOf(next)}, then exercise ${next}.`;
}
