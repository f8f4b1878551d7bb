import path from "node:path";
import { Complaint } from "../../../bootstrap/steps.cjs";
import { command } from "../command.js";

const ended = (errors: number): string =>
  errors === 0 ? "" : `, ${String(errors)} ${errors === 1 ? "cell" : "cells"} ended in an error`;

export const run = command({
  about: `Executes notebooks (default: all in notebooks/) in order, each in a new kernel, and writes each executed notebook and
an HTML page of it. A path is a notebook or a folder of notebooks.`,
  positionals: "[paths...]",
  options: {
    parameter: {
      type: "string",
      short: "p",
      multiple: true,
      value: "<name=value>",
      help: 'set a variable of the cell tagged "parameters"',
    },
    write: { type: "boolean", help: "store the outputs in the notebooks themselves" },
    "allow-errors": {
      type: "boolean",
      help: "run all cells despite errors, and keep the errors in the results",
    },
    out: { type: "string", value: "<folder>", help: "folder for the results (default: build/notebooks)" },
    timeout: {
      type: "string",
      former: "budget",
      value: "<seconds>",
      default: "180",
      help: "time limit for each notebook (default: 180)",
    },
  },
  run: async ({ values, positionals }, { root }) => {
    const seconds = Number(values.timeout);
    if (!(seconds > 0)) {
      throw new Complaint(
        `Cannot run notebooks: --timeout must be a number of seconds above 0, got ${values.timeout}.`,
      );
    }
    if (values.write && values.parameter.length > 0) {
      throw new Complaint(
        "Cannot run notebooks: --write must store the notebook's own values, but -p changes them.",
      );
    }
    const { findNotebooks } = await import("../notebook-files.js");
    const { runNotebooks } = await import("../run-notebooks.js");
    const { parseParameter } = await import("../../runner/parameters.js");
    const parameters = Object.fromEntries(values.parameter.map(parseParameter));
    const files = findNotebooks(positionals.length > 0 ? positionals : [path.join(root, "notebooks")]);
    const { failed, errors } = await runNotebooks(files, {
      parameters,
      write: values.write,
      allowErrors: values["allow-errors"],
      out: path.resolve(values.out ?? path.join(root, "build", "notebooks")),
      budgetMs: seconds * 1000,
    });
    const passed = files.length - failed;
    process.stdout.write(
      `${passed === 1 ? "1 notebook" : `${String(passed)} notebooks`} passed, ${String(failed)} failed${ended(errors)}\n`,
    );
    return failed === 0 ? 0 : 1;
  },
});
