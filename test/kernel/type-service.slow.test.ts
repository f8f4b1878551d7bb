import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { TypeService } from "turnwise-kernel/dist/front/type-service.js";
import { findSnapshot } from "turnwise-kernel/dist/types/snapshot.js";
import { makeSnapshot } from "turnwise-kernel/dist/types/snapshot-make.js";
import { skip } from "../support/needs.js";
import { isRunning, until } from "../support/process.js";
import { repository, temporaryFolder } from "./with-kernel.js";

const folder = join(repository, "notebooks");

describe("the process of the type service", function () {
  this.timeout(120_000);
  const temporary = temporaryFolder();

  before(() => {
    makeSnapshot();
  });

  const errorsOf = async (types: TypeService): Promise<string[]> => {
    const cells = [
      'import { recipe } from "turnwise"; const row = recipe("rloo"); const wrong: string = row.advantage',
      "[1, 2].map((x) => x.toFixed()).concat(3)",
      "require('node:path').join(1)",
      "const fine = await Promise.resolve(1)",
    ];
    const found: string[] = [];
    for (const [i, code] of cells.entries()) {
      const answer = await types.ask("prepare", { code, name: `cell_${i}.ts`, expressions: {} });
      found.push(answer.ok ? "ok" : answer.error.evalue);
    }
    return found;
  };

  it("finds the same with a snapshot, with a broken one and without one", async () => {
    const broken = join(temporary(), "broken.blob");
    writeFileSync(broken, readFileSync(findSnapshot()!).subarray(0, 1_000_000));
    const ways = [findSnapshot, () => broken, () => undefined];
    const answers: string[][] = [];
    for (const way of ways) {
      const types = new TypeService(folder, way);
      answers.push(await errorsOf(types));
      types.stop();
    }
    assert.match(answers[0]![0]!, /^cell_0.ts:1:\d+ - TS2322/);
    assert.match(answers[0]![1]!, /TS2769/);
    assert.deepEqual(answers[0]!.slice(2), ["ok", "ok"], "require gives any");
    for (const other of answers.slice(1)) assert.deepEqual(other, answers[0]);
  });

  it("starts from a snapshot that was copied with all that it is made of", async () => {
    const copy = join(temporary(), "copy");
    const parts = ["kernel/package.json", "kernel/dist", "package.json"];
    const packages = [
      "typescript",
      "@types/node",
      "undici-types",
      "ts-blank-space",
      "fastest-levenshtein",
      "tslab",
    ];
    for (const part of [...parts, ...packages.map((one) => `node_modules/${one}`)])
      cpSync(join(repository, part), join(copy, part), { recursive: true });
    const script = `
      const { TypeService } = require("./kernel/dist/front/type-service.js");
      const { findSnapshot } = require("./kernel/dist/types/snapshot.js");
      const types = new TypeService(process.cwd());
      const ask = (code) => types.ask("prepare", { code, name: "cell.ts", expressions: {} });
      (async () => {
        const found = [findSnapshot()];
        for (const code of ["import { join } from 'node:path'; display(join('a'))", "[1].at(0).toFixed(x)"])
          found.push((await ask(code)).ok);
        found.push((await types.ask("complete", { code: "[1].fla", offset: 7 })).items.length);
        console.log(JSON.stringify(found));
        types.stop();
      })();`;
    const { stdout, stderr } = spawnSync(process.execPath, ["-e", script], { cwd: copy, encoding: "utf8" });
    const blob = join(copy, "kernel/dist/snapshot", basename(findSnapshot()!));
    assert.deepEqual(JSON.parse(stdout || "0"), [blob, true, false, 2], stderr);
  });

  it("puts the snapshot where it is allowed to write", () => {
    const blocked = join(temporary(), "file");
    writeFileSync(blocked, "");
    assert.throws(() => makeSnapshot([join(blocked, "inside")]), /ENOTDIR/);
    const free = join(temporary(), "cache");
    // A small module instead of the type service, of which another snapshot would take seconds.
    const main = join(temporary(), "main.js");
    writeFileSync(main, "exports.small = true;");
    assert.equal(makeSnapshot([join(blocked, "inside"), free], main), "made");
    assert.equal(makeSnapshot([join(blocked, "inside"), free], main), "kept");
    assert.equal(dirname(findSnapshot([join(blocked, "inside"), free])!), free);
  });

  it("lets packages prepare themselves, and ends what they have started with the kernel", async function () {
    if (process.platform !== "linux") skip(this, "needs Linux");
    const example = join(temporary(), "example");
    mkdirSync(example);
    const file = join(example, "package.json");
    writeFileSync(file, JSON.stringify({ jupyterKernel: { prepare: "./prepare.cjs" } }));
    // A compiler that never ends.
    writeFileSync(
      join(example, "prepare.cjs"),
      `exports.prepare = async () => {
        const { pid } = require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"]);
        require("node:fs").writeFileSync(__dirname + "/started", String(pid));
      };`,
    );
    const module = require.resolve("turnwise-kernel/dist/types/snapshot-make.js");
    const script = `require(${JSON.stringify(module)}).preparePackages([{ file: ${JSON.stringify(file)} }])`;
    const maker = spawn(process.execPath, ["-e", script], { stdio: ["pipe", "ignore", "ignore"] });
    const started = join(example, "started");
    await until("the compiler", () => existsSync(started) && readFileSync(started, "utf8") !== "");
    const compiler = Number(readFileSync(started, "utf8"));
    assert.ok(isRunning(compiler));
    // As when the kernel has ended.
    maker.stdin!.end();
    await once(maker, "exit");
    await until("its end", () => !isRunning(compiler));
  });

  it("completes what an own function gets, by the cell of the row in which it stands", async () => {
    const types = new TypeService(folder);
    const offered = async (line: string): Promise<string[]> => {
      const code = `import { custom, recipe } from "turnwise"; ${line}`;
      const { items } = await types.ask("complete", { code, offset: code.length });
      return items.map(({ text }) => text);
    };
    assert.deepEqual(await offered('recipe("grpo", { advantage: custom("mine", (batch) => batch.ret'), [
      "return_n",
    ]);
    assert.deepEqual(await offered('recipe("grpo", { filter: custom("mine", (groups) => groups.filt'), [
      "filter",
    ]);
    assert.deepEqual(await offered('recipe("grpo", { aggregate: custom("mine", (turn) => turn.tokensOfTu'), [
      "tokensOfTurn",
    ]);
    assert.deepEqual(await offered('recipe("grpo", { loss: custom("mine", (tf, x) => tf.neg(x.sequen'), [
      "sequenceMean",
    ]);
    assert.deepEqual(await offered('recipe("grpo", { loss: custom("mine", (tf, x) => tf.squaredDiff'), [
      "squaredDifference",
    ]);
    assert.deepEqual(await offered('recipe("grpo", { gate: custom("mine", (tf, x) => x.stopGr'), [
      "stopGradient",
    ]);
    assert.deepEqual(await offered('const mine = custom.advantage("mine", (batch, context) => context.gro'), [
      "groups",
    ]);
    types.stop();
  });

  it("knows after a kill what earlier cells have declared, and forgets it at a reset", async () => {
    const types = new TypeService(folder);
    const run = async (code: string): Promise<string> => {
      const answer = await types.ask("prepare", { code, name: "cell.ts", expressions: {} });
      return answer.ok ? "ok" : answer.error.evalue;
    };
    assert.equal(await run("interface Row { step: number }; const rows: Row[] = []"), "ok");
    assert.match(await run("const broken: number = 'text'"), /TS2322/);
    assert.equal(await run("const twice = rows.map(({ step }) => 2 * step)"), "ok");
    for (const _ of [1, 2]) {
      const { pid } = types;
      process.kill(pid!, "SIGKILL");
      while (types.pid === pid) await sleep(5);
      assert.equal(await run("twice[0]! + rows[0]!.step"), "ok");
      assert.match(await run("broken"), /TS2304/, "the cell did not run");
    }
    assert.match(await run("const text: string = twice"), /'number\[\]'/);
    await types.ask("reset", {});
    process.kill(types.pid!, "SIGKILL");
    assert.deepEqual(await types.ask("isComplete", { code: "1" }), { status: "complete" });
    assert.match(await run("twice"), /TS2304/);
    types.stop();
  });
});
