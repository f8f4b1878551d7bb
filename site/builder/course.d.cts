/** A notebook of the course, as far as tests read it. */
interface CourseNotebook {
  readonly name: string;
  readonly number: string;
  readonly title: string;
  readonly minutes: number | undefined;
  readonly before: readonly string[];
  readonly headings: readonly string[];
  readonly predictions: readonly {
    readonly key: string;
    readonly section: string | undefined;
    readonly answer: string | undefined;
  }[];
}

export interface Course {
  readonly lessons: readonly CourseNotebook[];
  readonly exercises: readonly CourseNotebook[];
  readonly appendices: readonly CourseNotebook[];
  readonly solutions: readonly CourseNotebook[];
}

/** Reads the course from a folder that holds notebooks/. */
export function readCourse(contents: string): Course;
/** The row of each lesson on the map, by its number. */
export function levelsOf(
  lessons: readonly Pick<CourseNotebook, "number" | "before">[],
): ReadonlyMap<string, number>;
