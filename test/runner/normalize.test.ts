import assert from "node:assert/strict";
import fc from "fast-check";
import { normalize } from "turnwise-kernel/dist/runner/normalize.js";
import { parseNotebook, stringifyNotebook, type Cell } from "turnwise-kernel/dist/runner/notebook.js";
import { notebookProblems } from "turnwise-kernel/dist/runner/validate.js";
import { code, markdown, notebookOf } from "../support/notebook.js";

describe("a notebook as it is committed", () => {
  it("counts its executed cells 1, 2, 3 and leaves the others without a count", () => {
    const cells = [code("a"), code("b"), code("c"), code("d")];
    [7, null, 12, 40].forEach((count, i) => {
      cells[i].execution_count = count;
    });
    cells[2].outputs = [{ output_type: "execute_result", execution_count: 12, data: {}, metadata: {} }];
    const result = normalize(notebookOf(...cells));
    assert.deepEqual(
      result.cells.map((cell) => cell.execution_count),
      [1, null, 2, 3],
    );
    assert.deepEqual(result.cells[2].outputs, [
      { output_type: "execute_result", execution_count: 2, data: {}, metadata: {} },
    ]);
  });

  it("keeps valid ids, and derives missing, invalid and duplicate ones from the text, always the same", () => {
    const make = (): Cell[] => {
      const cells = [code("a"), code("b"), code("c"), code("c")];
      (["keep-me", undefined, "not valid", "keep-me"] as const).forEach((id, i) => {
        cells[i].id = id;
      });
      return cells;
    };
    const once = normalize(notebookOf(...make()));
    const again = normalize(notebookOf(...make()));
    assert.deepEqual(once, again);
    assert.equal(once.cells[0].id, "keep-me");
    assert.equal(new Set(once.cells.map((cell) => cell.id)).size, 4);
    assert.deepEqual(notebookProblems(once), []);
  });

  it("holds nothing that changes from run to run", () => {
    const cell = code("a");
    Object.assign(cell.metadata, {
      execution: { "iopub.status.busy": "2026-01-01" },
      scrolled: true,
      tags: ["keep"],
    });
    const result = normalize(notebookOf(cell), {
      name: "typescript",
      version: "5.9.3",
      file_extension: ".ts",
    });
    assert.deepEqual(result.cells[0].metadata, { tags: ["keep"] });
    assert.deepEqual(result.metadata.language_info, { name: "typescript", file_extension: ".ts" });
  });

  it("leaves out a display that shows nothing any more, such as the bar of work that is done", () => {
    const cell = code("a");
    const shown = (text: string | string[]) => ({
      output_type: "display_data" as const,
      data: { "text/html": text, "text/plain": text },
      metadata: {},
    });
    cell.outputs = [shown(""), shown("kept"), shown([])];
    assert.deepEqual(normalize(notebookOf(cell)).cells[0].outputs, [shown("kept")]);
  });

  it("does not change when it is normalized again", () => {
    const cells = fc.array(
      fc.record({
        source: fc.string(),
        id: fc.option(fc.string(), { nil: undefined }),
        count: fc.option(fc.nat()),
      }),
    );
    fc.assert(
      fc.property(cells, (specs) => {
        const notebook = notebookOf(
          ...specs.map(({ source, id, count }) => ({ ...code(source), id, execution_count: count })),
        );
        const once = normalize(notebook);
        assert.deepEqual(normalize(once), once);
        assert.deepEqual(notebookProblems(once), []);
      }),
    );
  });
});

describe("a notebook file", () => {
  it("reads back as it was written, whatever its texts hold", () => {
    const text = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(text, text, text, (source, printed, html) => {
        const cell = code(source);
        cell.outputs = [
          { output_type: "stream", name: "stdout", text: printed },
          {
            output_type: "display_data",
            data: { "text/html": html, "application/json": { a: ["x\n"] } },
            metadata: {},
          },
        ];
        const notebook = notebookOf(cell, markdown(source));
        assert.deepEqual(parseNotebook(stringifyNotebook(notebook)), notebook);
      }),
    );
  });

  it("looks as Jupyter writes it: one space, sorted keys, one line of text per entry, newline at the end", () => {
    const text = stringifyNotebook(
      notebookOf({ id: "a", cell_type: "markdown", source: "x\ny", metadata: {} }),
    );
    const lines = [
      "{",
      ' "cells": [',
      "  {",
      '   "cell_type": "markdown",',
      '   "id": "a",',
      '   "metadata": {},',
      '   "source": [',
      '    "x\\n",',
      '    "y"',
      "   ]",
      "  }",
      " ],",
      ' "metadata": {},',
      ' "nbformat": 4,',
      ' "nbformat_minor": 5',
      "}",
      "",
    ];
    assert.equal(text, lines.join("\n"));
  });
});
