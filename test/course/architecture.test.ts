import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { root } from "../support/paths.js";

const page = fs.readFileSync(path.join(root, "ARCHITECTURE.md"), "utf8");

/** Each section and the sources that its table describes; lessons share one row. */
const sections = {
  "The library": "lib/turnwise/src",
  Practice: "lib/practice/src",
  "The course": "lib/course/src",
  "The kernel": "kernel/src",
  "The site": "site/src",
} as const;

const sectionOf = (heading: string): string => {
  const from = page.indexOf(`\n## ${heading}\n`);
  assert.ok(from >= 0, `the section "${heading}" is missing`);
  return page.slice(from + 1).split(/\n## /)[0]!;
};

const foldersOf = (folder: string): string[] =>
  fs
    .readdirSync(path.join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

/** The text of a source, or of all sources of a folder. */
function read(name: string): string {
  const at = path.join(root, name);
  if (!fs.statSync(at).isDirectory()) return fs.readFileSync(at, "utf8");
  return fs
    .readdirSync(at, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => fs.readFileSync(path.join(at, file), "utf8"))
    .join("\n");
}

const escaped = (text: string): string => text.replace(/[()]/g, "\\$&");

/** Whether a source declares a name: as a constant, function, class or type, or as a field or method. */
const declares = (text: string, name: string): boolean =>
  new RegExp(`^(?:export )?(?:async )?(?:const|function|class|interface|type) ${escaped(name)}\\b`, "m").test(
    text,
  ) ||
  new RegExp(`^ +(?:readonly )?${escaped(name)}(?:\\??:|\\()`, "m").test(text) ||
  (name.startsWith("KERNEL(") && text.includes(`\n${name}(`));

describe("the architecture page", () => {
  for (const [heading, folder] of Object.entries(sections)) {
    it(`describes each folder of ${folder}, and names no other`, () => {
      const lesson = /^\d\d-/;
      const first = [...sectionOf(heading).matchAll(/^\| (`[^|]*`) +\|/gm)].map(([, cell]) => cell!);
      const named = first.flatMap((cell) => [...cell.matchAll(/`([\w-]+)\/`/g)].map(([, name]) => name!));
      const there = foldersOf(folder);
      const lessons = there.filter((name) => lesson.test(name)).sort();
      assert.deepEqual(
        named.filter((name) => lesson.test(name)),
        lessons.length > 0 ? [lessons[0], lessons.at(-1)] : [],
        "the row of lessons names the first and the last",
      );
      const others = (names: readonly string[]): string[] =>
        names.filter((name) => !lesson.test(name)).sort();
      assert.deepEqual(others(named), others(there));
    });
  }

  it("describes each package", () => {
    const { workspaces } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8")) as {
      workspaces: readonly string[];
    };
    for (const name of workspaces) {
      assert.match(sectionOf("The packages"), new RegExp(`^\\| [^|]*\`${name}/\``, "m"), name);
    }
  });

  it("names files and folders that exist", () => {
    const links = [...page.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, target]) => target!);
    assert.ok(links.length > 50, `${links.length} links`);
    const code = [...page.matchAll(/`((?:lib|kernel|site|test|\.ci)\/[\w./-]+)`/g)].map(([, name]) => name!);
    const commands = [...page.matchAll(/^node (\S+)/gm)].map(([, file]) => file!);
    const missing = [...links, ...code, ...commands].filter((name) => !fs.existsSync(path.join(root, name)));
    assert.deepEqual(missing, []);
  });

  it("names only what its files declare", () => {
    // A cell of a table or a paragraph. In it, "`name` in [file](path)" promises a declaration (of a metric, its quoted
    // name or the start of it); any other name, a mention in one of the files linked there.
    const parts = page.split(/\n{2,}|\n(?=\d+\. )|(?<!\\)\| /);
    const wrong: string[] = [];
    let names = 0;
    for (const part of parts) {
      const links = [...part.matchAll(/\]\(([^)#:]+\.\w+)\)/g)].map(([, file]) => file!);
      const sources = links.filter((file) => /\.(ts|h)$/.test(file));
      if (sources.length === 0) continue;
      for (const [, name, file] of part.matchAll(
        /`([A-Za-z][\w.]*(?:\(\w*\)|\/\w*)?)`(?: in \[[^\]]*\]\(([^)]+)\))?/g,
      )) {
        if (/\.(ts|json)$/.test(name!)) continue;
        names++;
        const words = name!.replace("()", "").split(".");
        const found = (text: string): boolean =>
          name!.includes("/")
            ? text.includes(`"${name}`)
            : file === undefined
              ? words.every((word) => new RegExp(`\\b${escaped(word)}(?!\\w)`).test(text))
              : words.every((word) => declares(text, word));
        if (!(file === undefined ? sources : [file]).some((one) => found(read(one)))) {
          wrong.push(`${name} is not in ${(file === undefined ? sources : [file]).join(", ")}`);
        }
      }
    }
    assert.ok(names > 30, `${names} names`);
    assert.deepEqual(wrong, []);
  });

  it("links to headings of its own that exist", () => {
    const anchors = [...page.matchAll(/^#+ (.+)$/gm)].map(([, text]) =>
      text!.toLowerCase().replaceAll(" ", "-"),
    );
    for (const [, anchor] of page.matchAll(/\]\(#([^)]+)\)/g)) assert.ok(anchors.includes(anchor!), anchor);
  });
});
