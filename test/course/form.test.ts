import assert from "node:assert/strict";
import path from "node:path";
import { root } from "../support/paths.js";

interface Cell {
  id: string;
  cell_type: "markdown" | "code";
  metadata: object;
  source: string;
  outputs?: { data: Record<string, unknown> }[];
}
interface Read {
  parse(text: string, o: { file: string; kind: string; notes?: string }): object;
}
interface Rules {
  problemsOf(notebook: object, syllabus: string): Promise<string[]>;
  readonly ruleNames: readonly string[];
}
interface Format {
  formatCell(source: string): Promise<string>;
  formatNotebook(text: string): Promise<string>;
}
interface Spread {
  spreadProblems(notebooks: readonly object[]): string[];
}
interface Minutes {
  minutesOf(notebook: object): number;
  withMinutes(syllabus: string, notebooks: readonly object[]): string;
  withTiming(notes: string, notebook: object): string;
}

/* eslint-disable @typescript-eslint/no-require-imports */
const ci = (file: string): string => path.join(root, ".ci", "notebooks", file);
const { parse } = require(ci("read.cjs")) as Read;
const { problemsOf, ruleNames } = require(ci("rules.cjs")) as Rules;
const { formatCell, formatNotebook } = require(ci("format.cjs")) as Format;
const { spreadProblems } = require(ci("spread.cjs")) as Spread;
const { minutesOf, withMinutes, withTiming } = require(ci("minutes.cjs")) as Minutes;
/* eslint-enable @typescript-eslint/no-require-imports */

const svg = (height: number): Cell["outputs"] => [
  { data: { "image/svg+xml": [`<svg width="600" height="${String(height)}">`, "</svg>"] } },
];
const markdown = (id: string, ...lines: string[]): Cell => ({
  id,
  cell_type: "markdown",
  metadata: id === "ask" ? { turnwise: { answer: "b" } } : {},
  source: lines.join("\n"),
});
const code = (id: string, source: string, outputs: Cell["outputs"] = []): Cell => ({
  id,
  cell_type: "code",
  metadata: {},
  source,
  outputs,
});

const ledger = (rows: number): Cell["outputs"] => [
  { data: { "application/vnd.turnwise.ledger+json": Array.from({ length: rows }, () => ({})) } },
];

/** A lesson as it should be: one section, a prediction, a figure, a takeaway, a ledger, your own run. */
const lesson = (): Cell[] => [
  markdown(
    "title",
    "# The coin",
    "",
    "A coin [fell](https://github.com/coins/coin/issues/1).",
    "",
    "Is it fair?",
  ),
  code(
    "look",
    'let seeds = 8; // Try 2.\nlet size = 2; // Try 1.\nyours("fair", () => 0.5);\ndrawCoin();',
    svg(300),
  ),
  markdown(
    "ask",
    "## 1. Heads",
    "",
    "> **Predict.** How often heads?",
    ">",
    "> - (a) never, or nearly so",
    "> - (b) half of the time",
  ),
  code("throw", "const runs = await throwCoins({ seeds: 8 });\ndrawHeads(runs);", svg(300)),
  markdown("tell", "Half of the time.", "", "**Takeaway.** *A coin has two sides.*"),
  markdown("along", "## Takeaways"),
  code("ledger", 'import { claims } from "turnwise-course";\n\nledger(claims.coin);', ledger(4)),
  markdown(
    "own",
    "### In your own run",
    "",
    "| look at | verl | TRL |",
    "| --- | --- | --- |",
    "| heads | `heads` | `heads` |",
    "",
    "`npx turnwise doctor my-run/` counts.",
    "",
    "[All rows](appendix/08-coin.ipynb), [exercises](exercises/README.md).",
  ),
];

const notes = [
  "# The coin",
  "## Goals\n\nSee a coin.",
  "## Timing\n\n| section | minutes |\n| --- | --- |\n| Heads | 5 |",
  "## Notes\n\n### Heads\n\nThrow it.",
  "## Questions students ask\n\n**Is it fair?** Yes.",
  "## Misconceptions\n\n| belief | cure |\n| --- | --- |\n| it remembers | Heads |",
].join("\n\n");

/** Four code lines and fewer than 120 words: a minute. */
const syllabus = "| [08-coin](08-coin.ipynb) | 1 | 00 |";

interface Change {
  readonly cells?: (cells: Cell[]) => void;
  readonly notes?: string;
  readonly kind?: string;
  readonly syllabus?: string;
}

async function problems(change: Change): Promise<string[]> {
  const cells = lesson();
  change.cells?.(cells);
  const kind = change.kind ?? "lesson";
  const text = JSON.stringify({ cells });
  const o = { file: "notebooks/08-coin.ipynb", kind };
  const renewed = (): string => withTiming(notes, parse(text, o));
  const notebook = parse(text, { ...o, notes: "notes" in change ? change.notes : renewed() });
  return problemsOf(notebook, change.syllabus ?? syllabus);
}

const at = (cells: Cell[], id: string): Cell => cells.find((cell) => cell.id === id)!;
const write =
  (id: string, source: string): Change["cells"] =>
  (cells) => {
    at(cells, id).source = source;
  };
const replace =
  (id: string, from: string, to: string): Change["cells"] =>
  (cells) => {
    const cell = at(cells, id);
    assert.ok(cell.source.includes(from));
    cell.source = cell.source.replace(from, to);
  };

/** How a lesson breaks each rule, and what is said then. */
const broken: readonly (readonly [title: string, change: Change, message: string])[] = [
  [
    "code that Prettier would change",
    { cells: write("throw", "drawHeads( runs )") },
    "cell 4 (throw), rule prettier: the code is not as Prettier leaves it at 100 columns; run npm run format",
  ],
  [
    "code that cannot be read",
    { cells: write("throw", "const = 1;") },
    "cell 4 (throw), rule prettier: the code cannot be read: Variable declaration expected. (1:7); correct it by hand",
  ],
  [
    "a line that Prettier cannot break",
    { cells: write("throw", `// ${"wide ".repeat(20)}.`) },
    `cell 4 (throw), rule columns: "// wide wide wide wide wide wide wide wi…" has 104 columns, more than 100, and Prettier cannot break it; divide it by hand`,
  ],
  [
    "a cell of sixteen lines",
    { cells: write("throw", "step();\n".repeat(16).trim()) },
    "cell 4 (throw), rule length: 16 lines of code, more than 15; divide the cell along its ideas, or move what is not the point into the library",
  ],
  [
    "a list of imports over many lines",
    {
      cells: write(
        "look",
        `import {\n${Array.from({ length: 10 }, (_, i) => `  aRatherLongName${String(i)},\n`).join("")}} from "turnwise";`,
      ),
    },
    "cell 2 (look), rule imports: 12 lines of imports, more than 3; import fewer names, each where it is first used",
  ],
  [
    "a choice inside of a choice",
    { cells: write("throw", "const side = heads ? 1 : edge ? 2 : 0;") },
    'cell 4 (throw), rule ternary: a nested ternary, "edge ? 2 : 0"; use if, a table or a function with a name',
  ],
  [
    "a chart described in a cell",
    { cells: write("throw", 'draw(runs, { title: "Heads", xTitle: "throw" });') },
    "cell 4 (throw), rule chart: title: and xTitle: describe a chart; draw it by a function of lib/course/src named for what it shows",
  ],
  [
    "a string built in a cell",
    { cells: write("throw", "const label = `${heads} of ${count}`;") },
    "cell 4 (throw), rule strings: builds a string, `${heads} of ${count}`; print a line with console.log, or leave it to the library",
  ],
  [
    "no title",
    { cells: replace("title", "# The coin", "The coin"), notes: notes.replace("# The coin", "# ") },
    "cell 1 (title), rule outline: the first cell must begin with # and the title",
  ],
  [
    "an opening without a question",
    { cells: replace("title", "?", ".") },
    "cell 1 (title), rule outline: the opening asks no question; end it with the lesson's",
  ],
  [
    "sections out of order",
    { cells: replace("ask", "## 1.", "## 2.") },
    'the headings, rule outline: the sections must be numbered ## 1. to ## 7.: they are "2"',
  ],
  [
    "another last section",
    { cells: replace("along", "Takeaways", "The end") },
    'the headings, rule outline: the last section must be "## Takeaways", but it is "## The end"',
  ],
  [
    "nothing for one's own run",
    { cells: replace("own", "TRL", "others") },
    'Takeaways, rule outline: it must have "### In your own run" with a table of metrics and flags in verl and TRL',
  ],
  [
    "no way to the appendix",
    { cells: replace("own", "(appendix/08-coin.ipynb)", "(08.ipynb)") },
    "Takeaways, rule outline: it must link to appendix/",
  ],
  [
    "no prediction",
    { cells: replace("ask", "**Predict.**", "Think.") },
    'cell 3 (ask), rule section: section 1, "Heads", has no prediction; ask with "> **Predict.** ..." before the cell that answers',
  ],
  [
    "a prediction after the answer",
    { cells: (cells) => void cells.splice(2, 2, { ...cells[3]!, id: "early" }, cells[2]!) },
    'cell 4 (ask), rule section: section 1, "Heads", shows no answer below its prediction; ask before the cell that answers',
  ],
  [
    "a prediction without choices",
    { cells: replace("ask", "> - (b) half", "> or half") },
    'cell 3 (ask), rule prediction: the prediction must end with its choices, each a line "> - (a) ..."; ask the rest above them',
  ],
  [
    "a question below the choices",
    { cells: replace("ask", "of the time", "of the time\n>\n> And why?") },
    'cell 3 (ask), rule prediction: the prediction must end with its choices, each a line "> - (a) ..."; ask the rest above them',
  ],
  [
    "text below a prediction",
    { cells: replace("ask", "of the time", "of the time\n\nHalf of it.") },
    "cell 3 (ask), rule prediction: text follows the prediction; begin another cell, which folds with the answer",
  ],
  [
    "two predictions in a cell",
    { cells: replace("ask", "of the time", "of the time\n\n> **Predict.** And tails?") },
    "cell 3 (ask), rule prediction: asks for two predictions; give each a cell of its own",
  ],
  [
    "a prediction with no right choice",
    { cells: (cells) => void (at(cells, "ask").metadata = { turnwise: { answer: "c" } }) },
    'cell 3 (ask), rule prediction: the metadata must name the right choice, "turnwise": { "answer": "a" }, got "c"',
  ],
  [
    "a heading below text that should fold",
    { cells: replace("along", "## Takeaways", "So much for coins.\n\n## Takeaways") },
    'cell 6 (along), rule prediction: "Takeaways" must begin its cell, as the section above folds up to there',
  ],
  [
    "a lesson in which one letter is right nearly always",
    { cells: (cells) => void cells.splice(5, 0, ...Array.from({ length: 3 }, () => cells[2]!)) },
    "the predictions, rule prediction: (b) is right 4 times out of 4; reorder their choices",
  ],
  [
    "no takeaway at the end of a section",
    { cells: replace("tell", "**Takeaway.**", "So:") },
    'cell 3 (ask), rule section: section 1, "Heads", must end with "**Takeaway.** *one sentence*"',
  ],
  [
    "a section that shows nothing",
    { cells: (cells) => void (at(cells, "throw").outputs = [{ data: { "text/plain": "4" } }]) },
    'cell 3 (ask), rule section: section 1, "Heads", has neither a figure nor a table; show one',
  ],
  [
    "no figure on the first screen",
    { cells: (cells) => void (at(cells, "look").outputs = at(cells, "throw").outputs = []) },
    'cell 2 (look), rule figures: no figure on the first screen; draw one within the first three code cells and before the second "## "',
  ],
  [
    "a figure higher than a screen",
    { cells: (cells) => void (at(cells, "throw").outputs = svg(601)) },
    "cell 4 (throw), rule figures: a figure is 601 px high, more than 600; draw fewer rows, or lower ones",
  ],
  [
    "a ledger that is put together in the cell",
    { cells: write("ledger", "ledger([...claims.coin, ...others]);") },
    "cell 7 (ledger), rule ledger: the ledger must be one line, ledger(claims.x); state its rows in lib/course/src/<lesson>/lesson.ts",
  ],
  [
    "a ledger of seven rows",
    { cells: (cells) => void (at(cells, "ledger").outputs = ledger(7)) },
    "cell 7 (ledger), rule ledger: the ledger shows 7 rows; it must have four to six: the appendix keeps the others",
  ],
  [
    "no ledger",
    { cells: write("ledger", "claims.coin;") },
    "the notebook, rule ledger: has 0 cells with a ledger; it must have one: ledger(claims.x);",
  ],
  [
    "an evidence tag",
    { cells: replace("tell", "Half of the time.", "Half of the time [P].") },
    "cell 5 (tell), rule tags: the evidence tag [P] says nothing to a learner; leave it to the appendix",
  ],
  [
    "an evidence tag in a table that a cell shows",
    { cells: (cells) => void at(cells, "ledger").outputs!.push({ data: { "text/html": "<td>[N]</td>" } }) },
    "cell 7 (ledger), rule tags: the evidence tag [N] says nothing to a learner; leave it to the appendix",
  ],
  [
    "a lesson in which the reader only watches",
    { cells: write("look", 'let seeds = 8; // Try 2.\ndrawCoin(yours("fair", seeds));') },
    'the notebook, rule places: has 1 lines to write and 1 knobs, fewer than 3 together; let the reader write one with yours("..."), or name a number, "let size = 8; // Try 2 or 64."',
  ],
  [
    "a lesson that does not begin with a real run",
    { cells: replace("title", "github.com/coins/coin/issues/1", "example.org/coin") },
    "cell 1 (title), rule story: the first paragraph must tell of a real run and link to its thread or paper",
  ],
  [
    "a lesson that does not send its reader to the doctor",
    { cells: replace("own", "`npx turnwise doctor my-run/` counts.", "Look for heads.") },
    'Takeaways, rule story: "### In your own run" must say what `npx turnwise doctor` finds there, in the paragraph below its table',
  ],
  [
    "more than 35 minutes",
    // 4,200 words are 35 minutes, and those of the lesson make one more.
    {
      cells: replace("tell", "Half", `${"word ".repeat(4200)}Half`),
      syllabus: syllabus.replace("1 |", "36 |"),
    },
    "the notebook, rule minutes: takes 36 minutes to read, more than 35; move what is not the point to the appendix",
  ],
  [
    "other minutes than the syllabus says",
    { syllabus: syllabus.replace("1 |", "2 |") },
    "the notebook, rule minutes: notebooks/README.md gives it 2 minutes, and it takes 1; run npm run format",
  ],
  [
    "a lesson that the syllabus leaves out",
    { syllabus: "" },
    "the notebook, rule minutes: notebooks/README.md does not list it; add a row with a link and its minutes",
  ],
  [
    "no notes for the teacher",
    { notes: undefined },
    "lib/course/src/08-coin/teacher.md, rule teacher: there are no teacher's notes; write them with the parts Goals, Timing, Notes, Questions students ask, Misconceptions",
  ],
  [
    "notes of another lesson",
    { notes: notes.replace("# The coin", "# The die") },
    'lib/course/src/08-coin/teacher.md, rule teacher: its title must be the lesson\'s, "# The coin"',
  ],
  [
    "notes without a part",
    { notes: notes.replace(/## Goals[^]*(?=## Timing)/, "") },
    "lib/course/src/08-coin/teacher.md, rule teacher: its parts must be Goals, Timing, Notes, Questions students ask, Misconceptions: they are Timing, Notes, Questions students ask, Misconceptions",
  ],
  [
    "timing without a table",
    { notes: notes.replace(/\| section[^]*5 \|/, "An hour.") },
    'lib/course/src/08-coin/teacher.md, rule teacher: "## Timing" must hold a table',
  ],
  [
    "minutes that are not the notebook's",
    { notes: notes.replace("| Heads | 5 |", "| 1. Heads | 7 |") },
    "lib/course/src/08-coin/teacher.md, rule teacher: its minutes are not those of the notebook; run npm run format",
  ],
  [
    "an empty part of the notes",
    { notes: notes.replace("**Is it fair?** Yes.", "") },
    'lib/course/src/08-coin/teacher.md, rule teacher: "## Questions students ask" is empty; fill it',
  ],
  [
    "a section without a note",
    { notes: notes.replace("### Heads", "### The coin") },
    'lib/course/src/08-coin/teacher.md, rule teacher: no note for the section "### Heads"; add it under "## Notes"',
  ],
  [
    "a note without a section",
    { notes: notes.replace("### Heads", "### Tails\n\nNone.\n\n### Heads") },
    'lib/course/src/08-coin/teacher.md, rule teacher: its note "### Tails" belongs to no section of the lesson; name it as the lesson does',
  ],
];

describe("the form of the notebooks", () => {
  it("lets a lesson pass that is as it should be", async () => {
    assert.deepEqual(await problems({}), []);
  });

  for (const [title, change, message] of broken) {
    it(`refuses ${title}`, async () => {
      const said = await problems(change);
      assert.ok(said.includes(`notebooks/08-coin.ipynb, ${message}`), said.join("\n"));
    });
  }

  it("refuses an eighth section", async () => {
    const said = await problems({
      cells: (cells) => {
        const section = cells.slice(2, 5);
        const more = Array.from({ length: 7 }, (_, i) =>
          section.map((cell) => ({
            ...cell,
            metadata: cell.id === "ask" ? { turnwise: { answer: "ab"[i % 2] } } : {},
            source: cell.source.replace("## 1.", `## ${String(i + 2)}.`),
          })),
        );
        cells.splice(5, 0, ...more.flat());
      },
      syllabus: syllabus.replace("1 |", "4 |"),
    });
    assert.deepEqual(said, [
      "notebooks/08-coin.ipynb, the headings, rule outline: 8 numbered sections, more than 7; keep one idea a section",
    ]);
  });

  describe("over the course", () => {
    /** A notebook of that many predictions, the right choice at these places in turn. */
    const asking = (count: number, rights: string, texts: readonly string[]): object => {
      const cells = Array.from({ length: count }, (_, i) => ({
        ...markdown(
          "ask",
          `> **Predict.** ${String(i)}?`,
          ">",
          ...texts.map((text, k) => `> - (${"abc"[k]!}) ${text}`),
        ),
        metadata: { turnwise: { answer: rights[i % rights.length] } },
      }));
      return parse(JSON.stringify({ cells }), { file: "notebooks/08-coin.ipynb", kind: "lesson" });
    };
    const even = ["one", "two", "six"];

    it("lets letters pass that are spread evenly", () => {
      assert.deepEqual(spreadProblems([asking(30, "abc", even), asking(30, "cab", even)]), []);
    });

    it("refuses a letter that is right too seldom or too often", () => {
      // 60 predictions of three choices: chance gives 20 +- 2 sqrt(60 * 1/3 * 2/3) = 20 +- 7.3.
      assert.deepEqual(spreadProblems([asking(60, "bcbccb", even)]), [
        "the course: (a) is right 0 times in 60 predictions, where chance gives 20; reorder the choices of some",
        "the course: (b) is right 30 times in 60 predictions, where chance gives 20; reorder the choices of some",
        "the course: (c) is right 30 times in 60 predictions, where chance gives 20; reorder the choices of some",
      ]);
    });

    it("refuses that the longest choice is the right one more often than by chance", () => {
      // (a) is the longest, and right in 24 of 60, which is within 20 +- 7.3.
      const said = spreadProblems([asking(60, "aaaabbbccc", ["the longest", "b", "c"])]);
      assert.deepEqual(said, [
        "the course: the right choice is the longest one 24 times in 60 predictions, where chance gives 20; shorten it in some, or give the others their reasons",
      ]);
    });

    it("refuses that the shortest choice is the right one more often than by chance", () => {
      // (a) is the shortest, and right in 24 of 60, which is within 20 +- 7.3.
      const said = spreadProblems([asking(60, "aaaabbbccc", ["short", "longer", "as long"])]);
      assert.deepEqual(said, [
        "the course: the right choice is the shortest one 24 times in 60 predictions, where chance gives 20; shorten others in some, or give it its reason",
      ]);
    });
  });

  it("leaves out of the minutes what opens with a click", async () => {
    const fold = `<details><summary>More</summary>\n\n${"word ".repeat(600)}\n\n</details>\n\nHalf`;
    assert.deepEqual(await problems({ cells: replace("tell", "Half", fold) }), []);
  });

  it("has a test above for each rule", () => {
    const tested = broken.map(([, , message]) => /rule (\w+):/.exec(message)![1]!);
    assert.deepEqual([...new Set(tested)], ruleNames);
  });

  it("lets the appendix have thirty lines, evidence tags and charts of its own", async () => {
    const cells = (n: number): Change["cells"] => write("throw", "step();\n".repeat(n).trim());
    const other = { kind: "appendix", notes: undefined, syllabus: syllabus.replace("1 |", "3 |") };
    assert.deepEqual(await problems({ ...other, cells: cells(30) }), []);
    assert.match((await problems({ ...other, cells: cells(31) })).join(), /31 lines of code, more than 30/);
  });

  it("lets a console line and an error hold values", async () => {
    const cells = write("throw", "console.log(`${heads} heads`);\nthrow new Error(`no ${side}`);");
    const outputs = lesson()[3]!.outputs;
    assert.deepEqual(
      await problems({ cells: (all) => (cells!(all), void (at(all, "throw").outputs = outputs)) }),
      [],
    );
  });

  it("takes names of axes in code and formulas for no evidence", async () => {
    assert.deepEqual(await problems({ cells: replace("tell", "Half", "`ratio [N]` and $x[N]$: half") }), []);
  });
});

describe("npm run format", () => {
  it("formats a cell at 100 columns, below its magic, with await at the top level", async () => {
    assert.equal(
      await formatCell("%%module coin.ts\nexport const  sides = 2"),
      "%%module coin.ts\nexport const sides = 2;",
    );
    assert.equal(
      await formatCell("const run = await  train( { env:'X-v0' } )\nrun"),
      'const run = await train({ env: "X-v0" });\nrun;',
    );
    assert.equal(await formatCell("// only a comment"), "// only a comment");
  });

  it("leaves text, metadata and a cell that it cannot read as they are", async () => {
    const notebook = (source: string[]): string =>
      JSON.stringify(
        {
          cells: [
            { cell_type: "markdown", id: "m", metadata: { tags: ["x"] }, source: ["a  =  b"] },
            { cell_type: "code", id: "c", metadata: {}, outputs: [], source },
            { cell_type: "code", id: "d", metadata: {}, outputs: [], source: ["const = 1"] },
          ],
          metadata: {},
        },
        null,
        1,
      ) + "\n";
    assert.equal(await formatNotebook(notebook(["a  ;\n", "b"])), notebook(["a;\n", "b;"]));
  });

  it("counts 120 words and 15 lines of code a minute, code in the text as code", () => {
    const minutes = (...cells: Cell[]): number =>
      minutesOf(parse(JSON.stringify({ cells }), { file: "notebooks/08-coin.ipynb", kind: "lesson" }));
    const words = (n: number): Cell => markdown("w", "word ".repeat(n));
    assert.equal(minutes(words(120)), 1);
    assert.equal(minutes(words(121)), 2);
    assert.equal(minutes(code("c", "%%module m.ts\n" + "step();\n\n".repeat(15))), 1);
    assert.equal(minutes(words(60), markdown("f", "```ts", ...Array<string>(8).fill("step();"), "```")), 2);
    // A link is its words, and a formula one word: 3 + 1 of them, and 116 more.
    assert.equal(
      minutes(words(120), markdown("n", "**Previous:** [00](a.ipynb) · **Next lesson:** [02 B](b.ipynb)")),
      1,
    );
    assert.equal(minutes(words(116), markdown("l", "[see this page](https://a.b/c/d) $x + y + z$")), 1);
  });

  it("gives the teacher the lesson's own minutes, which add up, and two more for each vote", () => {
    const cells = [
      markdown("t", "# The coin", "word ".repeat(118)),
      markdown(
        "s",
        "## 1. Heads",
        "word ".repeat(178),
        "",
        "> **Predict.** Heads?",
        ">",
        "> - (a) no",
        "> - (b) yes",
      ),
      markdown("e", "## Takeaways", "word ".repeat(59)),
    ];
    const notebook = parse(JSON.stringify({ cells }), { file: "notebooks/08-coin.ipynb", kind: "lesson" });
    // 120 words, 180 + 4 and 60 of them: 1, 1.53 and 0.5 minutes, together 3.03, so 4. One of each rest of 4 - 2 minutes goes to
    // the largest: 1.53 becomes 2, and 0.5 becomes 1.
    const table = [
      "| section             | reading | in class |",
      "| ------------------- | ------- | -------- |",
      "| opening             | 1       | 1        |",
      "| 1. Heads            | 2       | 4        |",
      "| takeaways and after | 1       | 1        |",
      "| all                 | 4       | 6        |",
    ].join("\n");
    assert.equal(withTiming(notes, notebook), notes.replace(/\| section[^]*?5 \|/, table));
  });

  it("renews the minutes of the syllabus and nothing else", () => {
    const notebook = parse(JSON.stringify({ cells: lesson() }), {
      file: "notebooks/08-coin.ipynb",
      kind: "lesson",
    });
    const text = "the [coin](other.ipynb) | 5 |\n| [08-coin](08-coin.ipynb) | 12      | 00 |\n";
    assert.equal(withMinutes(text, [notebook]), text.replace("12      |", "1       |"));
  });
});
