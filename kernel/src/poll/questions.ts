import fs from "node:fs";
import path from "node:path";
import { Complaint } from "../../bootstrap/steps.cjs";
import { foldsOf } from "../../labextension/static/predictions.js";
import { suggest } from "../help/suggest.js";
import { readNotebook, type Notebook } from "../runner/notebook.js";
import type { Question } from "./poll.js";

const letters = "abcdefgh";

/** Longest text of a question or a choice on the command line. */
const longest = 300;

/** The lessons of a folder, by their numbers. */
function lessonsIn(root: string): Map<string, string> {
  const folder = path.join(root, "notebooks");
  const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  return new Map(
    names
      .filter((name) => /^\d\d-.*\.ipynb$/.test(name))
      .sort()
      .map((name) => [name.slice(0, 2), path.join(folder, name)]),
  );
}

/**
 * The questions that a command line asks: the predictions of lessons, each given by its number, its name or its file, or one question whose
 * choices are the arguments.
 *
 * @throws {Complaint} if there is no lesson, no prediction or not enough choices
 */
export function questionsOf(
  given: readonly string[],
  { root, ask }: { root: string; ask?: string },
): Question[] {
  if (ask !== undefined) return [ownQuestion(ask, given)];
  const lessons = lessonsIn(root);
  const files = given.map((one) => fileOf(one, root, lessons));
  if (given.length > 1 && files.every((file) => file === undefined)) return [ownQuestion("", given)];
  return given.length > 0
    ? given.flatMap((one, i) => predictionsIn(files[i] ?? missing(one, lessons)))
    : complain(lessons);
}

/** The notebook that an argument names; undefined if it names none. */
function fileOf(given: string, root: string, lessons: ReadonlyMap<string, string>): string | undefined {
  if (given.endsWith(".ipynb")) return path.resolve(root, given);
  const number = /^\d$/.test(given) ? `0${given}` : given;
  return lessons.get(number) ?? [...lessons.values()].find((file) => path.basename(file, ".ipynb") === given);
}

function complain(lessons: ReadonlyMap<string, string>): never {
  throw new Complaint(
    "Cannot start a poll: there must be a lesson or at least two choices, got neither.",
    `For example: turnwise poll ${[...lessons.keys()][0] ?? "lesson.ipynb"}, or: turnwise poll --ask "Does it fall?" yes no`,
  );
}

function missing(given: string, lessons: ReadonlyMap<string, string>): never {
  const names = [...lessons.values()].map((file) => path.basename(file, ".ipynb"));
  const [near] = suggest(given, names);
  const known =
    lessons.size === 0 ? "notebooks/ has no lesson" : `the lessons are ${[...lessons.keys()].join(", ")}`;
  throw new Complaint(
    `Cannot start a poll: "${given}" is no lesson, and one choice alone is no question; ${known}.`,
    near === undefined
      ? "To ask something else, give at least two choices."
      : `Did you mean: turnwise poll ${near}`,
  );
}

function ownQuestion(question: string, choices: readonly string[]): Question {
  if (choices.length < 2 || choices.length > letters.length)
    throw new Complaint(
      `Cannot start a poll: a question must have 2 to ${String(letters.length)} choices, got ${String(choices.length)}.`,
    );
  for (const text of [question, ...choices])
    if (text.length > longest)
      throw new Complaint(
        `Cannot start a poll: a text must have at most ${String(longest)} characters, got ${String(text.length)}.`,
      );
  const empty = choices.findIndex((text) => text.trim() === "");
  if (empty >= 0) throw new Complaint(`Cannot start a poll: choice ${String(empty + 1)} must not be empty.`);
  const twice = choices.find((text, i) => choices.indexOf(text) !== i);
  if (twice !== undefined)
    throw new Complaint(`Cannot start a poll: choices must differ, got "${twice}" twice.`);
  return { place: "", question, choices: choices.map((text, i) => ({ letter: letters[i]!, text })) };
}

/** The predictions of a notebook that have choices, in order. */
function predictionsIn(file: string): Question[] {
  const { cells } = readable(file);
  const [, title = path.basename(file, ".ipynb")] = /^# +(.+?) *$/m.exec(cells[0]?.source ?? "") ?? [];
  const number = /^\d\d(?=-)/.exec(path.basename(file))?.[0];
  const lesson = [number, title.replace(/[`*_]/g, "")].filter(Boolean).join(" ");
  const folds = foldsOf(cells.map(({ cell_type: type, source }) => ({ type, source })));
  const questions = folds
    .filter(({ options }) => options.length > 1)
    .map(({ question, options, section, cell }): Question => {
      const { answer } = (cells[cell]!.metadata["turnwise"] ?? {}) as { answer?: unknown };
      const isKnown = options.some(({ letter }) => letter === answer);
      return {
        place: section === undefined ? lesson : `${lesson}, section ${section}`,
        question,
        choices: options,
        ...(isKnown && { answer: answer as string }),
      };
    });
  if (questions.length === 0)
    throw new Complaint(
      `Cannot start a poll: ${file} has no prediction with choices.`,
      'A prediction is a quote that begins "> **Predict.**" and ends with lines "> - (a) ...".',
    );
  return questions;
}

/** @throws {Complaint} if the file holds no notebook */
function readable(file: string): Notebook {
  let reason: string;
  try {
    const notebook = readNotebook(file) as Partial<Notebook> | null;
    const isWhole = (cell: { source?: unknown; metadata?: unknown } | null): boolean =>
      typeof cell?.source === "string" && typeof cell.metadata === "object" && cell.metadata !== null;
    if (Array.isArray(notebook?.cells) && notebook.cells.every(isWhole)) return notebook as Notebook;
    reason = "it must be a notebook of format 4";
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    if (error instanceof SyntaxError) reason = `it must be JSON: ${message}`;
    else reason = code === undefined ? "it must be a notebook of format 4" : message;
  }
  throw new Complaint(`Cannot start a poll: cannot read ${file}: ${reason}`);
}
