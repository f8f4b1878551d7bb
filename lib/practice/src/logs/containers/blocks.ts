import { ArealTables } from "./arealTables";
import type { Blocks } from "./block";
import { LabelledLines } from "./labelledLines";
import { MlxReports } from "./mlxReports";
import { NemoReports } from "./nemoReports";
import { NotebookTables } from "./notebookTables";
import { PairLines } from "./pairLines";
import { StepReports } from "./stepReports";

/** Reads the reports of all trainers that print one over several lines. */
export function blockReader(): Blocks {
  const forms: readonly Blocks[] = [
    new MlxReports(),
    new NemoReports(),
    new ArealTables(),
    new NotebookTables(),
    new PairLines(),
    new LabelledLines(),
    new StepReports(),
  ];
  return {
    push: (line, indented) => {
      const pushed = forms.map((form) => form.push(line, indented)).filter((rows) => rows !== undefined);
      return pushed.length === 0 ? undefined : pushed.flat();
    },
    end: () => forms.flatMap((form) => form.end()),
  };
}
