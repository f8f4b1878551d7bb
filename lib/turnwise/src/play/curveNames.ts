/** Settings of a run, from some update on. */
export interface Look {
  readonly recipe: string;
  /** Of the fields that somebody has changed: the value, and the one that the recipe has there. */
  readonly changed: Readonly<Record<string, { readonly now: string; readonly inRow: string }>>;
  /** Settings that are not part of the rule: groups, groupSize, seed. */
  readonly others: Readonly<Record<string, string>>;
}

/** `update.optimizer.learningRate` is the learningRate to everybody. */
const shortCell = (path: string): string => path.replace(/^.*\./, "");

/**
 * Names runs by what they differ in: `grpo` and `rloo`, or `learningRate 0.03` and `learningRate 2`. What was changed while a
 * run went on is told with an arrow. A run that differs in nothing is called the same, again.
 *
 * @param runs of each run the looks that it had, one after the other
 */
export function curveNames(runs: readonly (readonly Look[])[]): string[] {
  const all = runs.flat();
  const fields = [...new Set(all.flatMap(({ changed }) => Object.keys(changed)))];
  const others = [...new Set(all.flatMap(({ others: own }) => Object.keys(own)))];
  const valueOf = (look: Look, field: string): string | undefined =>
    look.changed[field]?.now ??
    all.find(({ recipe, changed }) => recipe === look.recipe && changed[field])?.changed[field]!.inRow;
  const readers: { label: string; read: (look: Look) => string | undefined }[] = [
    { label: "", read: ({ recipe }) => recipe },
    ...fields.map((field) => ({ label: shortCell(field), read: (look: Look) => valueOf(look, field) })),
    ...others.map((name) => ({ label: name, read: ({ others: own }: Look) => own[name] })),
  ];
  const parts = runs.map((): string[] => []);
  for (const { label, read } of readers) {
    const courses = runs.map((looks) => courseOf(looks.map(read)));
    const differ = new Set(courses).size > 1;
    courses.forEach((course, i) => {
      const steered = course.includes("→");
      if (course === "" || !(differ || steered)) return;
      parts[i]!.push(label === "" ? course : `${label} ${course}`);
    });
  }
  const names = parts.map((own, i) => (own.length === 0 ? runs[i]!.at(-1)!.recipe : own.join(", ")));
  return names.map((name, i) => {
    const before = names.slice(0, i).filter((one) => one === name).length;
    return before === 0 ? name : `${name}, again${before === 1 ? "" : ` (${String(before)})`}`;
  });
}

/** Values one after the other, each told once; of many the first and the last. */
function courseOf(values: readonly (string | undefined)[]): string {
  const told = values.filter((value): value is string => value !== undefined);
  const course = told.filter((value, i) => i === 0 || value !== told[i - 1]);
  return (course.length > 3 ? [course[0], "…", course.at(-1)] : course).join(" → ");
}
