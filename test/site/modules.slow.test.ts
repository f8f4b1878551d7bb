import assert from "node:assert/strict";
import path from "node:path";
import type { KernelClient } from "turnwise-kernel";
import { plain, resultText } from "../kernel/with-kernel.js";
import { patient } from "../support/patient.js";
import { root } from "../support/paths.js";
import { openLessonSite, type LessonSite } from "./sitePage.js";

describe("a reader's own modules in the built site", function () {
  this.timeout(patient(60_000));
  let site: LessonSite;
  let kernel: KernelClient;
  before(async function () {
    site = await openLessonSite(this);
    kernel = await site.start({ cwd: path.join(root, "notebooks") });
  });
  after(() => site?.close());

  async function value(code: string): Promise<string | undefined> {
    const result = await kernel.execute(code);
    assert.equal(result.status, "ok", plain(result.error?.traceback));
    return resultText(result);
  }
  const refusal = async (code: string): Promise<string> => {
    const { error } = await kernel.execute(code);
    assert.ok(error, "the cell must be refused");
    return error.evalue;
  };
  const write = (files: Readonly<Record<string, string>>): Promise<unknown> =>
    value(
      `import { writeFileSync } from "node:fs";\n` +
        `for (const [name, text] of Object.entries(${JSON.stringify(files)})) writeFileSync(name, text);\n0`,
    );

  it("await at their top level, TypeScript too, each behind what it imports, and again when one has changed", async () => {
    await write({
      "late.mjs": "globalThis.order = ['late']; export const late = await Promise.resolve(20);",
      "early.mjs": "globalThis.order.push('early'); export const early = 1;",
      "sum.ts":
        'import { late } from "./late.mjs";\nimport { early } from "./early.mjs";\nexport const sum: number = late + early;',
    });
    const sum = "// @ts-nocheck\nimport { sum } from './sum';\n`${sum} ${globalThis.order}`";
    assert.equal(await value(sum), "'21 late,early'");
    await write({ "late.mjs": "globalThis.order = []; export const late = await Promise.resolve(30);" });
    // Of early.mjs, which has not changed, what was loaded stays.
    assert.equal(await value(sum), "'31 '");
  });

  it("say which of them must not await, in a circle", async () => {
    await write({
      "a.mjs": 'import { b } from "./b.mjs"; export const a = await 1; export const c = b;',
      "b.mjs": 'import { a } from "./a.mjs"; export const b = 2; export const d = () => a;',
    });
    assert.equal(
      await refusal("// @ts-nocheck\nimport { a } from './a.mjs'"),
      "Cannot load /notebooks/a.mjs at once: it must not await at its top level. " +
        "Import it in a cell, and not in a circle of files.",
    );
  });

  it("find on the workers of a sweep what they import and read here, as it is now; what they write there comes back", async () => {
    await write({ "own.json": '{"power": 2}', "scale.txt": "3" });
    await value(
      `%%module scaled.ts
import { appendFileSync, readFileSync } from "node:fs";
import { custom, recipe } from "turnwise";
import own from "./own.json";

export const scaled = recipe("rloo", {
  advantage: custom("scaled", (batch) => {
    const scale = Number(readFileSync("scale.txt", "utf8"));
    appendFileSync("used.txt", \`\${scale} \`);
    return batch.return_n.map((R) => scale * R ** own.power);
  }),
});`,
    );
    await value(
      `import { trainSeeds } from "turnwise";
const bits = async (workers: number): Promise<string> =>
  JSON.stringify((await trainSeeds({ env: "LookUp-v0", recipe: scaled, updates: 2 }, 2, { workers, bar: false }))
    .runs.map((run) => run.map(({ metrics }) => metrics)));
0`,
    );
    const used =
      'import { readFileSync } from "node:fs";\nreadFileSync("used.txt", "utf8").trim().split(" ").at(-1)';
    assert.equal(await value("(await bits(2)) === (await bits(0))"), "true");
    await write({ "scale.txt": "5", "used.txt": "" });
    const before = await value("await bits(2)");
    assert.equal(await value(used), "'5'", "the file as it is now");
    assert.equal(before, await value("await bits(0)"));
  });

  it("cannot change how networks round once one has computed", async () => {
    const set = (relaxed: boolean): string =>
      `const browser = await import("turnwise/browser");\nbrowser.setUp({ relaxed: ${relaxed} }).relaxed`;
    const fresh = await site.start({ cwd: path.join(root, "notebooks") });
    const ran = async (code: string): Promise<string | undefined> => {
      const { error, ...result } = await fresh.execute(code);
      return error?.evalue ?? resultText(result as never);
    };
    assert.equal(await ran(set(false)), "false");
    assert.equal(await ran(set(true)), "true");
    await ran('(await import("turnwise/tensor")).fusedReport()');
    assert.equal(await ran(set(true)), "true");
    assert.equal(
      await ran(set(false)),
      "Cannot set relaxed to false: a network has already been computed in this thread, so its kernels are loaded, with relaxed true. Restart the kernel, " +
        "and call setUp before anything else.",
    );
  });
});
