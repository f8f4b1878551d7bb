import assert from "node:assert/strict";
import { checkCard } from "turnwise/internal/base/checkCard";
import { displaySymbol } from "turnwise/plot";

const rows = [
  { name: "sums to 1", ok: true, figure: "off by 1e-16" },
  { name: "gradient", ok: false, figure: "0.3 & 0.5", hint: "is a sign wrong?" },
  { name: "value", ok: null },
] as const;

describe("a card of checks", () => {
  it("prints a line for each check, in columns, with its hint below", () => {
    assert.equal(
      checkCard({ title: "A policy", about: "on LookUp-v0", rows }).toString(),
      [
        "A policy",
        "on LookUp-v0",
        "✓ sums to 1  off by 1e-16",
        "✗ gradient   0.3 & 0.5",
        "             is a sign wrong?",
        "· value",
      ].join("\n"),
    );
  });

  it("is plain data, and says whether all of it holds", () => {
    const card = checkCard({ title: "A policy", rows });
    assert.deepEqual(JSON.parse(JSON.stringify(card)), { title: "A policy", ok: false, rows });
    assert.equal(checkCard({ title: "A policy", rows: [rows[0], rows[2]] }).ok, true);
  });

  it("shows a notebook a table with what it found escaped, and its picture above", () => {
    const picture = { html: "<svg></svg>", text: "###" };
    const shown = checkCard({ title: "A <b>", rows, picture })[displaySymbol]();
    const html = String(shown["text/html"]);
    assert.ok(html.includes("A &#60;b&#62;") && html.includes("0.3 &#38; 0.5"), html);
    assert.ok(html.indexOf("<svg></svg>") < html.indexOf("<table"), html);
    assert.equal(html.match(/aria-label="does not hold"/g)?.length, 1);
    assert.equal(String(shown["text/plain"]).split("\n")[1], "###");
  });
});
