import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ESLint } from "eslint";
import { removeTemporaryFolders, runNode, temporaryFolder } from "../support/command.js";
import { root } from "../support/paths.js";

interface Violation {
  readonly from: string;
  readonly to: string;
  readonly rule: { readonly name: string };
}

/** What dependency-cruiser finds under this repository's rules in a checkout that has only the given files. */
async function violations(files: Readonly<Record<string, string>>): Promise<string[]> {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  const tool = path.join(root, "node_modules", "dependency-cruiser", "bin", "dependency-cruise.mjs");
  const config = path.join(root, ".dependency-cruiser.cjs");
  const sources = [...new Set(Object.keys(files).map((name) => name.split("/")[0]!))];
  const { stdout, stderr } = await runNode([tool, "--config", config, "--output-type", "json", ...sources], {
    cwd: folder,
  });
  assert.ok(stdout.startsWith("{"), stderr);
  const { summary } = JSON.parse(stdout) as { summary: { violations: Violation[] } };
  return summary.violations.map((v) => `${v.rule.name}: ${v.from} -> ${v.to}`).sort();
}

describe("architecture", function () {
  this.timeout(60_000);
  after(removeTemporaryFolders);

  it("lets a room import from the floors below, and from its own", async () => {
    const files = {
      "lib/turnwise/src/base/metrics.ts": "export type Metrics = Record<string, number>;",
      "lib/turnwise/src/rule/loss.ts":
        'import type { Metrics } from "../base/metrics"; export type A = Metrics;',
      "lib/turnwise/src/train/train.ts": 'export { type A } from "../rule/loss"; export * from "./step";',
      "lib/turnwise/src/train/step.ts": "export const step = 1;",
      "kernel/src/front/queue.ts": 'export * from "../protocol/wire";',
      "kernel/src/protocol/wire.ts": "export const wire = 1;",
    };
    assert.deepEqual(await violations(files), []);
  });

  const refused: readonly [string, Record<string, string>, string][] = [
    [
      "a value from a floor above",
      {
        "lib/turnwise/src/tensor/a.ts": 'export { b } from "../train/b";',
        "lib/turnwise/src/train/b.ts": "export const b = 1;",
      },
      "turnwise-tensor-imports-from-below: lib/turnwise/src/tensor/a.ts -> lib/turnwise/src/train/b.ts",
    ],
    [
      "a type from a floor above",
      {
        "kernel/src/protocol/a.ts": 'import type { B } from "../cli/b"; export type A = B;',
        "kernel/src/cli/b.ts": "export type B = 1;",
      },
      "kernel-protocol-imports-from-below: kernel/src/protocol/a.ts -> kernel/src/cli/b.ts",
    ],
    [
      "the whole library from one of its rooms",
      {
        "lib/turnwise/src/rule/a.ts": 'export { b } from "..";',
        "lib/turnwise/src/index.ts": "export const b = 1;",
      },
      "turnwise-rule-imports-from-below: lib/turnwise/src/rule/a.ts -> lib/turnwise/src/index.ts",
    ],
    [
      "a circle of types",
      {
        "lib/turnwise/src/env/a.ts": 'import type { B } from "./b"; export type A = B;',
        "lib/turnwise/src/env/b.ts": 'import type { A } from "./a"; export type B = A;',
      },
      "no-circles: lib/turnwise/src/env/a.ts -> lib/turnwise/src/env/b.ts",
    ],
    [
      "the kernel from the library",
      {
        "lib/turnwise/src/play/a.ts": 'export * from "../../../../kernel/src/b";',
        "kernel/src/b.ts": "export {};",
      },
      "turnwise-imports-packages-below: lib/turnwise/src/play/a.ts -> kernel/src/b.ts",
    ],
    [
      "the library from the kernel",
      {
        "kernel/src/display/a.ts": 'export * from "../../../lib/turnwise/src/base/b";',
        "lib/turnwise/src/base/b.ts": "export const b = 1;",
      },
      "kernel-imports-packages-below: kernel/src/display/a.ts -> lib/turnwise/src/base/b.ts",
    ],
    [
      "the site from the kernel",
      {
        "kernel/src/client/a.ts": 'export * from "../../../site/src/page/b";',
        "site/src/page/b.ts": "export const b = 1;",
      },
      "kernel-imports-packages-below: kernel/src/client/a.ts -> site/src/page/b.ts",
    ],
    [
      "a floor above in the site",
      {
        "site/src/types/a.ts": 'export * from "../cells/b";',
        "site/src/cells/b.ts": "export const b = 1;",
      },
      "site-types-imports-from-below: site/src/types/a.ts -> site/src/cells/b.ts",
    ],
    [
      "a lesson from another, even an earlier one",
      {
        "lib/course/src/04-echo-trap/a.ts": 'export * from "../01-grpo-from-scratch/b";',
        "lib/course/src/01-grpo-from-scratch/b.ts": "export const b = 1;",
      },
      "course-04-echo-trap-imports-from-below: lib/course/src/04-echo-trap/a.ts -> lib/course/src/01-grpo-from-scratch/b.ts",
    ],
    [
      "the code of another process of the kernel",
      {
        "kernel/src/front/a.ts": 'export * from "../session/b"; export * from "../session/messages";',
        "kernel/src/session/b.ts": "export const b = 1;",
        "kernel/src/session/messages.ts": "export const c = 1;",
      },
      "kernel-processes-apart: kernel/src/front/a.ts -> kernel/src/session/b.ts",
    ],
    [
      "Node's modules where the library must run in a browser",
      { "lib/turnwise/src/plot/a.ts": 'import fs from "node:fs"; export const a = fs;' },
      "lib-runs-in-a-browser: lib/turnwise/src/plot/a.ts -> fs",
    ],
    [
      "Node's modules in the site",
      { "site/src/page/a.ts": 'import fs from "node:fs"; export const a = fs;' },
      "site-has-no-node: site/src/page/a.ts -> fs",
    ],
    [
      "a room that stands on no floor",
      {
        "lib/turnwise/src/attic/a.ts": 'export * from "../base/b";',
        "lib/turnwise/src/base/b.ts": "export const b = 1;",
      },
      "turnwise-room-has-a-floor: lib/turnwise/src/attic/a.ts -> lib/turnwise/src/base/b.ts",
    ],
  ];
  /** In one checkout with all of them, files a and b of a case are named after it. */
  const numbered = (text: string, i: number): string =>
    text.replace(/\/([ab])(\.ts|"|$)/gm, (_, name: string, end: string) => `/${name}${String(i)}${end}`);
  const cases = refused.map(([what, files, violation], i) => ({
    what,
    files: Object.fromEntries(
      Object.entries(files).map(([name, text]) => [numbered(name, i), numbered(text, i)]),
    ),
    violation: violation.replaceAll(/\/([ab])\.ts/g, `/$1${String(i)}.ts`),
  }));
  let found: readonly string[];
  before(async () => {
    found = await violations(Object.assign({}, ...cases.map(({ files }) => files)) as Record<string, string>);
  });
  for (const { what, violation } of cases) {
    it(`refuses ${what}`, () => {
      assert.ok(found.includes(violation), found.join("\n"));
    });
  }

  it("refuses nothing else in these files", () => {
    assert.deepEqual(found, cases.map(({ violation }) => violation).sort());
  });

  it("asks a file of more than 300 lines why it is one, at its head", async () => {
    const eslint = new ESLint({ cwd: root });
    const lint = async (head: string, lines: number): Promise<(string | null)[]> => {
      const text = `${head}\n${"export {};\n".repeat(lines - 1)}`;
      const [result] = await eslint.lintText(text, {
        filePath: path.join(root, "lib/turnwise/src/env/long.ts"),
      });
      return result!.messages.map(({ ruleId }) => ruleId);
    };
    const reason = "/** One file because its parts are steps of one algorithm. */";
    assert.deepEqual(await lint("/** An algorithm. */", 300), []);
    assert.deepEqual(await lint("/** An algorithm. */", 301), ["house/one-file"]);
    assert.deepEqual(await lint("/** One file because */", 301), ["house/one-file"]);
    assert.deepEqual(await lint(reason, 301), []);
    assert.deepEqual(await lint(`export const a = 1;\n${reason}`, 302), ["house/one-file"]);
  });

  it("lets no source write a file in place, unless a comment says why nothing can be lost", async () => {
    const eslint = new ESLint({ cwd: root });
    const lint = async (lines: readonly string[], file: string): Promise<string[]> => {
      const text = lines.join("\n") + "\n";
      const [result] = await eslint.lintText(text, { filePath: path.join(root, file) });
      return result!.messages
        .map(({ ruleId }) => ruleId)
        .filter((rule) => rule === "house/whole-files") as string[];
    };
    const writes = [
      'fs.writeFileSync("a", "");',
      'await fs.promises.writeFile("a", "");',
      'writeFile("a", "");',
      'fs.createWriteStream("a");',
      'fs.truncateSync("a");',
      'copyFileSync("a", "b");',
      'fs.openSync("a", "w");',
    ];
    for (const file of [
      "lib/turnwise/src/sweep/x.ts",
      "kernel/src/cli/x.ts",
      "kernel/bootstrap/x.cjs",
      ".ci/x.cjs",
    ]) {
      for (const write of writes) {
        assert.deepEqual(await lint([write], file), ["house/whole-files"], `${file}: ${write}`);
        assert.deepEqual(await lint(["// In place: a file of ours.", write], file), []);
      }
      assert.deepEqual(await lint(["// In place:", writes[0]!], file), ["house/whole-files"]);
      assert.deepEqual(
        await lint(['fs.openSync("a", "wx");', 'replaceFile("a", "");', 'fs.appendFileSync("a", "");'], file),
        [],
      );
    }
  });
});
