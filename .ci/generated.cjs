"use strict";
// Every committed file that a program of this repository writes, in one place.
//   npm run generated              rewrites them
//   npm run generated -- --check   says which of them differ from what their sources give
const { spawnSync } = require("node:child_process");
const { readFileSync } = require("node:fs");
const path = require("node:path");
const { replaceFile } = require("../kernel/bootstrap/replace-file.cjs");
const { picture } = require("./architecture.cjs");

const root = path.resolve(__dirname, "..");
const read = (file) => readFileSync(path.join(root, file), "utf8");
const inFolder = (folder, texts) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [`${folder}/${name}`, text]));

/** A README with the table that a function puts between its markers. */
const withTable = (readme, put) => ({ [readme]: put(read(readme)) });

/** The text as Prettier leaves it in that file. */
async function formatted(file, text) {
  const prettier = await import("prettier");
  const filepath = path.join(root, file);
  return prettier.format(text, { ...(await prettier.resolveConfig(filepath)), filepath });
}

/** The tools of the library's worlds, between their markers. */
function withToolsTable(text) {
  const { libraryWorlds } = require("../lib/turnwise/dist/env/worlds");
  const { usageOf, valuesText } = require("../lib/turnwise/dist/env/tool/declared");
  const escaped = (cell) => cell.replaceAll("|", "\\|");
  const rows = libraryWorlds.flatMap(({ id, make }) =>
    (make({}).spec.tools ?? []).map((tool) => {
      const of = tool.parameters.map((parameter) => `\`${parameter.name}\`: ${valuesText(parameter, 5)}`);
      return [`\`${id}\``, `\`${usageOf(tool)}\``, tool.about, of.join("; ") || "-"];
    }),
  );
  const table = [["world", "call", "meaning", "arguments"], Array(4).fill("---"), ...rows]
    .map((cells) => `| ${cells.map(escaped).join(" | ")} |`)
    .join("\n");
  const { betweenMarkers } = require("../lib/turnwise/dist/base/betweenMarkers");
  return betweenMarkers(text, "tools", table);
}

/** The objects that the kernel shows richly, between their markers. */
function withAdapterTable(text) {
  const { adapters } = require("../kernel/dist/display/adapters");
  const rows = adapters.map(({ shows, types }) => [shows, types.map((type) => `\`${type}\``).join(", ")]);
  const table = [["objects", "media types"], Array(2).fill("---"), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
  const { betweenMarkers } = require("../lib/turnwise/dist/base/betweenMarkers");
  return betweenMarkers(text, "adapters", table);
}

/** The page of the report card, its pictures, and the line of each recipe for `explain`. */
async function reportCard() {
  const { storedCard } = require("../lib/turnwise/dist/card/stored");
  const page = require("../lib/turnwise/dist/card/page");
  const { renderSvg } = require("../lib/turnwise/dist/plot");
  const card = storedCard(read("datasets/measured/report-card.jsonl"));
  const pictures = {};
  for (const [name, options] of Object.entries(page.pagePictures)) {
    const spec = card.chart(options).toSpec();
    // The page says in words what a picture shows; a label for each of its marks would make it three times as long.
    pictures[`lib/turnwise/report-card/${name}.svg`] = await renderSvg({
      ...spec,
      config: { ...spec.config, aria: false },
    });
  }
  const lines = "lib/turnwise/src/rule/measuredUpdates.ts";
  return {
    ...pictures,
    "lib/turnwise/REPORT-CARD.md": await formatted("lib/turnwise/REPORT-CARD.md", page.reportCardPage(card)),
    [lines]: await formatted(lines, page.measuredUpdates(card)),
  };
}

/** Generated files: their sources, and a function that returns the text of each file. The library is loaded late, after a build. */
const artifacts = [
  {
    from: "the schema of Jupyter's widgets",
    make: async () => {
      const file = "kernel/src/widgets/generated.ts";
      const { widgets } = await import("../kernel/scripts/generate-widgets.mjs");
      return { [file]: await formatted(file, widgets) };
    },
  },
  {
    from: "the magics",
    make: async () => {
      const file = "kernel/MAGICS.md";
      const { magicsPage } = require("../kernel/dist/magics/page");
      return { [file]: await formatted(file, magicsPage(require("../kernel/dist/magics").magics)) };
    },
  },
  {
    from: "the adapters of the kernel's display",
    make: async () => {
      const file = "kernel/DISPLAY.md";
      return { [file]: await formatted(file, withAdapterTable(read(file))) };
    },
  },
  {
    from: "the kernels in lib/turnwise/native",
    make: () => ({
      "lib/turnwise/src/tensor/fused/binary.ts": require("../lib/turnwise/native/wasm.cjs").compile(),
    }),
  },
  {
    from: "the gradients of TensorFlow.js",
    make: async () => ({
      "lib/turnwise/vendor/tfjs-gradients/index.js": (
        await import("../lib/turnwise/vendor/tfjs-gradients/bundle.mjs")
      ).gradients,
    }),
  },
  {
    from: "training every recipe on LookUp-v0",
    make: async () => ({
      "lib/turnwise/src/rule/measured.ts": await require("../lib/turnwise/bin/measure.cjs").measured(),
    }),
  },
  {
    from: "the recipes",
    make: () => withTable("lib/turnwise/README.md", require("../lib/turnwise/dist/rule").withRecipeTable),
  },
  {
    from: "the rows beside released code",
    make: () =>
      withTable(
        "lib/turnwise/CONFORMANCE.md",
        require("../build/test/conformance/table.js").withConformanceTable,
      ),
  },
  {
    from: "the cards of the recipes",
    make: () => {
      const ruleTable = require("../lib/turnwise/dist/exact/checkRule/ruleTable.js");
      const cards = ruleTable.ruleCards();
      return {
        ...withTable("lib/turnwise/src/exact/README.md", (text) => ruleTable.withRuleTable(text, cards)),
        "datasets/measured/rule-checks.jsonl": ruleTable.ruleChecks(cards),
      };
    },
  },
  {
    from: "datasets/measured/environments.csv",
    make: () =>
      withTable(
        "lib/turnwise/src/env/README.md",
        require("../datasets/measure-environments.cjs").withMeasuredTable,
      ),
  },
  {
    from: "the tools that the worlds declare",
    make: () => withTable("lib/turnwise/src/env/README.md", withToolsTable),
  },
  {
    from: "datasets/measured/policies.csv",
    make: () =>
      withTable(
        "lib/turnwise/src/policy/README.md",
        require("../datasets/measure-policies.cjs").withMeasuredTable,
      ),
  },
  {
    from: "datasets/measured/report-card.jsonl",
    make: reportCard,
  },
  {
    from: "the task generators of the environments",
    make: () => inFolder("datasets/tasks", require("../datasets/generate.cjs").files()),
  },
  {
    from: "a collapse in the metric names of other frameworks",
    make: async () => inFolder("datasets/logs", await require("../datasets/logs/make-logs.cjs").logs()),
  },
  {
    from: "runs that break in one way each, made up for docs/debugging.md",
    make: () => inFolder("datasets/debugging", require("../datasets/debugging/make-examples.cjs").examples()),
  },
  {
    from: "datasets/measured/echo-trap-alarms.csv",
    make: async () => {
      const file = "lib/practice/src/report/alarmWorth.ts";
      const { alarmWorthSource } = require("../lib/course/dist/04-echo-trap/alarms/worth");
      return {
        [file]: await formatted(file, alarmWorthSource(read("datasets/measured/echo-trap-alarms.csv"))),
      };
    },
  },
  {
    from: "datasets/measured/echo-trap.csv",
    make: async () => {
      const { decidePage } = require("../lib/course/dist/decide/page");
      const texts = decidePage(read("datasets/measured/echo-trap.csv"));
      const page = "docs/how-we-decide.md";
      return { ...texts, [page]: await formatted(page, texts[page]) };
    },
  },
  {
    from: "datasets/measured/public-logs.jsonl",
    make: async () => {
      const file = "lib/practice/src/report/healthyLogs.ts";
      const rows = read("datasets/measured/public-logs.jsonl")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
        .filter(({ verdict }) => verdict === "held")
        .map(({ repository, path: at, commit, steps, alarms, blind }) => ({
          repository,
          path: at,
          commit: commit.slice(0, 10),
          steps,
          alarms,
          blind,
        }));
      const source = read(file).replace(
        /(healthyLogs: readonly HealthyLog\[\] = )[\s\S]*/,
        `$1${JSON.stringify(rows)};\n`,
      );
      return { [file]: await formatted(file, source) };
    },
  },
  {
    from: "episodes of a fresh policy, and of one in the middle of a run",
    make: async () =>
      inFolder(
        "datasets/trajectories",
        await require("../datasets/trajectories/make-trajectories.cjs").trajectories(),
      ),
  },
  {
    from: "the training by TRL in datasets/trl-lookup",
    make: async () => ({ "docs/trl.svg": await require("../build/test/trl/picture.js").curves() }),
  },
  {
    from: "the imports between the folders of a package",
    make: async () => ({
      "docs/architecture.svg": await picture("lib/turnwise"),
      "kernel/architecture.svg": await picture("kernel"),
    }),
  },
];

/** The files of one artifact whose text differs from what is committed, with the text that they should have. */
async function differing(artifact) {
  const current = (file) => {
    try {
      return read(file);
    } catch {
      return undefined;
    }
  };
  return Object.entries(await artifact.make()).filter(([file, text]) => current(file) !== text);
}

/** Whether all compiles. What does not may be just what is to be generated: the errors are shown, and it goes on. */
function builds() {
  const tsc = path.join(root, "node_modules", "typescript", "bin", "tsc");
  return spawnSync(process.execPath, [tsc, "-b"], { cwd: root, stdio: "inherit" }).status === 0;
}

async function main(check) {
  let compiled = builds();
  let stale = 0;
  for (const artifact of artifacts) {
    for (const [file, text] of await differing(artifact)) {
      stale++;
      if (!check) replaceFile(path.join(root, file), text);
      console.log(`${check ? "stale" : "written"}: ${file}, from ${artifact.from}`);
    }
  }
  if (stale === 0) console.log("All generated files are what their sources give");
  if (!check && stale > 0) compiled = builds();
  process.exitCode = compiled && !(check && stale > 0) ? 0 : 1;
}

module.exports = { artifacts, differing };

if (require.main === module) void main(process.argv.includes("--check"));
