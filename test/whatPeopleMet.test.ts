import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { root } from "./support/paths.js";

/** What students and researchers met when they tried the course and the library, what they meet now, and what holds it. */
const rows: readonly {
  readonly where: string;
  readonly met: string;
  readonly now: string;
  /** A file in `test/`, and words of the title of a test in it. */
  readonly tests: readonly (readonly [file: string, title: string])[];
}[] = [
  {
    where: "own advantage, own gate, own loss",
    met: "impossible; a loop by hand loses train, sweep, charts and playground",
    now: "a function with a label stands in a row where a name stands; a gate or a whole loss is written on tensors",
    tests: [
      [
        "lib/rule/custom/custom.test.ts",
        "stands in a row where a name stands, and completes to the cell's own knobs",
      ],
      ["kernel/stories.ts", "a custom gate with stop-gradient: CISPO"],
      ["kernel/stories.ts", "a custom whole loss: the records of"],
      [
        "kernel/module-sweep.test.ts",
        "sweeps its pieces, world and policy over two threads as in this one, bit by bit",
      ],
    ],
  },
  {
    where: "own environment",
    met: 'no page; "already registered" when the cell runs twice; workers do not know it',
    now: "newWorld prints a cell to begin with; running it again replaces the world; %%module makes it known to threads",
    tests: [
      ["kernel/ownWorlds.test.ts", "comes from newWorld, runs as it is, and shows the card of the world"],
      ["kernel/ownWorlds.test.ts", "is replaced when the cell runs again, while what was made before stays"],
      ["kernel/stories.ts", "an own world from %%module, swept on two workers"],
    ],
  },
  {
    where: "own policy",
    met: "ten members by hand, backward included",
    now: "autodiffPolicy takes the forward pass alone, and checkPolicy tries it out",
    tests: [
      ["lib/policy/autodiff.test.ts", "is written and trained in eight lines"],
      [
        "lib/rollout/checkPolicy.test.ts",
        "passes a policy by its forward pass, and prints a card of what it saw",
      ],
    ],
  },
  {
    where: "trainSeeds",
    met: "serial, silent, all lost on interrupt",
    now: "on all cores, with bands that grow and a bar; an interrupt keeps the finished seeds, and resume goes on",
    tests: [
      [
        "lib/sweep/trainSeeds.test.ts",
        "gives the records of one thread bit by bit, in the order of the seeds",
      ],
      [
        "lib/sweep/trainSeeds.test.ts",
        "keeps the finished seeds at Ctrl-C in a script, which goes on with them",
      ],
      ["browser/ownIdea.slow.test.ts", "sees the bands of seeds and a bar grow, stops them with the button"],
    ],
  },
  {
    where: "learningCurve(seedRuns), learningCurve(sweep)",
    met: "refused",
    now: "both are drawn, and sweepTable takes a finished sweep",
    tests: [
      ["lib/sweep/runsOf.test.ts", "draw what a real sweep with curves and real seeds give"],
      ["lib/plot/cards.test.ts", "is its live table, and that of what it gave once it is finished"],
    ],
  },
  {
    where: "last expression make(), train(), recipe(), trainSeeds()",
    met: "internals, JSON, hundreds of lines",
    now: "a card: grids as grids, the row as a table, the run as a curve; display(x) shows no id",
    tests: [
      ["lib/env/drawGrid.test.ts", "is a card: what is written, said and hidden"],
      ["lib/plot/cards.test.ts", "is the row as a table, with what the row that it was made of has instead"],
      ["lib/plot/cards.test.ts", "draws its curve, gives its last figures, and says how to go on"],
      [
        "lib/plot/cards.test.ts",
        "draws each seed behind the mean, and says below five seeds that they decide nothing",
      ],
      ["lib/plot/cards.test.ts", "draws the first group of a batch, with the returns of all"],
      ["kernel/display.test.ts", "shows no id below what display has shown"],
    ],
  },
  {
    where: "forgotten await, missing import, option misspelt in JSON, train({ learningRate: 3 })",
    met: "\"Property 'runs' does not exist on type 'Promise'\"; nothing; accepted in silence",
    now: "did you forget await; import it from turnwise; the right name; refused, with the place where it stands",
    tests: [
      ["kernel/hints.test.ts", "ask after a forgotten await"],
      ["kernel/hints.test.ts", "say where a name that was not imported comes from"],
      ["kernel/hints.test.ts", "refuse it by its name also where it comes from JSON or a variable"],
      ["kernel/hints.test.ts", "refuse an option by its name, and say where it stands"],
      ["kernel/hints.test.ts", "show the line of the cell, however deep in the library they are thrown"],
    ],
  },
  {
    where: "make(' Tab, env: ' Tab, help(), help(\"LookUp-v0\")",
    met: 'nothing; a type error; "Nothing is known"',
    now: "ids, rules, options and metrics; an index with search; the world's page",
    tests: [
      [
        "kernel/hints.test.ts",
        "completes the ids of worlds, with a quote that is open or closed, half typed or not",
      ],
      ["kernel/hints.test.ts", "completes metric names, past their slash as well"],
      ["kernel/help.test.ts", "is an index of all that it answers to, by group, without anything"],
      ["kernel/help.test.ts", "tells of a world by its id, and of a policy by its kind"],
      ["browser/theme.slow.test.ts", "hides the lines without it, and opens the groups that have some"],
    ],
  },
  {
    where: "exports",
    met: "315, notebook internals beside train",
    now: "at most 120 in turnwise, the rest in tiers",
    tests: [["lib/tiers.test.ts", "exports at most"]],
  },
  {
    where: "playground",
    met: "old curves under a new world's title; 1583 px tall; alarms at reward 1",
    now: "one screen; a changed world clears the chart; a change counts at once or says that it waits",
    tests: [
      ["lib/play/playground.test.ts", "clears the chart and starts anew with another world"],
      ["lib/play/playground.test.ts", "and says that they wait for a restart"],
      ["browser/playground.slow.test.ts", "looks as it should in the light and in the dark theme"],
    ],
  },
  {
    where: "exercises",
    met: "collapsed hints show their whole text; solutions in the same folder; none after the first lessons",
    now: "folded hints, solutions outside, one exercise for each lesson, graded by nbgrader itself",
    tests: [
      ["notebooks/exercises.test.ts", "are one for each check, and each has its solution"],
      ["notebooks/exercises.test.ts", "with the hints folded"],
      [
        "notebooks/nbgrader.test.ts",
        "gives a wrong answer no point, and one sentence that names the mistake",
      ],
    ],
  },
  {
    where: "dark theme after the chart was drawn",
    met: "a white box",
    now: "charts, drawings and cards follow, in both directions",
    tests: [
      [
        "browser/theme.slow.test.ts",
        "wears the new theme at once: no box of the old one, and letters that can be read",
      ],
    ],
  },
  {
    where: "one seed, or 7 updates",
    met: 'zero-width intervals and "holds"; the ledger crashes',
    now: "no verdict below five seeds, no interval of a single run, and every lesson runs",
    tests: [
      ["lib/study/verdict/verdict.test.ts", "are withheld below five seeds, whatever the effect"],
      ["lib/study/verdict/verdict.test.ts", "give a single run no interval of no width"],
      ["lib/plot/cards.test.ts", "gives one seed no interval of no width, neither here nor in a chart"],
      ["notebooks/knobs.test.ts", "and decides nothing on fewer than five seeds"],
    ],
  },
  {
    where: "missing in the course",
    met: "GRPO from scratch; PPO and GAE; notes for teachers; slides",
    now: "lesson 01 writes GRPO by hand, with REINFORCE, PPO's clip and GAE on the way; notes and slides for each lesson",
    tests: [
      ["notebooks/grpo.test.ts", "repeats train() to the last digit, in every update of every seed"],
      ["notebooks/grpo.test.ts", "shows a lookup that the group blames and the critic praises"],
      ["course/form.test.ts", "lets a lesson pass that is as it should be"],
      ["runner/slides.test.ts", "describe("],
    ],
  },
];

describe("what people met", () => {
  for (const { where, tests } of rows) {
    it(`is held by tests: ${where}`, () => {
      assert.ok(tests.length > 0);
      for (const [file, title] of tests) {
        const source = path.join(root, "test", file);
        assert.ok(fs.existsSync(source), file);
        assert.ok(fs.readFileSync(source, "utf8").includes(title), `no test in ${file} says: ${title}`);
      }
    });
  }
});
