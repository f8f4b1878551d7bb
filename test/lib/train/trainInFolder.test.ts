import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { appendFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "mocha";
import { loadCheckpoint, readRecords, trainInFolder, type TrainOptions, type TrainRecord } from "turnwise";

const options = { env: "LookUp-v0", recipe: "seeUpo", groups: 4, seed: 7 } as const;
const timeless = (records: readonly TrainRecord[]): object[] =>
  records.map(({ seconds: _seconds, ...rest }) => rest);

async function finish(folder: string, o: TrainOptions): Promise<void> {
  for await (const record of trainInFolder(folder, o, { checkpointEvery: 3 })) assert.ok(record);
}

describe("trainInFolder()", () => {
  let whole: string;
  let folder: string;
  beforeEach(async () => {
    whole = await mkdtemp(join(tmpdir(), "turnwise-"));
    folder = await mkdtemp(join(tmpdir(), "turnwise-"));
  });
  afterEach(async () => {
    await rm(whole, { recursive: true });
    await rm(folder, { recursive: true });
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
      message: "Cannot train in a folder as checkpointEvery must be a whole number >= 1: current value is 0",
    });
  });
});
