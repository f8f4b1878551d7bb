/** What the three students get for an exercise, and what the one who is wrong is told. */
export interface ExerciseGrades {
  readonly name: string;
  readonly right: string;
  readonly wrong: string;
  readonly empty: string;
  readonly told: string;
}

/** The table of the teachers' README. */
export function gradesTable(grades: readonly ExerciseGrades[]): string {
  const lines = grades.map(({ name, right, wrong, empty, told }) => {
    const sentence = told.replace(/^\w+: /, "");
    return `| \`${name}\` | ${[right, wrong, empty, sentence].join(" | ")} |`;
  });
  const head = [
    "| notebook | right | wrong | empty | the wrong one is told |",
    "| --- | --- | --- | --- | --- |",
  ];
  return [...head, ...lines].join("\n");
}

const marked = /(<!-- grades -->\n\n)([^]*?)(\n\n<!-- \/grades -->)/;

/** The table in the text of the README. */
export const gradesIn = (readme: string): string => marked.exec(readme)![2]!;

/** The README with another table. */
export const withGrades = (readme: string, table: string): string =>
  readme.replace(marked, (_, before: string, _old, after: string) => before + table + after);

/** As Prettier writes the table, and as one reads it here. */
export const narrow = (table: string): string =>
  table.replace(/ +\|/g, " |").replace(/\| +/g, "| ").replace(/-{3,}/g, "---").trim();
