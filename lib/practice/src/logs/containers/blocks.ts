import type { Row } from "../row";
import { ArealTables } from "./arealTables";
import { MlxReports } from "./mlxReports";
import { NemoReports } from "./nemoReports";
import { NotebookTables } from "./notebookTables";

/** Reads one form of report that takes several lines of a console. */
export interface Blocks {
  /** The rows that a line completes; undefined if the line is no part of a report. */
  push(line: string): Row[] | undefined;
  /** The report that no line has ended. */
  end(): Row[];
}

/** Reads the reports of all trainers that print one over several lines. */
export function blockReader(): Blocks {
  const forms: readonly Blocks[] = [
    new MlxReports(),
    new NemoReports(),
    new ArealTables(),
    new NotebookTables(),
  ];
  return {
    push: (line) => {
      const pushed = forms.map((form) => form.push(line)).filter((rows) => rows !== undefined);
      return pushed.length === 0 ? undefined : pushed.flat();
    },
    end: () => forms.flatMap((form) => form.end()),
  };
}
