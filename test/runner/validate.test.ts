import assert from "node:assert/strict";
import type { Cell, Notebook } from "turnwise-kernel/dist/runner/notebook.js";
import { notebookProblems } from "turnwise-kernel/dist/runner/validate.js";
import { code, markdown, notebookOf } from "../support/notebook.js";

/** A valid notebook with one thing changed. */
function broken(change: (notebook: Notebook, cell: Cell & Record<string, unknown>) => void): string[] {
  const notebook = notebookOf(code("1"), markdown("# A"));
  notebook.cells[0].outputs = [{ output_type: "stream", name: "stdout", text: "1\n" }];
  change(notebook, notebook.cells[0] as Cell & Record<string, unknown>);
  return notebookProblems(notebook);
}

describe("the rules of notebook format 4.5", () => {
  it("pass a valid notebook", () => {
    assert.deepEqual(
      broken(() => undefined),
      [],
    );
  });

  const cases: [string, (notebook: Notebook, cell: Cell & Record<string, unknown>) => void, string][] = [
    [
      "an older format",
      (n) => {
        n.nbformat_minor = 4;
      },
      "nbformat must be 4.5, got 4.4",
    ],
    [
      "a missing id",
      (_n, c) => {
        delete c.id;
      },
      "cells[0].id must be 1 to 64 letters, digits, - or _",
    ],
    [
      "an id of 65 letters",
      (_n, c) => {
        c.id = "a".repeat(65);
      },
      "cells[0].id must be 1 to 64 letters, digits, - or _",
    ],
    [
      "a doubled id",
      (n, c) => {
        n.cells[1].id = c.id;
      },
      `cells[1].id must be unique`,
    ],
    [
      "an unknown kind of cell",
      (n) => {
        (n.cells[1] as { cell_type: string }).cell_type = "heading";
      },
      "cells[1].cell_type must be code, markdown or raw",
    ],
    [
      "code without outputs",
      (_n, c) => {
        delete c.outputs;
      },
      "cells[0].outputs must be a list",
    ],
    [
      "outputs on Markdown",
      (n) => {
        n.cells[1].outputs = [];
      },
      "cells[1].outputs must not be there; known are id, cell_type, metadata, source, attachments",
    ],
    [
      "an unknown output",
      (_n, c) => {
        c.outputs = [{ output_type: "pyout" } as never];
      },
      "cells[0].outputs[0] must have an output_type of stream, display_data, execute_result, error",
    ],
    [
      "an output with a field of the protocol",
      (_n, c) => {
        Object.assign(c.outputs![0], { transient: {} });
      },
      "cells[0].outputs[0].transient must not be there; known are output_type, name, text",
    ],
    [
      "a result without its count",
      (_n, c) => {
        c.outputs = [{ output_type: "execute_result", data: {}, metadata: {} } as never];
      },
      "cells[0].outputs[0].execution_count must be there",
    ],
    [
      "a negative count",
      (_n, c) => {
        c.execution_count = -1;
      },
      "cells[0].execution_count must be a count or null",
    ],
    [
      "a repeated tag",
      (_n, c) => {
        c.metadata.tags = ["a", "a"];
      },
      "cells[0].metadata.tags must not repeat a tag",
    ],
    [
      "a tag with a comma",
      (_n, c) => {
        c.metadata.tags = ["a,b"];
      },
      "cells[0].metadata.tags must be a list of strings without commas",
    ],
    [
      "a picture that is no text",
      (_n, c) => {
        c.outputs = [{ output_type: "display_data", data: { "image/png": 1 }, metadata: {} }];
      },
      `cells[0].outputs[0].data["image/png"] must be a string`,
    ],
    [
      "a kernelspec without its name",
      (n) => {
        n.metadata.kernelspec = { name: "turnwise" };
      },
      "metadata.kernelspec must have name and display_name",
    ],
    [
      "two cells of parameters",
      (n) => {
        n.cells.push(code("", "parameters"), code("", "parameters"));
      },
      `cells must have at most one cell tagged "parameters": 2`,
    ],
  ];
  for (const [what, change, problem] of cases) {
    it(`tell ${what}`, () => {
      const problems = broken(change);
      assert.equal(problems.length, 1, problems.join("\n"));
      assert.ok(problems[0].startsWith(problem), problems[0]);
    });
  }

  it("let JSON media types be objects", () => {
    const data = { "application/vnd.vegalite.v5+json": { mark: "bar" }, "text/plain": "chart" };
    assert.deepEqual(
      broken((_n, c) => {
        c.outputs = [{ output_type: "display_data", data, metadata: {} }];
      }),
      [],
    );
  });
});
