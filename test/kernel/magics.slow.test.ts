import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startRegistry } from "../support/registry.js";
import { resultText, runIn, sharedKernel, streamText, temporaryFolder } from "./with-kernel.js";

describe("magics", function () {
  this.timeout(120_000);
  const folder = temporaryFolder();
  const kernel = sharedKernel(() => ({ cwd: folder() }));

  const run = runIn(kernel);
  const printed = async (code: string): Promise<string> => streamText(await run(code));
  const refusal = async (code: string): Promise<string | undefined> =>
    (await kernel().execute(code)).error?.evalue;

  describe("that install", () => {
    it("ask a registry for a version, its types and what it depends on, and say what that does not have", async () => {
      const registry = await startRegistry(join(folder(), "registry"), [
        { name: "far-sum", version: "1.0.0", "index.js": "exports.sum = () => 'old';" },
        {
          name: "far-sum",
          version: "2.1.0",
          dependencies: { "far-base": "^1.0.0" },
          "index.js": "const { base } = require('far-base'); exports.sum = (a, b) => base + a + b;",
        },
        { name: "far-gone", version: "1.0.0", dependencies: { "@far/gone": "^1" } },
        { name: "far-base", version: "1.4.0", "index.js": "exports.base = 100;" },
        { name: "far-file", version: "1.0.0", "index.js": "exports.file = 1;" },
        ...["far-off", "danfojs-node"].map((name) => ({
          name,
          version: "1.0.0",
          dependencies: { "far-file": "http://127.0.0.1:9/far-file-2.0.0.tgz" },
          "index.js": "module.exports = require('far-file');",
        })),
        {
          name: "@types/far-sum",
          version: "2.0.0",
          types: "index.d.ts",
          "index.d.ts": "export declare function sum(a: number, b: number): number;",
        },
      ]);
      try {
        const from = `--registry=${registry.url} --cache=${join(folder(), "npm-cache")} --fetch-retries=0`;
        assert.match(
          await printed(`%install ${from} npm:far-sum@2`),
          new RegExp(`Installed far-sum in ${folder()}, with @types/far-sum\n$`),
        );
        // 100 of the package that it depends on, and 3 + 4.
        assert.equal(resultText(await run('import { sum } from "far-sum"; sum(3, 4)')), "107");
        assert.match((await refusal('sum(3, "4")'))!, /TS2345/);
        assert.match(
          (await refusal(`%install ${from} far-sum@7`))!,
          /the registry does not have that version, but others \(!npm view <package> versions\)$/,
        );
        assert.match(
          (await refusal(`%install ${from} far-away`))!,
          /the registry has no package of that name$/,
        );
        assert.match(
          (await refusal(`%install ${from} far-gone`))!,
          /the registry has no @far\/gone, which it depends on$/,
        );
        const elsewhere =
          /: npm must fetch http:\/\/127\.0\.0\.1:9\/far-file-2\.0\.0\.tgz, which is not in its registry, .*: ECONNREFUSED\. /;
        const far = (await refusal(`%install ${from} far-off`))!;
        assert.match(far, elsewhere);
        assert.match(far, /name another version of it under "overrides" in package\.json$/);
        const danfo = (await refusal(`%install ${from} danfojs-node`))!;
        assert.match(danfo, elsewhere);
        assert.match(danfo, /use arquero or nodejs-polars$/);
        const manifest = join(folder(), "package.json");
        writeFileSync(
          manifest,
          JSON.stringify({
            ...(JSON.parse(readFileSync(manifest, "utf8")) as object),
            overrides: { "far-file": "1.0.0" },
          }),
        );
        await printed(`%install ${from} far-off`);
        assert.equal(resultText(await run('// @ts-nocheck\nimport off from "far-off"; off.file')), "1");
      } finally {
        registry.close();
      }
    });
  });
});
