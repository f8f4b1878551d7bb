import assert from "node:assert/strict";
import fc from "fast-check";
import { formatCsv, parseCsv, parseCsvLine } from "turnwise/internal/base/csv";

describe("CSV", () => {
  it("names each cell by its column, as text, and leaves empty cells empty", () => {
    assert.deepEqual(parseCsv("a table", "a,b\n1,\n,x y\n"), [
      { a: "1", b: "" },
      { a: "", b: "x y" },
    ]);
  });

  it("reads quoted cells with commas, doubled quotes and line breaks", () => {
    assert.deepEqual(parseCsv("a table", 'a,b\n"1,5","say ""hi""\nthere"\n'), [
      { a: "1,5", b: 'say "hi"\nthere' },
    ]);
    assert.deepEqual(parseCsvLine('"1,5",,x'), ["1,5", "", "x"]);
  });

  it("says which line has too many or too few cells", () => {
    assert.throws(() => parseCsv("ragen.csv", "a,b\n1,2\n3\n"), {
      name: "RangeError",
      message: "Cannot read ragen.csv: every line must have 2 cells, but line 3 has 1.",
    });
  });

  it("writes a head line even when there are no rows", () => {
    assert.equal(formatCsv(["a", "b"], []), "a,b\n");
  });

  it("gives back what it wrote", () => {
    // A line of one empty cell is an empty line, which no reader can tell from no line: two columns at least. Blank space at
    // both ends of a text is not data.
    const cell = fc.string().map((text) => `.${text}.`);
    fc.assert(
      fc.property(fc.array(fc.record({ a: cell, b: cell }, { noNullPrototype: true })), (rows) => {
        assert.deepEqual(parseCsv("a table", formatCsv(["a", "b"], rows)), rows);
      }),
    );
  });
});
