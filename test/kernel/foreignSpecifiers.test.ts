import assert from "node:assert/strict";
import {
  foreignSpecifier,
  installedSpecifier,
  otherVersion,
} from "turnwise-kernel/dist/types/foreign-specifier.js";
import { installHint } from "turnwise-kernel/dist/types/install-hint.js";
import { resultText, runIn, sharedKernel, streamText } from "./with-kernel.js";

describe("specifiers of Deno and of servers of packages", () => {
  const names: Record<string, string | undefined> = {
    "npm:lodash": "lodash",
    "npm:lodash@4.17.21/fp": "lodash/fp",
    "npm:/react@^18/jsx-runtime": "react/jsx-runtime",
    "npm:@scope/name@1/deep/path": "@scope/name/deep/path",
    "npm:@scope/name": "@scope/name",
    "jsr:@std/path@1/posix": "@jsr/std__path/posix",
    "jsr:/@std/encoding": "@jsr/std__encoding",
    "https://esm.sh/react@18.2.0?dev&target=es2022": "react",
    "https://esm.sh/v135/preact-render-to-string@6.0.2&external=preact": "preact-render-to-string",
    "https://esm.sh/*react-dom@18/server": "react-dom/server",
    "https://esm.sh/react@18.2.0/es2022/react.mjs": "react",
    "https://esm.sh/jsr/@std/path@1": "@jsr/std__path",
    "https://esm.sh/@observablehq/plot": "@observablehq/plot",
    "https://cdn.skypack.dev/pin/d3@v7.0.0-abc/mode=imports/optimized/d3.js": "d3",
    "https://cdn.skypack.dev/d3-array@3": "d3-array",
    "https://cdn.jsdelivr.net/npm/d3@7/+esm": "d3",
    "https://cdn.jsdelivr.net/npm/lodash-es@4/debounce.js": "lodash-es/debounce.js",
    "https://unpkg.com/three@0.150.0/build/three.module.js?module": "three",
    "https://unpkg.com/d3@7/d3.min.js": "d3",
    "https://unpkg.com/d3@7/": "d3",
    "https://ga.jspm.io/npm:react@18.2.0/index.js": "react",
    "https://jsr.io/@std/csv": "@jsr/std__csv",
    "https://jsr.io/@std/csv/1.0.5/mod.ts": "@jsr/std__csv",
    "https://jsr.io/@std/csv/1.0.5/parse.ts": "@jsr/std__csv/parse",
    "https://jsr.io/packages": undefined,
    // Sources that no package of npm holds, and names that Node knows.
    "https://esm.sh/gh/user/repository": undefined,
    "https://cdn.jsdelivr.net/gh/user/repository@1/file.js": undefined,
    "https://deno.land/x/oak/mod.ts": undefined,
    "https://deno.land/std@0.224.0/assert/mod.ts": "@jsr/std__assert",
    "https://deno.land/std/data_structures/mod.ts": "@jsr/std__data-structures",
    "https://deno.land/std@0.224.0/fmt/colors.ts": undefined,
    "https://example.com/npm/d3": undefined,
    lodash: undefined,
    "node:fs": undefined,
    "./npm": undefined,
    "@scope/name": undefined,
    "npm:": undefined,
    "jsr:path": undefined,
  };

  it("name the package that npm installs", () => {
    const read = Object.fromEntries(Object.keys(names).map((one) => [one, installedSpecifier(one)]));
    assert.deepEqual(read, names);
  });

  it("say what to write instead of an address", () => {
    assert.match(
      foreignSpecifier("https://deno.land/std@0.2/fmt/colors.ts")!,
      /import it from "jsr:@std\/fmt"/,
    );
    assert.match(foreignSpecifier("https://example.com/a.ts")!, /!curl -LO .* import it from "\.\/a\.ts"/);
    assert.equal(foreignSpecifier("node:fs"), undefined);
  });

  it("name what does the same for well-known modules of Deno", () => {
    assert.match(
      foreignSpecifier("https://deno.land/x/zod@v3.22.4/mod.ts")!,
      /import from "zod" instead, after %install zod; its exports may have other names$/,
    );
    assert.match(foreignSpecifier("https://deno.land/x/djwt/mod.ts")!, /import from "jose" instead/);
    assert.match(foreignSpecifier("https://deno.land/x/unheard_of/mod.ts")!, /install its package/);
    assert.match(
      foreignSpecifier("https://deno.land/std/path/posix.ts")!,
      /or use what Node has: node:path$/,
    );
    assert.doesNotMatch(foreignSpecifier("jsr:@std/csv")!, /what Node has/);
    assert.match(
      foreignSpecifier("jsr:@vega/vega-lite-api@1")!,
      /%install @jsr\/vega__vega-lite-api@1 --\S+, or %install vega-lite-api, which does the same, and import from "vega-lite-api"$/,
    );
  });

  it("name JSR for what deno.json maps to its standard library, and not a stranger's package of npm", () => {
    assert.match(
      installHint("@std/assert"),
      /%install @jsr\/std__assert --@jsr:registry=\S+, and import it from "jsr:@std\/assert"/,
    );
    assert.equal(installHint("@std/esm"), " Install it: %install @std/esm");
  });

  it("name the package for a specifier with a version, which Node does not know", () => {
    assert.equal(
      installHint("mathjs@12.3.0"),
      ' Install it: %install mathjs@12.3.0, and import it from "mathjs"',
    );
    assert.equal(installHint("@x/y@^1/z"), ' Install it: %install @x/y@^1, and import it from "@x/y"');
  });

  const fits: [specifier: string, installed: string, fits: boolean][] = [
    ["npm:x", "1.0.0", true],
    ["npm:x@4", "4.17.21", true],
    ["npm:x@3", "4.17.21", false],
    ["npm:x@2.29.4", "2.31.0", false],
    ["npm:x@2.29.4", "2.29.4", true],
    ["npm:x@^2.29.4", "2.31.0", true],
    ["npm:x@^2.29.4", "2.29.3", false],
    ["npm:x@^0.3.1", "0.4.0", false],
    ["npm:x@~1.2.3", "1.2.9", true],
    ["npm:x@~1.2.3", "1.3.0", false],
    ["npm:x@latest", "1.0.0", true],
    ["https://esm.sh/x@18", "17.0.2", false],
    ["jsr:@std/csv@1/parse", "1.0.5", true],
  ];

  it("tell when another version is installed", () => {
    for (const [specifier, installed, same] of fits)
      assert.equal(otherVersion(specifier, installed) === undefined, same, `${specifier} ${installed}`);
    assert.equal(
      otherVersion("npm:x@3/y", "4.17.21"),
      "npm:x@3/y is x 4.17.21 here, the version that is installed. To get the other: %install x@3",
    );
  });

  describe("in cells", function () {
    this.timeout(60_000);
    const kernel = sharedKernel();
    const run = runIn(kernel);

    it("are the installed package, with its types", async () => {
      assert.equal(
        resultText(await run('import { distance } from "npm:fastest-levenshtein@1"; distance("ab", "b")')),
        "1",
      );
      assert.equal(
        resultText(await run('(await import("https://esm.sh/fastest-levenshtein@1")).distance === distance')),
        "true",
      );
      const other = 'import * as other from "npm:fastest-levenshtein@0.5"';
      assert.match(streamText(await run(other), "stderr"), /^npm:fastest-levenshtein@0\.5 is .* here/);
      assert.equal(streamText(await run(other), "stderr"), "", "once");
      assert.match((await kernel().execute("distance(1, 2)")).error!.evalue, /TS2345/);
    });
  });
});
