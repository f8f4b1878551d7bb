import type { Course } from "./course.cjs";

/** The entries of the search, as `[kind, title, text, address]`. */
export function searchIndex(
  course: Course,
  views: Readonly<Record<string, { title: string; text: string }>>,
): [string, string, string, string][];
