import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { KernelClient } from "turnwise-kernel";
import { stillWorks } from "./stillWorks.js";
import { host, plain, resultText, startKernel, streamText } from "./with-kernel.js";

const mayBeDeclared = (name: string): boolean =>
  // Not the name of a cell's marks, either, nor what the last look at the session calls.
  /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) && !["eval", "__tw", "display"].includes(name);

/** Every name that the global object has, but for those that no file may declare. */
export const names: readonly string[] = Object.getOwnPropertyNames(globalThis).filter(mayBeDeclared);

/** Those of where the cells run: a worker of a page has others. */
async function namesIn(kernel: KernelClient): Promise<readonly string[]> {
  if (host === "node") return names;
  const { outputs } = await kernel.execute(`const own: string[] = [];
for (let at: any = globalThis; at !== Object.prototype; at = Object.getPrototypeOf(at)) own.push(...Object.getOwnPropertyNames(at));
console.log(own.join());`);
  return [
    ...new Set([
      ...names,
      ...streamText({ outputs } as never)
        .trim()
        .split(","),
    ]),
  ].filter(mayBeDeclared);
}

/** Ways to declare a name, and what says that it means what was declared. */
export const forms: Readonly<Record<string, (name: string) => readonly [declares: string, asks: string]>> = {
  class: (name) => [`class ${name} { own = 7 }`, `new ${name}().own`],
  const: (name) => [`const ${name} = 7;`, name],
  function: (name) => [`function ${name}() { return 7; }`, `${name}()`],
  enum: (name) => [`enum ${name} { A = 7 }`, `${name}.A`],
  namespace: (name) => [`namespace ${name} { export const a = 7; }`, `${name}.a`],
  import: (name) => [`import { ${name} } from "./own.js";`, name],
};

/** Declares every name by one of some forms in turn, in one session: it must mean that, and the session must still work. */
export async function declareAll(folder: string, some: readonly (keyof typeof forms)[]): Promise<void> {
  const kernel = await startKernel({ cwd: folder, env: { ...process.env, TURNWISE_TYPES: "off" } });
  try {
    const all = await namesIn(kernel);
    const own = all.map((name) => `module.exports[${JSON.stringify(name)}] = 7;`).join("\n");
    writeFileSync(join(folder, "own.js"), own);
    for (const [i, name] of all.entries()) {
      const [declares, asks] = forms[some[i % some.length]!]!(name);
      const result = await kernel.execute(`// @ts-nocheck\n${declares}\n${asks}`);
      assert.equal(result.status, "ok", `${declares}: ${plain(result.error?.traceback)}`);
      assert.equal(resultText(result), "7", declares);
      assert.equal(
        resultText(await kernel.execute(`(() => ${asks})()`)),
        "7",
        `${declares}, in a later cell`,
      );
    }
    await stillWorks(kernel);
  } finally {
    await kernel.shutdown();
  }
}
