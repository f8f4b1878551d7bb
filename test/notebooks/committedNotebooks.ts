// Uses internals of turnwise-kernel/cli.
import path from "node:path";
import { findNotebooks } from "turnwise-kernel/dist/cli/notebook-files.js";
import { solutions } from "../support/courseFiles.js";
import { root } from "../support/paths.js";

export const folder: string = path.join(root, "notebooks");

/** Every notebook of the course: its file, and its name as a path below `notebooks`, or below `solutions` for a solution. */
export const notebooks: readonly { readonly file: string; readonly name: string }[] = [
  ...findNotebooks([folder]),
  ...[...solutions].map(([name, file]) => ({ file, name: path.join("solutions", name) })),
];

export const isLesson = ({ name }: { readonly name: string }): boolean => /^\d\d-/.test(name);
export const isAppendix = ({ name }: { readonly name: string }): boolean => name.startsWith("appendix");

/** No notebook of the course may take longer. */
export const budgetMs = 180_000;
