/** A lesson, as the first page knows it. */
export interface Lesson {
  readonly name: string;
  readonly number: string;
  readonly title: string;
  readonly href: string;
  /** Its predictions in order, by the names under which the reader's choices are kept. */
  readonly predictions: readonly { readonly key: string; readonly section: string }[];
}

/** The reader's place as the browser keeps it: the lesson opened last, and the lessons that the reader has marked, or unmarked. */
export interface Kept {
  readonly last?: string;
  readonly done: Readonly<Record<string, boolean>>;
}

/** A reader's progress in a lesson. */
export interface Progress {
  readonly made: number;
  readonly of: number;
  /** The reader's mark; without one, whether each prediction was made. */
  readonly done: boolean;
  /** The section of the first prediction that is not made, "" if it has no number. */
  readonly next: string | undefined;
}

/** Reads a stored text, into which another version, an extension or a person may have written anything. */
export function readKept(text: string | null): Kept {
  const { last, done } = record(text);
  const marks = typeof done === "object" && done !== null ? Object.entries(done) : [];
  return {
    ...(typeof last === "string" && { last }),
    done: Object.fromEntries(marks.filter((one): one is [string, boolean] => typeof one[1] === "boolean")),
  };
}

/** The reader's choices by prediction, as the notebooks keep them. */
export function readChoices(text: string | null): Readonly<Record<string, unknown>> {
  return record(text);
}

function record(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

export function progressOf(
  { name, predictions }: Lesson,
  kept: Kept,
  choices: Readonly<Record<string, unknown>>,
): Progress {
  const isMade = ({ key }: { key: string }): boolean =>
    Object.hasOwn(choices, key) && typeof choices[key] === "string";
  const made = predictions.filter(isMade).length;
  const all = predictions.length > 0 && made === predictions.length;
  return {
    made,
    of: predictions.length,
    done: Object.hasOwn(kept.done, name) ? kept.done[name]! : all,
    next: predictions.find((one) => !isMade(one))?.section,
  };
}

/**
 * The lesson to go on with: the one opened last, or, if that is done, the first after it that is not. Undefined for whoever has not begun,
 * and for whoever has done everything.
 */
export function continuation(
  lessons: readonly Lesson[],
  kept: Kept,
  progress: (lesson: Lesson) => Progress,
): Lesson | undefined {
  const begun = lessons.findLastIndex((one) => progress(one).made > 0 || progress(one).done);
  const last = lessons.findIndex(({ name }) => name === kept.last);
  const at = last < 0 ? begun : last;
  if (at < 0) return undefined;
  const inOrder = [...lessons.slice(at), ...lessons.slice(0, at)];
  return inOrder.find((one) => !progress(one).done);
}
