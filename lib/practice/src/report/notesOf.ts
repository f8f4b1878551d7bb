import type { LogReader } from "../logs/logReader";

/** Notes on how a log was read, a sentence each. */
export function notesOf(reader: LogReader): string[] {
  const { counted, cut, passedOver, tooLate, zeros } = reader;
  return [
    ...(counted ? ["Its lines name no step, so they are counted from 1"] : []),
    ...(passedOver > 0
      ? [`${passedOver} printed dicts without a step or an epoch are not the trainer's and were not read`]
      : []),
    ...(cut !== undefined ? ["Its last line is cut off and was not read"] : []),
    ...(zeros > 0 ? [`${zeros} bytes of 0 at its start were not read`] : []),
    ...(tooLate > 0 ? [`${tooLate} lines came after their step and were not read`] : []),
  ];
}
