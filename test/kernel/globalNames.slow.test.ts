import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stillWorks } from "./stillWorks.js";
import { plain, resultText, startKernel, temporaryFolder } from "./with-kernel.js";

/** Every name that the global object has, but for those that no file may declare. */
const names = Object.getOwnPropertyNames(globalThis).filter(
  (name) => /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) && name !== "eval",
);

/** Ways to declare a name, and what says that it means what was declared. */
const forms: Readonly<Record<string, (name: string) => readonly [declares: string, asks: string]>> = {
  class: (name) => [`class ${name} { own = 7 }`, `new ${name}().own`],
  const: (name) => [`const ${name} = 7;`, name],
  function: (name) => [`function ${name}() { return 7; }`, `${name}()`],
  enum: (name) => [`enum ${name} { A = 7 }`, `${name}.A`],
  namespace: (name) => [`namespace ${name} { export const a = 7; }`, `${name}.a`],
  import: (name) => [`import { ${name} } from "./own.js";`, name],
};

describe("a cell that declares a name of the engine's or of Node's", function () {
  this.timeout(120_000);
  const folder = temporaryFolder();
  before(() => {
    const own = names.map((name) => `module.exports[${JSON.stringify(name)}] = 7;`).join("\n");
    writeFileSync(join(folder(), "own.js"), own);
  });

  for (const [form, of] of Object.entries(forms))
    it(`means it in this cell and in later ones, and takes it from nobody else: ${String(names.length)} names by ${form}`, async () => {
      const kernel = await startKernel({ cwd: folder(), env: { ...process.env, TURNWISE_TYPES: "off" } });
      try {
        for (const name of names) {
          const [declares, asks] = of(name);
          const result = await kernel.execute(`${declares}\n${asks}`);
          assert.equal(result.status, "ok", `${name}: ${plain(result.error?.traceback)}`);
          assert.equal(resultText(result), "7", name);
          assert.equal(resultText(await kernel.execute(`(() => ${asks})()`)), "7", `${name} in a later cell`);
        }
        await stillWorks(kernel);
      } finally {
        await kernel.shutdown();
      }
    });
});
