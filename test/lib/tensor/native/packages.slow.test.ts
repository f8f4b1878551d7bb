import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { kernelSource } from "turnwise/internal/tensor/fused/binary";
import { wantedHere } from "turnwise/internal/tensor/fused/native/wanted";
import type { FusedReport } from "turnwise/tensor";
import { zig } from "../../../support/arm64.js";
import { removeTemporaryFolders, runNode, temporaryFolder } from "../../../support/command.js";
import { skip } from "../../../support/needs.js";
import { root } from "../../../support/paths.js";
import { addonsHere } from "./addons.js";

const { packages, prebuild } = createRequire(__filename)(
  path.join(root, "lib", "turnwise", "native", "packages.cjs"),
) as {
  readonly packages: Readonly<Record<string, { os: string; cpu: string; levels: readonly string[] }>>;
  prebuild(out: string, names: readonly string[]): Promise<{ folder: string }[]>;
};

const name = `turnwise-native-${process.platform}-${process.arch}`;

/** The library in a folder of its own, where nothing is compiled, with a package beside it that holds these files. */
function installed(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const part of ["package.json", "dist/base", "dist/tensor"]) {
    fs.cpSync(path.join(root, "lib", "turnwise", part), path.join(folder, "lib", part), { recursive: true });
  }
  const own = path.join(folder, "node_modules", name);
  fs.mkdirSync(own, { recursive: true });
  fs.writeFileSync(path.join(own, "package.json"), JSON.stringify({ name, version: "0.1.0" }));
  for (const [file, from] of Object.entries(files)) fs.copyFileSync(from, path.join(own, file));
  return path.join(folder, "lib");
}

/** Which kernels a library runs, and whether it would have any compiled. */
async function told(library: string): Promise<FusedReport & { readonly compiles: boolean }> {
  const fused = JSON.stringify(path.join(library, "dist", "tensor", "fused"));
  const script =
    `const compiles = require(${fused} + "/native/wanted.js").wantedHere() !== undefined;` +
    `console.log(JSON.stringify({ ...require(${fused}).fusedReport(), compiles }))`;
  const { stdout, stderr } = await runNode(["-e", script], { env: { TURNWISE_THREADS: "1" } });
  assert.notEqual(stdout, "", stderr);
  return JSON.parse(stdout) as FusedReport & { compiles: boolean };
}

describe("packages of native kernels", function () {
  this.timeout(300_000);
  this.slow(60_000);
  let addon = "";
  let level = "";
  before(async function () {
    const { fused, ...wanted } =
      wantedHere() ?? skip(this, "no native kernels are compiled for this platform");
    level = wanted.level;
    assert.ok((await addonsHere(this)).some((one) => one.level === level && one.fused === fused));
    addon = wanted.file;
  });
  after(removeTemporaryFolders);

  it("are loaded where nothing was compiled, which is then not tried, and the report names them", async () => {
    const { kernels, reason, compiles } = await told(installed({ [path.basename(addon)]: addon }));
    assert.equal(kernels, "native");
    assert.ok(reason.startsWith(`on 1 thread: compiled C for ${level} from the package ${name}, with the bits of`), reason); // prettier-ignore
    assert.equal(compiles, false);
  });

  it("are not loaded if made from other sources, if they are no addon, or if one bit is another", async () => {
    const stale = await told(
      installed({ [path.basename(addon).replace(kernelSource, "0".repeat(16))]: addon }),
    );
    assert.equal(stale.kernels, "wasm");
    assert.ok(stale.reason.includes(`no native kernels, as the package ${name} was made from other sources than this version of turnwise, and they have not been compiled`), stale.reason); // prettier-ignore
    assert.equal(stale.compiles, true);

    const text = path.join(temporaryFolder(), "text");
    fs.writeFileSync(text, "not an addon");
    const broken = await told(installed({ [path.basename(addon)]: text }));
    assert.equal(broken.kernels, "wasm");
    assert.ok(broken.reason.includes(`as of the package ${name}, it cannot be loaded: `), broken.reason);
    assert.equal(broken.compiles, true);
  });

  it("have one for each platform, with os and cpu, and prebuild gives the files that the library looks for", async function () {
    assert.deepEqual(Object.keys(packages), [
      ...["turnwise-native-linux-x64", "turnwise-native-linux-arm64", "turnwise-native-darwin-arm64"],
    ]);
    if (!zig()) skip(this, "needs ziglang of PyPI (Python), to compile for other platforms");
    const [made] = await prebuild(temporaryFolder(), ["turnwise-native-darwin-arm64"]);
    const about = JSON.parse(fs.readFileSync(path.join(made!.folder, "package.json"), "utf8")) as object;
    assert.deepEqual({ ...about, version: "", description: "" }, {
      name: "turnwise-native-darwin-arm64",
      ...{ version: "", license: "Apache-2.0", description: "", os: ["darwin"], cpu: ["arm64"] },
      files: ["*.node"],
      turnwise: { source: kernelSource },
    }); // prettier-ignore
    const files = fs.readdirSync(made!.folder).filter((file) => file.endsWith(".node"));
    assert.deepEqual(files, [
      `${kernelSource}-darwin-arm64-once.node`,
      `${kernelSource}-darwin-arm64-twice.node`,
    ]);
    // The magic number of a 64-bit Mach-O file, and that of the processor.
    for (const file of files) {
      const head = fs.readFileSync(path.join(made!.folder, file)).subarray(0, 8);
      assert.deepEqual([head.readUInt32LE(0), head.readUInt32LE(4)], [0xfeedfacf, 0x0100000c]);
    }
  });
});
