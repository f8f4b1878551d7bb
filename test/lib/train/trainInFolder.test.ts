import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs, { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { appendFile, mkdtemp, rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach } from "mocha";
import {
  createPolicy,
  createRng,
  custom,
  loadCheckpoint,
  readRecords,
  recipe,
  saveCheckpoint,
  train,
  trainInFolder,
  type TrainOptions,
  type TrainRecord,
} from "turnwise";

const options = { env: "LookUp-v0", recipe: "seeUpo", groups: 4, seed: 7 } as const;
const timeless = (records: readonly TrainRecord[]): object[] =>
  records.map(({ seconds: _seconds, ...rest }) => rest);

async function finish(folder: string, o: TrainOptions, again = false): Promise<void> {
  for await (const record of trainInFolder(folder, o, { checkpointEvery: 3, again })) assert.ok(record);
}

/** The error with which a training in a folder is refused; whatever the folder holds must be the same afterwards. */
async function refused(folder: string, o: TrainOptions): Promise<Error> {
  const content = (): [string, string][] =>
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "latin1")]);
  const before = content();
  const error = await finish(folder, o).then(
    () => assert.fail("it was not refused"),
    (reason: unknown) => reason as Error,
  );
  assert.deepEqual(content(), before);
  return error;
}

describe("trainInFolder()", () => {
  let whole: string;
  let folder: string;
  beforeEach(async () => {
    whole = await mkdtemp(join(tmpdir(), "turnwise-"));
    folder = join(await mkdtemp(join(tmpdir(), "turnwise-")), "a folder, mit Umlaut ä");
    mkdirSync(folder);
  });
  afterEach(async () => {
    await rm(whole, { recursive: true });
    await rm(dirname(folder), { recursive: true });
  });

  it("a process killed in the middle leaves a folder that goes on to the records of one never killed", async () => {
    const script = `
      const { trainInFolder } = require("turnwise");
      (async () => {
        const options = ${JSON.stringify({ ...options, updates: 500 })};
        for await (const { update } of trainInFolder(${JSON.stringify(folder)}, options, { checkpointEvery: 3 })) {
          process.stdout.write(update + "\\n");
        }
      })();`;
    const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
    await new Promise<void>((resolve) => {
      let seen = "";
      child.stdout.on("data", (data: Buffer) => {
        seen += data.toString();
        if (/^7$/m.test(seen)) child.kill("SIGKILL");
      });
      child.on("exit", () => resolve());
    });
    const checkpoint = await loadCheckpoint(folder);
    assert.ok(checkpoint!.update >= 6 && checkpoint!.update % 3 === 0, String(checkpoint!.update));
    const updates = checkpoint!.update + 4;
    await finish(folder, { ...options, updates });
    await finish(whole, { ...options, updates });
    assert.deepEqual(timeless(await readRecords(folder)), timeless(await readRecords(whole)));
  }).timeout(30000);

  it("break saves what was done, and the next call goes on", async () => {
    for await (const { update } of trainInFolder(folder, { ...options, updates: 6 })) if (update === 2) break;
    assert.equal((await loadCheckpoint(folder))!.update, 2);
    const further: number[] = [];
    for await (const { update } of trainInFolder(folder, { ...options, updates: 4 })) further.push(update);
    assert.deepEqual(further, [3, 4]);
    await finish(whole, { ...options, updates: 4 });
    assert.deepEqual(timeless(await readRecords(folder)), timeless(await readRecords(whole)));
  });

  it("a line that was cut off is left out, and made again", async () => {
    await finish(folder, { ...options, updates: 3 });
    await appendFile(join(folder, "records.jsonl"), '{"update":4,"samp');
    assert.equal((await readRecords(folder)).length, 3);
    await finish(folder, { ...options, updates: 4 });
    assert.deepEqual(
      (await readRecords(folder)).map(({ update }) => update),
      [1, 2, 3, 4],
    );
  });

  it("names a bad interval", async () => {
    await assert.rejects(trainInFolder(folder, { ...options, updates: 1 }, { checkpointEvery: 0 }).next(), {
      name: "RangeError",
      message: "Cannot train in a folder: checkpointEvery must be an integer >= 1, got 0.",
    });
  });

  describe("takes the folder for one process at a time:", () => {
    const lock = (): string => join(folder, "records.jsonl.lock");

    it("refuses a second process, and says who has it and since when", async () => {
      const script = `
        const { trainInFolder } = require("turnwise");
        const options = ${JSON.stringify({ ...options, updates: 500 })};
        (async () => {
          for await (const _ of trainInFolder(${JSON.stringify(folder)}, options)) {
            process.stdout.write("started");
            await new Promise(() => setInterval(() => undefined, 1000));
          }
        })();`;
      const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
      await new Promise((resolve) => child.stdout.once("data", resolve));
      const { message } = await refused(folder, { ...options, updates: 4 });
      const found =
        /records\.jsonl: only one process at a time may write it, and process (\d+) on (\S+) does, since 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC \(if it does not, delete records\.jsonl\.lock\)\.$/.exec(
          message,
        );
      assert.deepEqual(found?.slice(1), [String(child.pid), hostname()], message);
      const exit = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await exit;
      // The lock of the killed process is still there, and is taken over.
      await finish(folder, { ...options, updates: 4 });
      await finish(whole, { ...options, updates: 4 });
      assert.deepEqual(timeless(await readRecords(folder)), timeless(await readRecords(whole)));
      assert.deepEqual(readdirSync(folder).sort(), ["checkpoint.json", "records.jsonl"]);
    }).timeout(30000);

    it("refuses another thread of the same process, and takes the lock of a former process of that number", async () => {
      const script = `
        const { trainInFolder } = require(${JSON.stringify(require.resolve("turnwise"))});
        const { parentPort } = require("node:worker_threads");
        (async () => {
          for await (const _ of trainInFolder(${JSON.stringify(folder)}, ${JSON.stringify({ ...options, updates: 9 })})) {
            parentPort.postMessage("started");
            await new Promise((resolve) => parentPort.once("message", resolve));
            break;
          }
          parentPort.close();
        })();`;
      const worker = new Worker(script, { eval: true });
      await new Promise((resolve) => worker.once("message", resolve));
      const { message } = await refused(folder, { ...options, updates: 9 });
      assert.ok(message.includes(`process ${process.pid} (this one) on ${hostname()} does`), message);
      const exit = new Promise((resolve) => worker.once("exit", resolve));
      worker.postMessage("end");
      await exit;
      writeFileSync(lock(), `${process.pid}@${hostname()} 2020-01-01T00:00:00.000Z`);
      await finish(folder, { ...options, updates: 2 });
      assert.equal((await loadCheckpoint(folder))!.update, 2);
    }).timeout(30000);

    it("a generator that nobody asks any more gives it to a later call, with all that was done", async () => {
      const first = trainInFolder(folder, { ...options, updates: 6 });
      for (let i = 0; i < 2; i++) await first.next();
      const second = trainInFolder(folder, { ...options, updates: 6 });
      assert.equal(((await second.next()).value as TrainRecord).update, 3);
      await assert.rejects(first.next(), /^RangeError: Cannot go on in .*: a later call of trainInFolder/);
      await second.return();
      assert.equal((await readRecords(folder)).length, 3);
    });

    it("two calls at once do not mix their records", async () => {
      const outcomes = await Promise.allSettled([1, 2].map(() => finish(folder, { ...options, updates: 5 })));
      assert.ok(outcomes.some(({ status }) => status === "rejected"));
      await finish(folder, { ...options, updates: 5 });
      assert.deepEqual(
        (await readRecords(folder)).map(({ update }) => update),
        [1, 2, 3, 4, 5],
      );
    });
  });

  describe("goes on with the same run only:", () => {
    const other: readonly (readonly [string, Partial<TrainOptions>, readonly string[]])[] = [
      ["another rule", { recipe: "grpo" }, ['recipe.name: stored "seeUpo", now "grpo"']],
      [
        "another value of the rule",
        { recipe: recipe("seeUpo", { gate: { clipHigh: 0.4 } }) },
        ["recipe.gate.clipHigh: stored 0.2, now 0.4"],
      ],
      ["another world", { env: "BiArmBandit-v0" }, ['env: stored "LookUp-v0", now "BiArmBandit-v0"']],
      ["other options of the world", { envOptions: { facts: 6 } }, ["envOptions.facts: stored 4, now 6"]],
      ["another seed", { seed: 8 }, ["seed: stored 7, now 8"]],
      ["no seed", { seed: undefined }, ["seed: stored 7, now 0"]],
      [
        "other settings",
        { groups: 5, temperature: 0.5 },
        ["groups: stored 4, now 5", "temperature: stored 1, now 0.5"],
      ],
      [
        "another policy",
        { policy: { learningRate: undefined, seed: 3 } as never },
        ["policy.seed: stored nothing, now 3"],
      ],
    ];
    for (const [what, change, lines] of other) {
      it(`refuses ${what}, and says what differs`, async () => {
        await finish(folder, { ...options, updates: 2 });
        const { name, message } = await refused(folder, { ...options, ...change, updates: 3 });
        assert.equal(name, "RangeError");
        const [head, ...rest] = message.split("\n");
        assert.equal(
          head,
          `Cannot go on from ${join(folder, "checkpoint.json")}: it is of another run. These differ:`,
        );
        for (const line of lines) assert.ok(rest.includes(`  ${line}`), message);
        assert.match(rest.at(-1)!, /\{ again: true \}/);
        if (!("recipe" in change) && !("env" in change)) assert.equal(rest.length, lines.length + 1, message);
      });
    }

    it("refuses a custom function of another label", async () => {
      const gate = (label: string): TrainOptions["recipe"] =>
        recipe("grpo", { gate: custom(label, { objective: ({ ratio, advantage }) => ratio * advantage }) });
      await finish(folder, { ...options, recipe: gate("plain"), updates: 1 });
      assert.match(
        (await refused(folder, { ...options, recipe: gate("other"), updates: 2 })).message,
        /gate must be the checkpoint's custom function "plain", got "other"/,
      );
      await finish(folder, { ...options, recipe: gate("plain"), updates: 2 });
    });

    it("again: true starts over and keeps what was there in a folder that says when", async () => {
      await finish(folder, { ...options, updates: 2 });
      writeFileSync(join(folder, "notes.md"), "mine");
      const before = ["checkpoint.json", "records.jsonl"].map((name) =>
        readFileSync(join(folder, name), "utf8"),
      );
      await assert.rejects(finish(folder, { ...options, groups: 0, updates: 1 }, true), /groups must be/);
      assert.equal((await readRecords(folder)).length, 2, "bad options change nothing");
      for (const seed of [8, 9]) await finish(folder, { ...options, seed, updates: 1 }, true);
      assert.equal((await readRecords(folder)).length, 1);
      assert.equal(readFileSync(join(folder, "notes.md"), "utf8"), "mine");
      const kept = readdirSync(dirname(folder)).filter((name) => name !== basename(folder));
      assert.equal(kept.length, 2, "nothing is overwritten");
      for (const name of kept)
        assert.match(name.slice(basename(folder).length), /^\.20\d\d-\d\d-\d\dT\d\d-\d\d-\d\d(-2)?$/);
      const [oldest] = kept.sort();
      assert.deepEqual(
        ["checkpoint.json", "records.jsonl"].map((name) =>
          readFileSync(join(dirname(folder), oldest!, name), "utf8"),
        ),
        before,
      );
    });

    it("asks a function that makes the policy once a call, also where it starts over", async () => {
      const seeds: number[] = [];
      const policy: TrainOptions["policy"] = (env, { seed = 0 } = {}) => {
        seeds.push(seed);
        return createPolicy(env.spec, { seed });
      };
      await finish(folder, { ...options, policy, updates: 1 });
      assert.deepEqual(seeds, [7]);
      await finish(folder, { ...options, policy, seed: 8, updates: 1 }, true);
      assert.deepEqual(seeds, [7, 8]);
      await finish(whole, { ...options, policy, seed: 9, updates: 1 }, true);
      assert.deepEqual(seeds, [7, 8, 9]);
    });

    it("goes on with folders from before checkpoints had a checksum and a seed", async () => {
      await finish(folder, { ...options, updates: 3 });
      await finish(whole, { ...options, updates: 5 });
      const {
        checksum: _,
        run: __,
        ...old
      } = JSON.parse(readFileSync(join(folder, "checkpoint.json"), "utf8")) as Record<string, unknown>;
      writeFileSync(join(folder, "checkpoint.json"), JSON.stringify(old));
      assert.match(
        (await refused(folder, { ...options, seed: 8, updates: 5 })).message,
        /\n {2}seed: stored another, now 8\n/,
      );
      await finish(folder, { ...options, updates: 5 });
      assert.deepEqual(timeless(await readRecords(folder)), timeless(await readRecords(whole)));
      assert.match(readFileSync(join(folder, "checkpoint.json"), "utf8"), /^\{"checksum":"[0-9a-f]{8}",/);
    });

    it("begins from a checkpoint that is handed in, and goes on from there", async () => {
      const run = train({ ...options, updates: 2 });
      for await (const _ of run) void _;
      const from = { resume: run.checkpoint(), updates: 4 };
      await finish(folder, { ...from, updates: 3 });
      await finish(folder, from);
      assert.deepEqual(
        (await readRecords(folder)).map(({ update }) => update),
        [3, 4],
      );
    });
  });

  describe("loses nothing where files are damaged or missing:", () => {
    const inFolder = (name: string): string => join(folder, name);

    it("none of 300 flipped bits changes a training in silence", async () => {
      await finish(folder, { ...options, updates: 3 });
      await finish(whole, { ...options, updates: 4 });
      const expected = JSON.stringify(timeless(await readRecords(whole)));
      const good = readFileSync(inFolder("checkpoint.json"));
      const records = readFileSync(inFolder("records.jsonl"));
      const rng = createRng(35);
      let noticed = 0;
      for (let i = 0; i < 300; i++) {
        const bad = Buffer.from(good);
        // The first hundred hit the part around the checksum.
        const at = i < 100 ? i : rng.below(good.length);
        bad[at]! ^= 1 << rng.below(8);
        writeFileSync(inFolder("checkpoint.json"), bad);
        writeFileSync(inFolder("records.jsonl"), records);
        try {
          await loadCheckpoint(folder);
        } catch (error) {
          assert.ok((error as Error).message.includes(inFolder("checkpoint.json")), String(error));
          noticed++;
          continue;
        }
        await finish(folder, { ...options, updates: 4 });
        assert.equal(JSON.stringify(timeless(await readRecords(folder))), expected, `bit flip at ${at}`);
      }
      assert.equal(noticed, 300);
    }).timeout(30000);

    it("goes on bit for bit after a disk that was full, and names the file", async () => {
      const real = { writeSync: fs.writeSync };
      for (const name of ["records.jsonl", "checkpoint.json"]) {
        let left = name === "records.jsonl" ? 4 : 2;
        Object.assign(fs, {
          writeSync: (fd: number, bytes: Uint8Array, ...rest: number[]): number => {
            const isRecord = Buffer.from(bytes).subarray(0, 10).toString().startsWith('{"update"');
            if (isRecord !== (name === "records.jsonl") || left-- > 0)
              return real.writeSync(fd, bytes, ...rest);
            real.writeSync(fd, bytes.subarray(0, 20));
            throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
          },
        });
        try {
          await assert.rejects(finish(folder, { ...options, updates: 8 }), (error: Error) => {
            assert.match(error.message, /^Cannot write .*: .*ENOSPC: no space left on device/);
            assert.ok(error.message.includes(inFolder(name)), error.message);
            return true;
          });
        } finally {
          Object.assign(fs, real);
        }
        assert.deepEqual(readdirSync(folder).sort(), ["checkpoint.json", "records.jsonl"]);
        assert.match(readFileSync(inFolder("records.jsonl"), "utf8"), /\}\n$/);
      }
      await finish(folder, { ...options, updates: 8 });
      await finish(whole, { ...options, updates: 8 });
      assert.deepEqual(timeless(await readRecords(folder)), timeless(await readRecords(whole)));
    });

    it("names the file of a torn checkpoint", async () => {
      await finish(folder, { ...options, updates: 3 });
      const good = readFileSync(inFolder("checkpoint.json"), "utf8");
      // The second is of a version without checksum.
      for (const text of [good.slice(0, 200), good.slice(good.indexOf(',"format"') + 1, 300), ""]) {
        writeFileSync(inFolder("checkpoint.json"), text.startsWith('"format"') ? `{${text}` : text);
        const { name, message } = await refused(folder, { ...options, updates: 4 });
        assert.equal(name, "RangeError");
        assert.ok(message.startsWith(`Cannot go on from ${inFolder("checkpoint.json")}: it`), message);
        assert.match(message, /Put back a copy of the file, or start over/);
      }
      writeFileSync(inFolder("checkpoint.json"), '{"format":"turnwise-checkpoint","version":2}');
      const later = await refused(folder, { ...options, updates: 4 });
      assert.match(later.message, /of version 1, got .* version 2\. \(.*checkpoint\.json\)$/);
    });

    it("names the file and line of a record that is none, wherever records are read", async () => {
      await finish(folder, { ...options, updates: 3 });
      const lines = readFileSync(inFolder("records.jsonl"), "utf8").split("\n");
      for (const bad of ['{"update":2,"samp', "[]", "\0\0\0"]) {
        writeFileSync(inFolder("records.jsonl"), [lines[0], bad, ...lines.slice(2)].join("\n"));
        const message = new RegExp(
          `^RangeError: Cannot read .*records\\.jsonl: line 2 is no record, it begins with`,
        );
        assert.match(String(await refused(folder, { ...options, updates: 4 })), message);
        await assert.rejects(readRecords(folder), (error) => message.test(String(error)));
      }
    });

    it("refuses records without a checkpoint, and a checkpoint without its records", async () => {
      await finish(folder, { ...options, updates: 4 });
      renameSync(inFolder("checkpoint.json"), inFolder("moved"));
      assert.match(
        (await refused(folder, { ...options, updates: 5 })).message,
        /records\.jsonl ends with update 4, and there is no checkpoint\.json to go on from\. Put it back, or start over/,
      );
      renameSync(inFolder("moved"), inFolder("checkpoint.json"));
      const lines = readFileSync(inFolder("records.jsonl"), "utf8").split("\n");
      const cases: readonly (readonly [readonly string[] | undefined, RegExp])[] = [
        [undefined, /is of update 4, but the file holds no records: 4 are missing/],
        [[...lines.slice(0, 2), ""], /is of update 4, but the file holds updates 1 to 2: 2 are missing/],
        [[lines[0]!, ...lines.slice(2)], /records\.jsonl: line 2 must be update 2, got update 3/],
        [[lines[0]!, ...lines], /records\.jsonl: line 2 must be update 2, got update 1/],
      ];
      for (const [left, message] of cases) {
        if (left) writeFileSync(inFolder("records.jsonl"), left.join("\n"));
        else rmSync(inFolder("records.jsonl"));
        assert.match((await refused(folder, { ...options, updates: 5 })).message, message);
      }
      await saveCheckpoint(inFolder("new"), (await loadCheckpoint(folder))!);
      assert.equal((await loadCheckpoint(inFolder("new")))!.update, 4);
    });
  });
});
