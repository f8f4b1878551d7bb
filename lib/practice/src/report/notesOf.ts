import type { LogReader } from "../logs/logReader";

/** Notes on how a log was read, a sentence each. */
export function notesOf(reader: LogReader): string[] {
  const { counted, cut, tooLate, zeros } = reader;
  const { barEnd, optimizerSteps = 0, passedOver = 0 } = reader.lines ?? {};
  const supervised = ["token_acc", "mean_token_accuracy"].find((name) => reader.has(name));
  return [
    ...(supervised !== undefined
      ? [`It has ${supervised}, as logs of supervised training do: only reinforcement learning is judged`]
      : []),
    ...(optimizerSteps > 1
      ? [
          `Rollouts have up to ${optimizerSteps} optimizer steps: a step here is a rollout, with the mean over its optimizer steps`,
        ]
      : []),
    ...(counted
      ? [
          `Its lines name no step, so they are counted from 1${barEnd === undefined ? "" : `, while its progress bar counts to ${barEnd}`}`,
        ]
      : []),
    ...(passedOver > 0
      ? [
          `${passedOver} printed ${passedOver === 1 ? "dict" : "dicts"} without a step or an epoch ${passedOver === 1 ? "is not the trainer's and was" : "are not the trainer's and were"} not read`,
        ]
      : []),
    ...(cut !== undefined ? ["Its last line is cut off and was not read"] : []),
    ...(zeros > 0 ? [`${zeros} bytes of 0 at its start were not read`] : []),
    ...(tooLate > 0 ? [`${tooLate} lines came after their step and were not read`] : []),
  ];
}
