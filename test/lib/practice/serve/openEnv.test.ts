import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  checkEnv,
  make,
  RecordStatistics,
  RecordTranscript,
  train,
  type Env,
  type TrainOptions,
} from "turnwise";
import { openEnv, OpenEnvError, serve } from "turnwise-practice/serve";
import { playRandomly, startServing, type Serving } from "../../../support/openEnv.js";
import { root } from "../../../support/paths.js";
import { patient } from "../../../support/patient.js";

describe("the world of a server as an environment", function () {
  this.timeout(patient(60_000));
  this.slow(10_000);
  let serving: Serving;
  const opened: Env[] = [];
  const open = (): Env => {
    opened.push(openEnv(serving.url));
    return opened.at(-1)!;
  };
  before(async () => {
    serving = await startServing(["LookUp-v0", "--options", '{"toolReliability": 0.7}', "--sessions", "40"]);
  });
  after(async () => {
    opened.forEach((env) => env.close());
    await serving.stop();
  });
  const local = (): Env => make("LookUp-v0", { toolReliability: 0.7 });

  it("has the spec of the world, and keeps the contract", () => {
    const env = open();
    assert.deepEqual(env.spec, JSON.parse(JSON.stringify(local().spec)));
    checkEnv(env);
  });

  it("plays the episodes of the world here, also after turns that draw, and members of a group", () => {
    const [here, there] = [local(), open()];
    for (let seed = 0; seed < 10; seed++)
      assert.deepEqual(playRandomly(there, seed), playRandomly(here, seed));
    const group = (env: Env): unknown[] =>
      Array.from({ length: 12 }, (_, member) => {
        const [{ text }] = env.reset({ seed: 3, member });
        return [text, env.step([1, 2])[0], env.step([0, 2])[1]];
      });
    assert.deepEqual(group(there), group(here));
    assert.ok(new Set(group(here).map((row) => JSON.stringify(row))).size > 1, "members differ");
  });

  it("goes into the same wrappers and copies", () => {
    const texts = [local(), open()].map((env) => {
      const both = new RecordStatistics(new RecordTranscript(env));
      both.reset({ seed: 5 });
      both.step([1, 2]);
      both.step([0, 3]);
      assert.equal(both.episodes[0]!.turns, 2);
      return (both.inner as RecordTranscript).text;
    });
    assert.equal(texts[1], texts[0]);
    const first = open();
    const second = first.fork!()!;
    first.reset({ seed: 1 });
    second.reset({ seed: 2 });
    first.step([0, 2]);
    assert.equal(second.step([1, 2])[2], false, "its episode goes on");
    assert.throws(() => first.step([1, 2]), { name: "ResetNeededError" });
    second.close();
  });

  it("is trained on with the records of the world here", async () => {
    const records = async (env: Env): Promise<unknown[]> => {
      const options: TrainOptions = { env, recipe: "grpo", updates: 5, groups: 2, groupSize: 4, seed: 1 };
      const rows: unknown[] = [];
      for await (const record of train(options)) {
        // Seconds differ from run to run.
        rows.push(Object.entries(record).filter(([key]) => !/time|second|speed/i.test(key)));
      }
      return rows;
    };
    assert.deepEqual(await records(open()), await records(local()));
  });

  it("says what the server said, and goes on with the next episode", () => {
    const env = open();
    const crowd = Array.from({ length: 40 }, () => env.fork!()!);
    assert.throws(
      () => crowd.forEach((each) => each.reset({ seed: 1 })),
      (error: unknown) =>
        error instanceof OpenEnvError &&
        error.code === "CAPACITY_REACHED" &&
        /^Cannot reset LookUp-v0: http:.* refuses: Cannot open a session: at most 40 may be open.* \(CAPACITY_REACHED\)\.?$/.test(
          error.message,
        ),
    );
    crowd.forEach((each) => each.close());
    assert.throws(() => env.reset({ seed: -1 }), RangeError);
    assert.equal(env.reset({ seed: 1 })[0].text, local().reset({ seed: 1 })[0].text);
  });

  it("refuses an address that nobody answers at, one of this very thread, and options that it does not know", async () => {
    assert.throws(
      () => openEnv("http://127.0.0.1:1"),
      /^OpenEnvError: Cannot open http:\/\/127\.0\.0\.1:1: the server does not answer: fetch failed: .+/,
    );
    assert.throws(
      () => openEnv("localhost:8000"),
      /its address must look like "http:\/\/127\.0\.0\.1:8000", got "localhost:8000"\.$/,
    );
    assert.throws(
      () => openEnv(serving.url, { tokn: "x" } as never),
      /unknown option "tokn"\.\nDid you mean "token"\?$/,
    );
    const here = await serve("LookUp-v0");
    assert.throws(() => openEnv(here.url), /its server must run in another process/);
    await here.close();
  });

  it("keeps no program running that forgets to close it", () => {
    const program = `
      const env = require("turnwise-practice/serve").openEnv(${JSON.stringify(serving.url)});
      console.log(env.reset({ seed: 1 })[0].text);`;
    const { status, stdout } = spawnSync(process.execPath, ["-e", program], {
      cwd: root,
      encoding: "utf8",
      timeout: patient(20_000),
    });
    assert.deepEqual([status, stdout.trim()], [0, "question: which of 0, 1, 2, 3 is the fact?"]);
  });

  it("tells when the server has gone in the middle of an episode", async () => {
    const other = await startServing(["LookUp-v0"]);
    const env = openEnv(other.url);
    env.reset({ seed: 1 });
    await other.stop();
    assert.throws(
      () => env.step([1, 2]),
      /^OpenEnvError: Cannot step LookUp-v0: http:.* does not answer: it closed the connection \(1001\)\. The episode is lost\. Call reset\.$/,
    );
    assert.throws(
      () => env.reset({ seed: 1 }),
      /^OpenEnvError: Cannot reset LookUp-v0: http:.* does not answer: .*ECONNREFUSED/,
    );
    env.close();
  });
});
