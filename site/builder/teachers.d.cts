import type { Course } from "./course.cjs";

/** Writes the pages for teachers below `out`/teachers, and their decks unless `decks` is false. */
export function writeTeachers(
  root: string,
  contents: string,
  course: Course,
  out: string,
  o?: { decks?: boolean },
): Promise<void>;
