"use strict";
// What a new rule, world, magic, command or lesson still lacks, with the file and what to add: `npm run left-out`, and `npm run check`.
// It reads sources as text, so it also answers while they do not compile. Compiler and tests check the parts themselves; this names
// all places at once, including those that nothing else misses, such as a magic's test.
const fs = require("node:fs");
const path = require("node:path");

const rule = "lib/turnwise/src/rule";
const env = "lib/turnwise/src/env";
const course = "lib/course/src";

/** The folders of commands, and the packages that declare them. */
const commandFolders = {
  "kernel/src/cli/commands": "kernel",
  "lib/turnwise/src/command": "lib/turnwise",
  "lib/practice/src/commands": "lib/practice",
  "lib/course/src/commands": "lib/course",
};

/** Files of a repository; `changed` replaces some of them by other text, or removes them (null), for tests. */
class Sources {
  #texts = new Map();
  constructor(root, changed = {}) {
    this.root = root;
    this.changed = changed;
  }

  /** The files below a folder whose path matches. */
  below(folder, matches = /./) {
    const there = fs.existsSync(path.join(this.root, folder))
      ? fs.readdirSync(path.join(this.root, folder), { recursive: true, withFileTypes: true })
      : [];
    const files = there
      .filter((entry) => entry.isFile())
      .map((entry) =>
        path.relative(this.root, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"),
      );
    const added = Object.keys(this.changed).filter((file) => file.startsWith(`${folder}/`));
    return [...new Set([...files, ...added])]
      .filter((file) => this.changed[file] !== null && matches.test(file))
      .sort();
  }

  has(file) {
    if (file in this.changed) return this.changed[file] !== null;
    return fs.existsSync(path.join(this.root, file));
  }

  read(file) {
    if (file in this.changed) return this.changed[file] ?? "";
    if (!this.#texts.has(file)) this.#texts.set(file, this.#onDisk(file));
    return this.#texts.get(file);
  }

  #onDisk(file) {
    if (this.has(file)) return fs.readFileSync(path.join(this.root, file), "utf8");
    throw new Error(
      `Cannot look for what is left out: ${file} is gone; correct its path in .ci/left-out.cjs.`,
    );
  }

  /** Whether a file, or any of several, has the pattern. */
  finds(files, pattern) {
    return [files].flat().some((file) => pattern.test(this.read(file)));
  }
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const word = (text) => new RegExp(`(?<![\\w-])${escaped(text)}(?![\\w-])`);
const quoted = (text) => new RegExp(`"${escaped(text)}"`);
const key = (text) => new RegExp(`^ +"?${escaped(text)}"?:`, "m");

/** One place: where, whether it is there, and what to do if not. */
const place = (file, there, add) => ({ file, there, add });

const kinds = {
  magic: {
    list: (s) =>
      s.below("kernel/src/magics", /\.ts$/).flatMap((file) => {
        const found = s
          .read(file)
          .matchAll(/^export (?:const|function) (\w+).*\{\n(?: +return \{\n)?\s+name: "([^"]+)"/gm);
        return [...found].map(([, constant, name]) => ({ name, constant, file }));
      }),
    places: (s, { name, constant }) => {
      // A cell that is refused, and the magics of other kernels, do not run it.
      const called =
        name === "!" || name === "shell"
          ? /["'`(\n]!\w/
          : new RegExp(`(?:(?<!refusal\\()["'\`]|\\\\n|^)%%?${escaped(name)}\\b`, "m");
      const tests = s
        .below("test/kernel", /\.test\.ts$/)
        .filter((file) => file !== "test/kernel/habits-of-others.test.ts");
      return [
        place(
          "kernel/src/magics/index.ts",
          s.finds("kernel/src/magics/index.ts", word(constant)),
          `import ${constant} and add it to the list`,
        ),
        place("test/kernel/magics.test.ts", s.finds(tests, called), `a test that runs %${name} in a cell`),
        place(
          "kernel/MAGICS.md",
          s.finds(
            "kernel/MAGICS.md",
            name === "!" || name === "shell" ? /`!/ : new RegExp(`\`%%?${escaped(name)}\\b`),
          ),
          "npm run generated",
        ),
      ];
    },
  },

  command: {
    list: (s) =>
      Object.entries(commandFolders).flatMap(([folder, home]) =>
        s
          .below(folder, /\.ts$/)
          // In the library's folder, other files are what all commands share.
          .filter(
            (file) =>
              home !== "lib/turnwise" || /^export (?:const|(?:async )?function) run\b/m.test(s.read(file)),
          )
          .map((file) => ({ name: path.posix.basename(file, ".ts"), home, file })),
      ),
    places: (s, { name, home }) => {
      const declaring = `${home}/package.json`;
      const manifest = JSON.parse(s.read(declaring));
      const places = [
        place(
          declaring,
          Object.hasOwn(manifest.jupyterKernel.commands, name),
          `"${name}" in jupyterKernel.commands: its summary and its module`,
        ),
      ];
      if (home === "kernel") {
        places.push(
          place(
            "kernel/src/cli/commands.ts",
            s.finds("kernel/src/cli/commands.ts", new RegExp(`"\\./commands/${escaped(name)}\\.js"`)),
            `import ${name} and add it to the table`,
          ),
        );
      }
      if (home === "lib/turnwise") {
        places.push(
          place(
            "test/cli/commands.test.ts",
            s.finds(
              "test/cli/commands.test.ts",
              new RegExp(`declared\\("turnwise"\\), \\[[^\\]]*"${escaped(name)}"`),
            ),
            `"${name}" in the list of the library's own commands`,
          ),
        );
      } else {
        places.push(
          place(
            "lib/turnwise/src/command/main.ts",
            s.finds(
              "lib/turnwise/src/command/main.ts",
              new RegExp(`"${manifest.name}": \\[[^\\]]*"${escaped(name)}"`),
            ),
            `"${name}" in elsewhere, so that the error names the package to install`,
          ),
        );
      }
      return [
        ...places,
        place(
          "kernel/README.md",
          s.finds("kernel/README.md", new RegExp(`^  ${escaped(name)} `, "m")),
          "the output of turnwise --help",
        ),
        place(
          `test/cli/${name}.test.ts`,
          s.finds(
            ["cli", "runner"].flatMap((folder) => s.below(`test/${folder}`, /\.test\.ts$/)),
            new RegExp(`turnwise\\(\\[\\s*"${escaped(name)}"`),
          ),
          `a test that runs turnwise(["${name}", ...])`,
        ),
      ];
    },
  },

  world: {
    list: (s) =>
      s.below(env, /\.ts$/).flatMap((file) => {
        const found = /^export const (\w+) = world\(\{\s+id: "([^"]+)"/m.exec(s.read(file));
        return found ? [{ name: found[2], constant: found[1], file }] : [];
      }),
    places: (s, { name, constant }) => [
      place(
        `${env}/worlds.ts`,
        s.finds(`${env}/worlds.ts`, word(constant)),
        `import ${constant} and add it to the list`,
      ),
      place(
        "test/lib/env",
        s.finds(s.below("test/lib/env", /\.test\.ts$/), word(name)),
        "a test with the optimum worked out by hand, and expectGolden for the transcript",
      ),
      place(
        `test/lib/env/transcripts/${name}.txt`,
        s.has(`test/lib/env/transcripts/${name}.txt`),
        "UPDATE_TRANSCRIPTS=1 npm test -- test/lib/env",
      ),
      ...["environments", "policies"].map((table) =>
        place(
          `datasets/measured/${table}.csv`,
          s.finds(`datasets/measured/${table}.csv`, word(name)),
          `node datasets/measure-${table}.cjs ${name}, and the new numbers of rows in datasets/README.md`,
        ),
      ),
      ...["env", "policy"].map((folder) =>
        place(
          `lib/turnwise/src/${folder}/README.md`,
          s.finds(`lib/turnwise/src/${folder}/README.md`, word(name)),
          "npm run generated",
        ),
      ),
    ],
  },

  "value of a choice": {
    list: (s) =>
      [
        "advantage",
        "aggregate",
        "correction",
        "filter",
        "forks",
        "gate",
        "order",
        "order/carries",
        "ratio",
        "scale",
        "stepScale",
      ].flatMap((choice) =>
        s.below(`${rule}/${choice}`, new RegExp(`^${rule}/${choice}/\\w+\\.ts$`)).flatMap((file) => {
          const found = /^export const (\w+) = \w+\(\{\n\s+help:/m.exec(s.read(file));
          if (!found) return [];
          // Where its name is a word of the language, the list gives it: `return: rawReturn`.
          const renamed = new RegExp(`(\\w+): ${found[1]}\\b`).exec(s.read(`${rule}/${choice}/index.ts`));
          return [{ name: renamed?.[1] ?? found[1], choice, file }];
        }),
      ),
    places: (s, { name, choice }) => {
      const tests = s.below("test/lib", /\.tsx?$/);
      const own = tests.filter((file) => file !== "test/lib/rule/parts.test.ts");
      const places = [
        place(
          `${rule}/${choice}/index.ts`,
          s.finds(`${rule}/${choice}/index.ts`, word(name)),
          `import ${name} and add it to the list`,
        ),
        place(
          `test/lib/rule/${choice.split("/")[0]}.test.ts`,
          s.finds(own, quoted(name)),
          `a case on each side of a bound, worked out by hand`,
        ),
      ];
      if (choice === "advantage") {
        const kinds = "test/lib/rule/advantageKinds.test.ts";
        places.push(
          place(
            kinds,
            name === "custom" || s.finds(kinds, quoted(name)),
            "its name in the lists of what it compares, keeps, or leaves alone",
          ),
          ...["verl", "openRlhf"].map((trainer) => {
            const file = `lib/practice/src/configs/${trainer}/write.ts`;
            return place(file, s.finds(file, word(name)), "the trainer's nearest estimator");
          }),
        );
      }
      if (choice === "gate") {
        const parts = s.read("test/lib/rule/parts.test.ts");
        places.push(
          place(
            `${rule}/rules`,
            name === "none" ||
              s.finds(
                s.below(`${rule}/rules`),
                new RegExp(`gate: (?:"${name}"|\\{ kind: "${name}")|${name}Gate|\\bclipFields\\b`),
              ),
            "a rule that uses it, or knip reports it as unused",
          ),
          place(
            "test/lib/rule/parts.test.ts",
            new RegExp(`^ +gate: "[^"]*\\b${name}\\b`, "m").test(parts),
            "its name in the list of gates",
          ),
          place(
            "test/lib/rule/parts.test.ts",
            new RegExp(`\\["${name}", (?:true|false), "`).test(parts),
            "its line in the table of what a gate says",
          ),
          ...["trl", "verl", "openRlhf"].map((trainer) => {
            const file = `lib/practice/src/configs/${trainer}/write.ts`;
            return place(file, s.finds(file, word(name)), "its flags, or what the trainer does instead");
          }),
        );
      }
      return places;
    },
  },

  rule: {
    list: (s) =>
      s
        .below(`${rule}/rules`, /\.ts$/)
        .flatMap((file) =>
          [...s.read(file).matchAll(/^ {2}(\w+): \{\n {4}title: "/gm)].map(([, name]) => ({ name, file })),
        ),
    places: (s, { name }) => [
      place(
        "lib/turnwise/src/plot/ruleStyle.ts",
        s.finds("lib/turnwise/src/plot/ruleStyle.ts", quoted(name)),
        "its name after the last of a hue: the color and dash that it has in every chart",
      ),
      place(
        "test/oracle/oracle.py",
        s.finds("test/oracle/oracle.py", quoted(name)),
        "the paper's formula and a line in main; then run it, which renews test/oracle/fixture.json",
      ),
      place(
        "test/oracle/fixture.json",
        s.finds("test/oracle/fixture.json", quoted(name)),
        "python test/oracle/oracle.py",
      ),
      place(
        "test/conformance/comparisons.ts",
        s.finds(
          s.below("test/conformance", /\.ts$/),
          new RegExp(`row: "${name}"|^ +${name}:|^ +${name},|"${name}"`, "m"),
        ),
        "a comparison with released code, or the reason in unreleased",
      ),
      place(
        "datasets/measured/report-card.jsonl",
        s.finds("datasets/measured/report-card.jsonl", quoted(name)),
        "node datasets/measure-report-card.cjs",
      ),
      ...["rule-curves", "rule-board"].map((table) =>
        place(
          `datasets/measured/${table}.csv`,
          s.finds(`datasets/measured/${table}.csv`, new RegExp(`^${escaped(name)},`, "m")),
          "node datasets/measure-rules.cjs",
        ),
      ),
      ...["measured", "measuredUpdates"].map((file) =>
        place(`${rule}/${file}.ts`, s.finds(`${rule}/${file}.ts`, key(name)), "npm run generated"),
      ),
      place(
        "lib/turnwise/README.md",
        s.finds("lib/turnwise/README.md", new RegExp(`\`${name}\``)),
        "npm run generated",
      ),
    ],
  },

  lesson: {
    list: (s) => {
      const names = s.below(course, /^lib\/course\/src\/\d\d-[^/]+\//).map((file) => file.split("/")[3]);
      const last = names.sort().at(-1);
      return [...new Set(names)].map((name) => ({
        name,
        file: `${course}/${name}`,
        isLast: name === last,
      }));
    },
    places: (s, { name, file: folder, isLast }) => {
      const bare = name.replace(/^\d\d-/, "");
      const inFolder = (file, add) => place(`${folder}/${file}`, s.has(`${folder}/${file}`), add);
      const solutions = s
        .below(`${folder}/solutions`, /\.ipynb$/)
        .map((file) => path.posix.basename(file, ".ipynb"));
      const checks = s
        .below(`${folder}/exercise`, /\.ts$/)
        .flatMap((file) =>
          [...s.read(file).matchAll(/^export (?:async )?function (check\w+)/gm)].map(([, check]) => check),
        );
      return [
        inFolder("index.ts", "what its notebook imports"),
        inFolder("lesson.ts", "its ledger"),
        inFolder("teacher.md", "goals, timing, questions of students, misconceptions"),
        place(
          `notebooks/${name}.ipynb`,
          s.has(`notebooks/${name}.ipynb`),
          "the notebook; npm run form says what it lacks",
        ),
        place(
          "notebooks/README.md",
          s.finds("notebooks/README.md", word(`${name}.ipynb`)),
          "its line in the syllabus",
        ),
        place(
          "lib/course/package.json",
          s.finds("lib/course/package.json", quoted(`./${bare}`)),
          `"./${bare}" in exports`,
        ),
        place(
          `${course}/claims.ts`,
          s.finds(`${course}/claims.ts`, quoted(`./${name}/lesson`)),
          "one import and one line",
        ),
        place(
          "ARCHITECTURE.md",
          !isLast || s.finds("ARCHITECTURE.md", word(`${name}/`)),
          "its folder as the last of the lessons",
        ),
        place(
          "test/notebooks",
          s.finds(s.below("test/notebooks", /\.test\.ts$/), word(name)),
          "a test that computes the figures of its ledger again",
        ),
        place(`${folder}/solutions`, solutions.length > 0, "the solution of an exercise"),
        ...checks.map((check) =>
          place(
            `${course}/exercise/checkExercise.ts`,
            s.finds(`${course}/exercise/checkExercise.ts`, word(check)),
            `${check}: one import and one line in each table`,
          ),
        ),
        ...solutions.flatMap((exercise) => [
          place(
            `notebooks/exercises/${exercise}.ipynb`,
            s.has(`notebooks/exercises/${exercise}.ipynb`),
            "its stub, by nbgrader generate_assignment",
          ),
          place(
            "notebooks/exercises/README.md",
            s.finds("notebooks/exercises/README.md", word(`${exercise}.ipynb`)),
            `a row for ${exercise}`,
          ),
          place(
            `${course}/shared/exercise/next.ts`,
            s.finds(`${course}/shared/exercise/next.ts`, quoted(exercise)),
            `"${exercise}" in the order of the course`,
          ),
          place(
            "test/notebooks/nbgrader/wrongAnswers.ts",
            s.finds("test/notebooks/nbgrader/wrongAnswers.ts", word(exercise)),
            `a wrong answer to ${exercise}`,
          ),
        ]),
      ];
    },
  },

  /** A notebook or an export whose lesson's folder was deleted. */
  "deleted lesson": {
    list: (s) => {
      const { exports } = JSON.parse(s.read("lib/course/package.json"));
      const exported = Object.values(exports).flatMap(({ types = "" }) =>
        [...types.matchAll(/^\.\/dist\/(\d\d-[^/]+)\//g)].map(([, name]) => ({
          name,
          file: "lib/course/package.json",
        })),
      );
      const notebooks = s
        .below("notebooks", /^notebooks\/\d\d-[^/]+\.ipynb$/)
        .map((file) => ({ name: path.posix.basename(file, ".ipynb"), file }));
      const exercises = [
        ...s.read(`${course}/shared/exercise/next.ts`).matchAll(/\["(\d\d)-[^"]+", "\w+"\]/g),
      ].map(([, number]) => ({ name: `${number}-`, file: `${course}/shared/exercise/next.ts` }));
      return [...exported, ...notebooks, ...exercises];
    },
    places: (s, { name, file }) => [
      place(
        file,
        s.below(course, new RegExp(`^${course}/${escaped(name)}`)).length > 0,
        "delete what belongs to it, or restore its folder",
      ),
    ],
  },
};

/** One line for each thing that is left out; throws where it recognizes nothing of a kind, as after a change of its form. */
function leftOut(root, changed) {
  const sources = new Sources(root, changed);
  return Object.entries(kinds).flatMap(([kind, { list, places }]) => {
    const all = list(sources);
    if (all.length === 0)
      throw new Error(
        `Cannot look for what is left out: no ${kind} was recognized; correct .ci/left-out.cjs.`,
      );
    return all.flatMap((one) =>
      places(sources, one)
        .filter(({ there }) => !there)
        .map(({ file, add }) => `${kind} ${one.name} (${one.file}): ${file}: ${add}`),
    );
  });
}

module.exports = { leftOut, kinds, Sources };

if (require.main === module) {
  const lines = leftOut(path.resolve(__dirname, ".."));
  for (const line of lines) console.error(line);
  if (lines.length === 0) console.log("nothing is left out of any rule, world, magic, command or lesson");
  process.exitCode = lines.length === 0 ? 0 : 1;
}
