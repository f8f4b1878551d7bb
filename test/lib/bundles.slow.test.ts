import assert from "node:assert/strict";
import vm from "node:vm";
import zlib from "node:zlib";
import { buildSync } from "esbuild";
import { root } from "../support/paths.js";

/** A script for pages, as `esbuild --bundle --platform=browser --minify` makes it of a few lines. */
function bundled(code: string, format: "esm" | "iife" = "esm"): Uint8Array {
  const { outputFiles } = buildSync({
    stdin: { contents: code, resolveDir: root },
    bundle: true,
    format,
    platform: "browser",
    minify: true,
    write: false,
    logLevel: "error",
  });
  return outputFiles[0]!.contents;
}

const kilobytes = (code: string): number => zlib.gzipSync(bundled(code), { level: 9 }).length / 1000;

/** Runs a script as a worker of a page does: without Node's modules. */
function inPage(code: string): unknown {
  const told: unknown[] = [];
  const { atob, performance, SharedArrayBuffer, setTimeout, TextDecoder, TextEncoder } = globalThis;
  const page = vm.createContext({
    ...{ atob, performance, SharedArrayBuffer, setTimeout, TextDecoder, TextEncoder },
    tell: told,
  });
  vm.runInContext(
    `self = globalThis; WorkerGlobalScope = Object;\n${Buffer.from(bundled(code, "iife")).toString()}`,
    page,
  );
  return JSON.parse(JSON.stringify(told));
}

describe("a bundle for pages", function () {
  this.timeout(60_000);

  const limits: readonly [from: string, names: string, kB: number][] = [
    ["turnwise/rule", "recipe, surrogateGradient", 120],
    ["turnwise", "train, make, recipe, optimalReturn", 300],
  ];
  for (const [from, names, limit] of limits) {
    it(`with ${names} of ${from} is at most ${limit} kB, gzipped`, () => {
      const size = kilobytes(`import { ${names} } from "${from}"; console.log(${names});`);
      assert.ok(size <= limit, `${size.toFixed(1)} kB`);
      // Much smaller, and something is missing.
      assert.ok(size > limit / 3, `${size.toFixed(1)} kB`);
    });
  }

  it("makes worlds and rules, and finds optima", () => {
    const code = `import { make, optimalReturn, recipe } from "turnwise";
      tell.push(recipe("grpo").gate.kind, make("LookUp-v0").spec.id, optimalReturn(make("LookUp-v0")).J);`;
    // LookUp pays 1 for the right answer, and looking it up costs nothing.
    assert.deepEqual(inPage(code), ["clip", "LookUp-v0", 1]);
  });

  it("holds TensorFlow.js where tf is used, and else says what is missing", () => {
    assert.deepEqual(inPage(`import { tf } from "turnwise"; tell.push(tf.sum([1, 2]).dataSync()[0]);`), [3]);
    const without = `import { backendReport } from "turnwise/internal/tensor/backend";
      try { backendReport(); } catch (error) { tell.push(error.message); }`;
    assert.match(
      String(inPage(without)),
      /this page's bundle must hold TensorFlow\.js, but it holds none\. Write import "turnwise\/tensor"/,
    );
  });
});
