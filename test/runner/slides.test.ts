import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { writeDecks } from "turnwise-kernel/dist/cli/write-decks.js";
import { deckIndex, deckToHtml } from "turnwise-kernel/dist/runner/deck/deck.js";
import {
  slidesOf,
  slidesWithoutAnswers,
  type Part,
  type Slide,
} from "turnwise-kernel/dist/runner/deck/slides.js";
import { readNotes } from "turnwise-kernel/dist/runner/deck/text.js";
import { stringifyNotebook, type Cell, type Notebook } from "turnwise-kernel/dist/runner/notebook.js";
import { notebookToHtml } from "turnwise-kernel/dist/runner/page/page.js";
import { pathsOfSuite, turnwise } from "../support/command.js";
import { root } from "../support/paths.js";

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
  if ("prediction" in part) {
    const { question, options } = part.prediction;
    return ["Predict: " + question, ...options.map(({ letter, text }) => `(${letter}) ${text}`)].join(" ");
  }
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
    "## 1. Heads\n\nWe throw it often.\n\nMore of the text.\n\n> **Predict.** How often heads?\n>\n> - (a) Never.\n> - (b) Always.",
  ),
  code("const runs = throwCoins();", [], { tags: ["on-slide"] }),
  code("drawHeads(runs);", figure("heads")),
  text("**Half of the time.** The coin has two sides.\n\n**Takeaway.** *A coin has two sides.*"),
  text("## Takeaways"),
  code("drawSummary();", figure("summary")),
  text("### In your own run\n\n| look at | verl |\n| --- | --- |\n| heads | `heads` |"),
]);

describe("slidesWithoutAnswers()", () => {
  it("ends each section at its question, and leaves out takeaways, ledger and notes", () => {
    const slides = slidesWithoutAnswers(lesson);
    assert.deepEqual(words(slides), [
      ["# The coin\n\nA coin is thrown. Is it fair?"],
      ["coin"],
      [
        "## 1. Heads\n\nWe throw it often.\n\nMore of the text.",
        "Predict: How often heads? (a) Never. (b) Always.",
      ],
    ]);
    assert.ok(slides.every(({ notes }) => notes === ""));
  });

  it("keeps a second question of a section, and a section without one", () => {
    const cells = [
      text("# Two"),
      text("## 1. Ask\n\nFirst.\n\n> **Predict.** One?\n>\n> - (a) no\n> - (b) yes"),
      code("draw();", figure("one")),
      text("**No.** Because.\n\n> **Predict.** Two?\n>\n> - (a) no\n> - (b) yes"),
      code("draw();", figure("two")),
      text("## 2. Look\n\nNothing is asked here.\n\n**Takeaway.** *Look.*"),
    ];
    const shown = JSON.stringify(words(slidesWithoutAnswers(notebook(cells))));
    for (const there of ["One?", "Two?", "Nothing is asked here."]) assert.ok(shown.includes(there), there);
    for (const gone of ['one"', 'two"', "Because", "Takeaway"]) assert.ok(!shown.includes(gone), gone);
  });
});

describe("slidesOf()", () => {
  it("puts question and prediction on one slide, and figure, surprise and takeaway on the next", () => {
    assert.deepEqual(words(slidesOf(lesson)), [
      ["# The coin\n\nA coin is thrown. Is it fair?"],
      ["coin"],
      [
        "## 1. Heads\n\nWe throw it often.\n\nMore of the text.",
        "Predict: How often heads? (a) Never. (b) Always.",
      ],
      ["## 1. Heads", "code: const runs = throwCoins();"],
      ["heads", "**Half of the time.**", "**Takeaway.** *A coin has two sides.*"],
      ["## Takeaways", "summary"],
      ["## In your own run", "| look at | verl |\n| --- | --- |\n| heads | `heads` |"],
    ]);
  });

  it("asks where the text asks: after the figure that a prediction speaks of, and once for each", () => {
    const cells = [
      text("# T\n\n## 1. Tries\n\nHere they are."),
      code("drawTries();", figure("tries")),
      text(
        "All of them fail. A few come close.\n\n> **Predict.** And the last?\n>\n> - (a) It fails.\n> - (b) It wins.",
      ),
      code("drawLast();", figure("last")),
      text("**It wins.** So it goes.\n\n> **Predict.** And after it? (a) None. (b) Many."),
      code("drawNext();", figure("next")),
      text("**Many.**\n\n**Takeaway.** *Look.*"),
    ];
    assert.deepEqual(words(slidesOf(notebook(cells))).slice(1), [
      ["## 1. Tries\n\nHere they are."],
      ["tries", "All of them fail."],
      [
        "## 1. Tries\n\nAll of them fail. A few come close.",
        "Predict: And the last? (a) It fails. (b) It wins.",
      ],
      ["last", "**It wins.**"],
      ["## 1. Tries\n\n**It wins.** So it goes.", "Predict: And after it? (a) None. (b) Many."],
      ["next", "**Many.**", "**Takeaway.** *Look.*"],
    ]);
  });

  it("leaves out what opens with a click, and takes the surprise from below it", () => {
    const fold = "<details><summary>One way</summary>\n\n```ts\nsecret();\n```\n\n</details>";
    const at = lesson.cells.findIndex(({ source }) => source === "drawHeads(runs);") + 1;
    const folded = [code('yours("heads", () => 0.5);'), text(`${fold}\n\n${fold}`)];
    const cells = [...lesson.cells.slice(0, at), ...folded, ...lesson.cells.slice(at)];
    assert.deepEqual(slidesOf(notebook(cells)), slidesOf(lesson));
  });

  it("keeps a table, a formula or a list with the paragraph whose colon announces it", () => {
    const formula = "The gain is the reward:\n\n$$r = p - q$$";
    const cells = [
      text(
        `# T\n\n## 1. A\n\n${formula}\n\nThere are two.\n\n> **Predict.** Which?\n>\n> - (a) one\n> - (b) two`,
      ),
      text("Compare them:\n\n| a |\n| --- |\n| b |\n\nTwo is right."),
      code("draw();", figure("f")),
      text("**Two.**\n\n## Takeaways\n\nIn short:\n\n- one\n- two"),
    ];
    assert.deepEqual(words(slidesOf(notebook(cells))).slice(1), [
      [`## 1. A\n\n${formula}\n\nThere are two.`, "Predict: Which? (a) one (b) two"],
      ["Compare them:\n\n| a |\n| --- |\n| b |"],
      ["f", "**Two.**"],
      ["## Takeaways\n\nIn short:\n\n- one\n- two"],
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
      text("## Takeaways\n\nVerdicts are computed."),
      code("drawSummary();", figure("summary")),
      text("### In your own run\n\n| a |\n| --- |\n| b |\n\nAs far as toys reach."),
    ];
    assert.deepEqual(words(slidesOf(notebook(cells))).slice(1), [
      ["## Takeaways", "summary"],
      ["## In your own run", "| a |\n| --- |\n| b |", "As far as toys reach."],
    ]);
  });

  it("takes the whole first sentence for the surprise, and no prediction", () => {
    const surprise = (words: string): unknown =>
      slidesOf(
        notebook([text("# T\n\n## 1. A\n\n> **Predict.** ?"), code("draw();", figure("f")), text(words)]),
      )
        .find(({ parts }) => "outputs" in parts[0]!)!
        .parts.slice(1);
    assert.deepEqual(surprise("**Only Dr. GRPO does.** The others do not."), [
      { markdown: "**Only Dr. GRPO does.**" },
    ]);
    assert.deepEqual(surprise("**Never**, by chance. Never."), [{ markdown: "**Never**, by chance." }]);
    assert.deepEqual(surprise("**(c).** It fails. Then it goes on."), [{ markdown: "**(c).** It fails." }]);
    assert.deepEqual(surprise("> **Predict.** And now?"), []);
  });

  it("keeps code in a text in one piece, blank lines included", () => {
    const source =
      "# T\n\n## 1. A\n\n> **Predict.** What does it print?\n>\n> - (a) 1\n\n```ts\na;\n\nb;\n```";
    assert.deepEqual(words(slidesOf(notebook([text(source)]))), [
      ["# T"],
      ["## 1. A", "Predict: What does it print?\n\n- (a) 1"],
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
    const ownTags = html.replace(/<(script|style)>[^]*?<\/\1>/g, "");
    assert.doesNotMatch(ownTags, /https?:|<script/);
    assert.deepEqual(fs.readdirSync(at("out")).sort(), ["08-coin.html", "index.html"]);
    fs.renameSync(at("teacher"), at("notes"));
    const elsewhere = ["slides", at("08-coin.ipynb"), "--out", at("out"), "--notes", at("notes")];
    assert.equal((await turnwise(elsewhere)).code, 0);
    assert.match(fs.readFileSync(at("out/08-coin.html"), "utf8"), /Throw it high/);
    const missing = await turnwise([...elsewhere.slice(0, -1), at("nots")]);
    assert.match(missing.stderr, /Cannot write slides: no folder .*nots for the notes\./);
    const index = fs.readFileSync(at("out/index.html"), "utf8");
    assert.match(index, /<a href="08-coin\.html">08 The coin<\/a> <small>7 slides<\/small>/);
  });

  const slide: Slide = { parts: [{ markdown: "# A" }], notes: "" };
  const engine = { styles: [], scripts: ['write("<!-- <script>go()</script> -->")'], presenter: "present()" };
  const policyOf = (html: string): Map<string, string> =>
    new Map(
      /Content-Security-Policy" content="([^"]*)"/
        .exec(html)![1]!
        .split("; ")
        .map((part): [string, string] => [part.split(" ")[0]!, part.split(" ").slice(1).join(" ")]),
    );
  const hash = (script: string): string => `'sha256-${createHash("sha256").update(script).digest("base64")}'`;

  it("lets exactly the scripts of a deck run, each by its hash, and no page set its base or send a form", async () => {
    const html = await deckToHtml([slide], "A", engine);
    const scripts = [...html.matchAll(/<script>([^]*?)<\/script>/g)].map(([, script]) => script!);
    assert.equal(scripts[0], 'write("<\\!-- <script>go()<\\/script> -->")');
    assert.equal(scripts.length, 3);
    const policy = policyOf(html);
    assert.equal(policy.get("script-src"), [...scripts, "present()"].map(hash).join(" "));
    assert.equal(policy.get("style-src"), "'unsafe-inline'");
    const lesson = await notebookToHtml(notebook([text("# A")]), "a");
    for (const page of [policy, policyOf(deckIndex([])), policyOf(lesson)]) {
      assert.equal(page.get("default-src"), "'none'");
      assert.equal(page.get("base-uri"), "'none'");
      assert.equal(page.get("form-action"), "'none'");
    }
  });

  it("says when a reveal.js is installed whose presenter's window it does not know", async () => {
    const dist = at("root/node_modules/reveal.js/dist");
    fs.mkdirSync(path.join(dist, "plugin"), { recursive: true });
    const packageFile = JSON.stringify({ name: "reveal.js", version: "99.1.0", main: "dist/reveal.js" });
    fs.writeFileSync(path.join(dist, "../package.json"), packageFile);
    for (const file of ["reset.css", "reveal.css", "reveal.js", "plugin/notes.js"])
      fs.writeFileSync(path.join(dist, file), "");
    const said: string[] = [];
    await writeDecks([], { root: at("root"), out: at("other"), warn: (one) => said.push(one) });
    assert.equal(said.length, 1);
    assert.match(
      said[0]!,
      /^The key S opens no presenter's window .*: in version 99\.1\.0 it is not\. To fix it, /,
    );
    const { devDependencies } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8")) as {
      devDependencies: Record<string, string>;
    };
    assert.ok(said[0]!.endsWith(`reveal.js@${devDependencies["reveal.js"]!}`), "the version that is tested");
    await writeDecks([], { root, out: at("other"), warn: assert.fail });
  });
});
