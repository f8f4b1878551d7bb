import type { Row } from "../row";

/** Reads one form of report that takes several lines of a console. */
export interface Blocks {
  /**
   * The rows that a line completes; undefined if the line is no part of a report.
   *
   * @param indented the line with the blanks before it
   */
  push(line: string, indented?: string): Row[] | undefined;
  /** The report that no line has ended. */
  end(): Row[];
}
