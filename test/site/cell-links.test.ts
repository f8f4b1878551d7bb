import assert from "node:assert/strict";
import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { cellOf, linkTo } from "turnwise-site/internal/page/reader/link";

const page = "https://example.org/class/lab/index.html?path=notebooks/a.ipynb";
const holding = (value: unknown): string =>
  `${page}#turnwise-cell=${deflateRawSync(JSON.stringify(value)).toString("base64url")}`;

describe("a link that holds a cell", () => {
  it("gives back any text, and says nothing to a server", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 300 }), async (code) => {
        const link = await linkTo(page, { code, below: "some-id" });
        assert.match(link, /^[\x21-\x7e]+$/);
        assert.equal(new URL(link).search, "?path=notebooks/a.ipynb");
        assert.deepEqual(await cellOf(link), { code, below: "some-id" });
      }),
      { numRuns: 50 },
    );
  });

  it("is none where an address holds no cell", async () => {
    assert.equal(await cellOf(page), undefined);
    assert.equal(await cellOf(`${page}#A-heading`), undefined);
  });

  it("has at most 8,000 characters", async () => {
    const code = Array.from({ length: 9_000 }, (_, i) =>
      String.fromCharCode(33 + ((i * i * 7919) % 94)),
    ).join("");
    await assert.rejects(
      linkTo(page, {
        code: code.repeat(1) + Array.from({ length: 9_000 }, (_, i) => (i * 7919).toString(36)).join(""),
      }),
      /^RangeError: Cannot share this cell: its link must have at most 8,000 characters, .*, but it would have \d+,\d+\. Divide/,
    );
  });

  it("refuses what was cut, what is no cell, and what would unpack to more than a cell", async () => {
    const whole = await linkTo(page, { code: "const words = 'some words that are long enough to be cut';" });
    const cases: [string, RegExp][] = [
      [whole.slice(0, -10), /must have been copied completely, but a part is missing or changed/],
      [
        `${page}#turnwise-cell=`,
        /must have been copied completely, but it has characters that no such link has/,
      ],
      [
        `${page}#turnwise-cell=<script>`,
        /must have been copied completely, but it has characters that no such link has/,
      ],
      [`${page}#turnwise-cell=${"A".repeat(8_001)}`, /must have at most 8,000 characters, but it has 8,001/],
      [holding({ code: 3 }), /it must hold the code of a cell, but it holds something else/],
      [holding(null), /it must hold the code of a cell, but it holds something else/],
      [holding({ code: "x", below: {} }), /it must hold the code of a cell, but it holds something else/],
      [holding({ code: "x".repeat(1_000_000) }), /its code must have at most 200,000 characters/],
    ];
    for (const [link, words] of cases) await assert.rejects(cellOf(link), words, link.slice(0, 120));
  });
});
