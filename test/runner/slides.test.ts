import assert from "node:assert/strict";
import fs from "node:fs";
import { slidesOf, type Part, type Slide } from "turnwise-kernel/dist/runner/deck/slides.js";
import { readNotes } from "turnwise-kernel/dist/runner/deck/text.js";
import { stringifyNotebook, type Cell, type Notebook } from "turnwise-kernel/dist/runner/notebook.js";
import { pathsOfSuite, turnwise } from "../support/command.js";

const figure = (name: string): Cell["outputs"] => [
  { output_type: "stream", name: "stdout", text: "training ..." },
  { output_type: "display_data", data: { "image/svg+xml": name }, metadata: {} },
];
const text = (source: string, metadata = {}): Cell => ({ cell_type: "markdown", source, metadata });
const code = (source: string, outputs: Cell["outputs"] = [], metadata = {}): Cell => ({
  cell_type: "code",
  source,
  metadata,
  outputs,
  execution_count: null,
});
const notebook = (cells: Cell[]): Notebook => ({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 });

/** What a part shows, in a word or two. */
function word(part: Part): string {
  if ("markdown" in part) return part.markdown;
  if ("code" in part) return `code: ${part.code}`;
  if ("fragment" in part) return `fragment: ${part.fragment.map(word).join(", ")}`;
  return part.outputs
    .map((output) => ("data" in output ? String(Object.values(output.data)[0]) : "text"))
    .join();
}
const words = (slides: readonly Slide[]): string[][] => slides.map(({ parts }) => parts.map(word));

const lesson = notebook([
  text("# The coin\n\nA coin is thrown. Is it fair?"),
  code("drawCoin();", figure("coin")),
  text(
    "## 1. Heads\n\nWe throw it often.\n\nMore of the text.\n\n> **Predict.** How often heads? (a) Never. (b) Always.",
  ),
  code("const runs = throwCoins();", [], { tags: ["on-slide"] }),
  code("drawHeads(runs);", figure("heads")),
  text("**Half of the time.** The coin has two sides.\n\n**Takeaway.** *A coin has two sides.*"),
  text("## What to take along"),
  code("drawSummary();", figure("summary")),
  text("### In your own run\n\n| look at | verl |\n| --- | --- |\n| heads | `heads` |"),
]);

describe("slidesOf()", () => {
  it("puts question and prediction on one slide, and figure, surprise and takeaway on the next", () => {
    assert.deepEqual(words(slidesOf(lesson)), [
      ["# The coin\n\nA coin is thrown. Is it fair?"],
      ["coin"],
      [
        "## 1. Heads\n\nWe throw it often.\n\n> **Predict.** How often heads?\n>\n> (a) Never.\n>\n> (b) Always.",
      ],
      ["## 1. Heads", "code: const runs = throwCoins();"],
      ["heads", "**Half of the time.**", "**Takeaway.** *A coin has two sides.*"],
      ["## What to take along", "summary"],
      ["## In your own run", "| look at | verl |\n| --- | --- |\n| heads | `heads` |"],
    ]);
  });

  it("gives each section's slides what its teacher says there, and a figure what the lesson says of it", () => {
    const notes = readNotes(
      "# The coin\n\n## Goals\n\nNone.\n\n## Notes\n\n### The coin\n\nShow one.\n\n### 1. Heads\n\nThrow it.\n\n## Misconceptions\n\nIt remembers.",
    );
    const spoken = slidesOf(lesson, notes).map((slide) => slide.notes);
    assert.deepEqual(spoken.slice(0, 5), [
      "Show one.",
      "Show one.",
      "Throw it.",
      "Throw it.",
      "**Half of the time.** The coin has two sides.",
    ]);
  });

  it("lets cells decide that carry Jupyter's slide types", () => {
    const type = (slide_type: string): object => ({ slideshow: { slide_type } });
    const slides = slidesOf(
      notebook([
        text("# Title", type("slide")),
        text("Below it", type("-")),
        text("Not shown", type("skip")),
        text("Say hello", type("notes")),
        code("draw();", figure("chart"), type("subslide")),
        text("Later", type("fragment")),
      ]),
    );
    assert.deepEqual(words(slides), [
      ["# Title", "Below it"],
      ["code: draw();", "text,chart", "fragment: Later"],
    ]);
    assert.deepEqual(
      slides.map(({ notes }) => notes.trim()),
      ["Say hello", ""],
    );
  });

  it("puts the heading above the figure where nothing is to be predicted, and how far it reaches below a table", () => {
    const cells = [
      text("# T"),
      text("## What to take along\n\nVerdicts are computed."),
      code("drawSummary();", figure("summary")),
      text("### In your own run\n\n| a |\n| --- |\n| b |\n\nAs far as toys reach."),
    ];
    assert.deepEqual(words(slidesOf(notebook(cells))).slice(1), [
      ["## What to take along", "summary"],
      ["## In your own run", "| a |\n| --- |\n| b |", "As far as toys reach."],
    ]);
  });

  it("takes the whole first sentence for the surprise, and no quote", () => {
    const surprise = (words: string): unknown =>
      slidesOf(
        notebook([text("# T\n\n## 1. A\n\n> **Predict.** ?"), code("draw();", figure("f")), text(words)]),
      )
        .at(-1)!
        .parts.slice(1);
    assert.deepEqual(surprise("**Only Dr. GRPO does.** The others do not."), [
      { markdown: "**Only Dr. GRPO does.**" },
    ]);
    assert.deepEqual(surprise("**Never**, by chance. Never."), [{ markdown: "**Never**, by chance." }]);
    assert.deepEqual(surprise("**(c).** It fails. Then it goes on."), [{ markdown: "**(c).** It fails." }]);
    assert.deepEqual(surprise("> **Predict.** And now?"), []);
  });

  it("keeps code in a text in one piece, blank lines included", () => {
    const source = "# T\n\n## 1. A\n\n> **Predict.** What does it print?\n>\n> (a) 1\n\n```ts\na;\n\nb;\n```";
    assert.deepEqual(words(slidesOf(notebook([text(source)]))), [
      ["# T"],
      ["## 1. A\n\n> **Predict.** What does it print?\n>\n> (a) 1"],
    ]);
  });
});

describe("turnwise slides", () => {
  const at = pathsOfSuite();

  it("writes a deck, what it loads, and the page that lists it; notes come from teacher/", async () => {
    fs.mkdirSync(at("teacher"));
    fs.writeFileSync(at("08-coin.ipynb"), stringifyNotebook(lesson));
    fs.writeFileSync(at("teacher/08-coin.md"), "# The coin\n\n## Notes\n\n### Heads\n\nThrow it high.\n");
    const { code, stdout, stderr } = await turnwise(["slides", at("08-coin.ipynb"), "--out", at("out")]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^08-coin\.html: 7 slides\nOpen .*index\.html in a browser\n$/);
    const html = fs.readFileSync(at("out/08-coin.html"), "utf8");
    assert.equal(html.match(/<section>/g)!.length, 7);
    assert.match(html, /<aside class="notes"><p>Throw it high\.<\/p>\s*<\/aside>/);
    assert.doesNotMatch(html, /https?:/);
    const loaded = [...html.matchAll(/(?:src|href)="(reveal\/[^"]+)"/g)].map(([, file]) => file!);
    assert.equal(loaded.length, 4);
    for (const file of loaded) assert.ok(fs.existsSync(at(`out/${file}`)), file);
    fs.renameSync(at("teacher"), at("notes"));
    const elsewhere = ["slides", at("08-coin.ipynb"), "--out", at("out"), "--notes", at("notes")];
    assert.equal((await turnwise(elsewhere)).code, 0);
    assert.match(fs.readFileSync(at("out/08-coin.html"), "utf8"), /Throw it high/);
    const missing = await turnwise([...elsewhere.slice(0, -1), at("nots")]);
    assert.match(
      missing.stderr,
      /Cannot write slides as the folder of the notes must exist: .*nots does not/,
    );
    const index = fs.readFileSync(at("out/index.html"), "utf8");
    assert.match(index, /<a href="08-coin\.html">08 The coin<\/a> <small>7 slides<\/small>/);
  });
});
