import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { collect, createPolicy, createRng, make } from "turnwise";
import {
  batchOf,
  readTrajectories,
  writeTrajectories,
  type StoredTrajectory,
  type StoredTurn,
  type TraceFormatName,
  type TracePart,
} from "turnwise-practice";
import { pathsOfSuite } from "../../support/command.js";
import { patient } from "../../support/patient.js";
import { root } from "../../support/paths.js";

/** The library's own, which the tests have no need of besides. */
const { parquetMetadata, parquetReadObjects } = createRequire(
  path.join(root, "lib", "practice", "package.json"),
)("hyparquet") as {
  parquetMetadata(bytes: ArrayBuffer): {
    readonly schema: readonly Readonly<
      Record<"name" | "type" | "repetition_type" | "converted_type", unknown>
    >[];
  };
  parquetReadObjects(o: { readonly file: ArrayBuffer }): Promise<object[]>;
};

const read = async (file: string): Promise<StoredTrajectory[]> => {
  const all: StoredTrajectory[] = [];
  for await (const one of readTrajectories(file)) all.push(one);
  return all;
};

const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }).map((x) => x + 0);
const words = fc.string({ unit: "grapheme", minLength: 1, maxLength: 5 }).filter((text) => !/\s/.test(text));
const someText = fc
  .array(words, { minLength: 1, maxLength: 5 })
  .map((all) => all.map((word, i) => (i === 0 ? word : ` ${word}`)));
const ids = fc.array(fc.integer({ min: 0, max: 1e5 }), { minLength: 1, maxLength: 5 });
const perToken = (tokens: readonly unknown[]): fc.Arbitrary<number[]> =>
  fc.array(number, { minLength: tokens.length, maxLength: tokens.length });

/** Turns of which each has what the form can hold. */
const turnOf = <T extends number | string>(
  tokens: fc.Arbitrary<T[]>,
  names: readonly ("logProb" | "rolloutLogProb" | "advantage")[],
): fc.Arbitrary<StoredTurn> =>
  fc.tuple(someText, tokens).chain(([heard, own]) =>
    fc.tuple(...names.map(() => perToken(own))).map((values) => ({
      observation: heard.join(""),
      tokens: own,
      ...Object.fromEntries(names.map((name, i) => [name, values[i]!])),
    })),
  );

const trajectories = (
  turn: fc.Arbitrary<StoredTurn>,
  more: {
    readonly turns?: number;
    readonly of?: (one: StoredTrajectory, n: number) => StoredTrajectory;
  } = {},
): fc.Arbitrary<StoredTrajectory[]> =>
  fc
    .array(
      fc.record({
        turns: fc.array(turn, { minLength: 1, maxLength: more.turns ?? 4 }),
        reward: number,
        group: words,
        truncated: fc.constant(false),
        id: words,
        extra: fc.constant({}),
      }),
      { minLength: 1, maxLength: 6 },
    )
    .map((all) => all.map((one, n) => more.of?.(one, n) ?? one));

/** What each form can hold whole. */
const held: Readonly<Record<TraceFormatName, fc.Arbitrary<StoredTrajectory[]>>> = {
  verl: trajectories(turnOf(someText, []), {
    turns: 1,
    of: (one, n) => ({
      ...one,
      id: String(n),
      group: `7:${one.turns[0]!.observation}`,
      extra: { gts: "4", step: 7, acc: one.reward > 0 },
    }),
  }),
  trl: trajectories(turnOf(someText, []), {
    of: (one, n) => ({
      ...one,
      id: String(n),
      group: `7:${one.turns[0]!.observation}`,
      turns: one.turns.map((turn) => ({ ...turn, advantage: turn.tokens.map(() => one.reward) })),
      extra: {
        step: 7,
        exact_reward: one.reward,
        advantage: one.reward,
        source: "here",
        right: one.reward > 0,
      },
    }),
  }),
  messages: trajectories(
    turnOf(fc.oneof(someText, ids) as fc.Arbitrary<(number | string)[]>, [
      "rolloutLogProb",
      "logProb",
      "advantage",
    ]),
    {
      of: (one, n) => ({ ...one, truncated: n % 2 === 0, extra: { seed: n } }),
    },
  ),
  verifiers: trajectories(turnOf(ids, ["logProb", "rolloutLogProb", "advantage"]), {
    of: (one, n) => ({ ...one, id: `${one.id}.0`, truncated: n % 2 === 0, extra: { metrics: { turns: n } } }),
  }),
  atropos: trajectories(
    fc
      .tuple(turnOf(ids, ["rolloutLogProb", "advantage"]), ids)
      .map(([turn, context]) => ({ ...turn, info: { context } })),
  ).map((all) => {
    // Groups are numbered by their records, members by their place in them.
    const size = 2;
    return all.map((one, n) => ({
      ...one,
      group: String(Math.floor(n / size)),
      id: `${Math.floor(n / size)}.${n % size}`,
      turns: one.turns.map((turn, t) =>
        t === one.turns.length - 1 ? { ...turn, info: { ...turn.info, after: [1, 2] } } : turn,
      ),
      extra: { group_overrides: { weight: 2 }, overrides: { seed: n } },
    }));
  }),
};

const plainly = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, x: unknown) => (typeof x === "bigint" ? Number(x) : x)));

describe("writing trajectories as other trainers store them", function () {
  this.timeout(patient(60_000));
  const place = pathsOfSuite();

  for (const [format, arbitrary] of Object.entries(held) as [
    TraceFormatName,
    (typeof held)[TraceFormatName],
  ][]) {
    it(`${format}: what was written is read back, all of it that the form can hold`, async () => {
      const file = place(format === "trl" ? "round.parquet" : `${format}.jsonl`);
      await fc.assert(
        fc.asyncProperty(arbitrary, async (meant) => {
          const written = await writeTrajectories(meant, { format, file });
          assert.deepEqual([written.trajectories, written.omitted], [meant.length, []]);
          const back = await read(file);
          assert.equal(back.length, meant.length);
          meant.forEach((one, n) => {
            const { extra, turns, ...whole } = back[n]!;
            const { extra: wanted, turns: own, ...rest } = one;
            assert.deepEqual(whole, rest);
            own.forEach((turn, t) => {
              const { info: _, ...said } = turns[t]!;
              const { info: context = {}, ...mine } = turn;
              assert.deepEqual(plainly(said), plainly(mine));
              const kept = Object.keys(context).map((key) => [key, turns[t]!.info![key]]);
              assert.deepEqual(Object.fromEntries(kept), context);
            });
            const kept = Object.keys(wanted).map((key) => [key, plainly(extra[key])]);
            assert.deepEqual(Object.fromEntries(kept), plainly(wanted));
          });
        }),
        { numRuns: 60 },
      );
    });
  }

  it("keeps the tools that were called, apart from what was said", async () => {
    const call = { type: "function", function: { name: "look", arguments: '{"at":1}' } };
    const messages = [
      { role: "system", content: "be brief" },
      { role: "user", content: "?" },
      { role: "assistant", content: "let me look", tool_calls: [call] },
      { role: "tool", content: "3" },
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", content: "4" },
    ];
    const [source, file] = [place("tools.jsonl"), place("tools-again.jsonl")];
    fs.writeFileSync(source, `${JSON.stringify({ id: "a", group: "g", messages, reward: 1 })}\n`);
    await writeTrajectories(readTrajectories(source), { format: "messages", file });
    assert.deepEqual(JSON.parse(fs.readFileSync(file, "utf8")), { id: "a", group: "g", messages, reward: 1 });
  });

  it("keeps what a message says, though the tokens beside it are not its text", async () => {
    const source = path.join(root, "datasets", "trajectories", "messages.jsonl");
    const file = place("messages-again.jsonl");
    await writeTrajectories(readTrajectories(source), { format: "messages", file });
    const records = (of: string): unknown[] =>
      fs
        .readFileSync(of, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown);
    assert.deepEqual(records(file), records(source));
  });

  it("writes a file of TRL's completions again as it was, with the columns and types that pandas gave it", async () => {
    const source = path.join(root, "datasets", "trajectories", "completions_00001.parquet");
    const file = place("completions_00001.parquet");
    await writeTrajectories(readTrajectories(source), { format: "trl", file });
    const bytes = (of: string): ArrayBuffer => new Uint8Array(fs.readFileSync(of)).buffer;
    const columns = (of: string): unknown =>
      parquetMetadata(bytes(of))
        .schema.slice(1)
        .map((one) => [one.name, one.type, one.repetition_type, one.converted_type]);
    assert.deepEqual(columns(file), columns(source));
    assert.deepEqual(
      await parquetReadObjects({ file: bytes(file) }),
      await parquetReadObjects({ file: bytes(source) }),
    );
  });

  it("gives a batch of our own to a chat: each row's return, words and log-probs", async () => {
    const env = make("LookUp-v0");
    const batch = collect(env, createPolicy(env.spec), { groups: 2, groupSize: 4, rng: createRng(1) });
    const file = place("own.jsonl");
    const omit: TracePart[] = ["logProb", "info"];
    const written = await writeTrajectories(batch, { format: "messages", file, omit });
    assert.equal(written.trajectories, batch.shape[0]);
    const again = await batchOf(readTrajectories(file));
    assert.deepEqual(again.batch.return_n, batch.return_n);
    assert.deepEqual(again.batch.mask_ntl, batch.mask_ntl);
  });

  it("refuses what a form cannot hold, by its name, and leaves no file behind", async () => {
    const one: StoredTrajectory = {
      id: "a",
      group: "g",
      turns: [{ observation: "2 + 2?", tokens: ["it", " is", " 4"], rolloutLogProb: [-1, -2, -3] }],
      reward: 1,
      truncated: true,
      extra: {},
    };
    const file = place("refused.jsonl");
    await assert.rejects(writeTrajectories([one], { format: "verl", file }), {
      name: "RangeError",
      message:
        "Cannot write verl's rollout dumps: they must hold every part, or omit name it, but record 0 would lose id, group, truncated, rolloutLogProb.",
    });
    assert.deepEqual(
      fs.readdirSync(path.dirname(file)).filter((name) => name.startsWith("refused")),
      [],
    );
    const omit: TracePart[] = ["id", "group", "truncated", "rolloutLogProb"];
    const { omitted } = await writeTrajectories([one], {
      format: "verl",
      file,
      omit: [...omit, "advantage"],
    });
    assert.deepEqual(omitted, omit, "only what was there is lost");
    const numbers = { ...one, turns: [{ observation: "", tokens: [1, 2] }] };
    for (const [format, says] of [
      ["verl", /one turn of text, but trajectory a has numbers for tokens\.$/],
      [
        "messages",
        /tokens of text, or log-probs beside them, but turn 0 of trajectory a has numbers alone\.$/,
      ],
      ["trl", /tokens of text, or log-probs beside them, but turn 0 of trajectory a has numbers alone\.$/],
    ] as const) {
      await assert.rejects(writeTrajectories([numbers], { format, file }), {
        name: "RangeError",
        message: says,
      });
    }
    await assert.rejects(
      writeTrajectories([one], { format: "verifiers", file }),
      /numbers for tokens, but turn 0 of trajectory a has pieces of text\.$/,
    );
    await assert.rejects(
      writeTrajectories([one], { format: "atropos", file }),
      /in info\.context those before each turn, but turn 0 of trajectory a has pieces of text\.$/,
    );
    const infinite = {
      ...one,
      truncated: false,
      turns: [{ ...one.turns[0]!, rolloutLogProb: [-1, -Infinity, 0] }],
    };
    await assert.rejects(writeTrajectories([infinite], { format: "messages", file }), {
      name: "RangeError",
      message:
        "Cannot write chat messages: each record must be read back: Cannot read a trajectory: logprob must be a finite number, but record 0, message 1 has null.",
    });
    await assert.rejects(writeTrajectories([one], { format: "trll" as never, file }), {
      name: "RangeError",
      message: /^Cannot write trajectories: format must be one of .*, got "trll"\.\nDid you mean "trl"\?$/,
    });
  });

  it("streams a hundred megabytes through a heap of 40", async () => {
    const code = (
      format: string,
      file: string,
    ): string => `const { writeTrajectories } = require("turnwise-practice");
const tokens = Array.from({ length: 2000 }, (_, i) => (i === 0 ? "" : " ") + "w".repeat(49));
function* all() {
  for (let n = 0; n < 1000; n++)
    yield { id: String(n), group: "7:q", turns: [{ observation: "q", tokens }], reward: 1, truncated: false, extra: { step: 7 } };
}
writeTrajectories(all(), { format: ${JSON.stringify(format)}, file: ${JSON.stringify(file)} }).then((done) => console.log(done.records));`;
    const file = place("large.jsonl");
    const args = ["--max-old-space-size=40", "-e", code("verl", file)];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
    assert.equal(Number(stdout), 1000);
    assert.ok(fs.statSync(file).size > 99e6);
  });
});
