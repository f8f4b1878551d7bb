import assert from "node:assert/strict";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as fc from "fast-check";
import { make } from "turnwise";
import { serve, type WorldServer } from "turnwise-practice/serve";
import { patient } from "../../../support/patient.js";
import { until } from "../../../support/process.js";
import { Client, playRandomly } from "../../../support/openEnv.js";

const id = "Calculator-v0";

/** Plays the episodes of some seeds and compares each answer with the same episode played here. */
async function playAndCompare(client: Client, seeds: readonly number[]): Promise<void> {
  const env = make(id);
  for (const seed of seeds) {
    const { texts, seen, rewards } = playRandomly(env, seed);
    const first = client.answers.length;
    const name = `episode ${seed}`;
    client.socket.send(JSON.stringify({ type: "reset", data: { seed, episode_id: name } }));
    for (const text of texts) client.socket.send(JSON.stringify({ type: "step", data: { text } }));
    client.socket.send(JSON.stringify({ type: "state" }));
    await client.has(first + texts.length + 2);
    const answers = client.answers.slice(first);
    assert.equal(answers.length, texts.length + 2, "one answer to each message");
    const turns = answers.slice(0, -1).map(({ data }) => data);
    assert.deepEqual(
      turns.map(({ observation }) => observation.text),
      seen,
    );
    assert.deepEqual(
      turns.slice(1).map(({ reward }) => reward),
      rewards,
    );
    const state = answers.at(-1)!.data;
    assert.deepEqual([state.episode_id, state.step_count], [name, texts.length]);
  }
}

const codes = [
  "INVALID_JSON",
  "UNKNOWN_TYPE",
  "VALIDATION_ERROR",
  "EXECUTION_ERROR",
  "CAPACITY_REACHED",
  "FACTORY_ERROR",
  "SESSION_ERROR",
];

/** Messages that are nearly right: a good one with a part replaced, left out or cut, and texts that are none. */
const mutated = ((): fc.Arbitrary<string> => {
  const anything = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom("reset", "LOOKUP", -1, 1e99, null, ""),
  );
  const good = fc.constantFrom<Readonly<Record<string, unknown>>>(
    { type: "reset", data: { seed: 1, episode_id: "x" } },
    { type: "step", data: { text: "CALL ^" } },
    { type: "step", data: { tokens: [1, 3] } },
    { type: "step", data: { type: "call_tool", tool_name: "CALL", arguments: { operator: "^" } } },
    { type: "state" },
    {
      type: "mcp",
      data: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "CALL", arguments: {} } },
    },
  );
  const keys = [
    "type",
    "data",
    "text",
    "tokens",
    "seed",
    "__proto__",
    "constructor",
    "jsonrpc",
    "arguments",
    "session_id",
  ];
  const key = fc.constantFrom(...keys);
  const outside = fc.tuple(good, key, anything).map(([m, k, v]) => JSON.stringify({ ...m, [k]: v }));
  const inside = fc
    .tuple(good, key, anything)
    .map(([m, k, v]) => JSON.stringify({ ...m, data: { ...(m.data as object), [k]: v } }));
  const cut = fc.tuple(good, fc.nat()).map(([m, n]) => {
    const text = JSON.stringify(m);
    return text.slice(0, n % text.length);
  });
  const none = fc.oneof(fc.string({ unit: "binary" }), fc.json());
  return fc.oneof(outside, inside, cut, none);
})();

function heapUsed(): number {
  setFlagsFromString("--expose_gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed;
}

describe("a server under load", function () {
  this.timeout(patient(60_000));
  this.slow(10_000);
  let server: WorldServer;
  before(async () => {
    server = await serve(id, { sessions: 300 });
  });
  after(() => server.close());

  it("plays 1,000 episodes of 200 sessions at once: nothing is lost, and no session sees another", async () => {
    const clients = await Promise.all(Array.from({ length: 200 }, () => Client.open(server.url)));
    assert.equal(server.openSessions, 200);
    await Promise.all(
      clients.map((client, i) =>
        playAndCompare(
          client,
          [0, 1, 2, 3, 4].map((k) => 5 * i + k),
        ),
      ),
    );
    await Promise.all(clients.map((client) => client.close()));
    await until("the end of all sessions", () => server.openSessions === 0);
  });

  it("forgets the session of a client that dies in the middle of an episode, and no other", async () => {
    const [dying, living] = await Promise.all([Client.open(server.url), Client.open(server.url)]);
    await dying.ask({ type: "reset", data: { seed: 1 } });
    await living.ask({ type: "reset", data: { seed: 1, episode_id: "lives" } });
    // No close: the connection is gone, as after a crash.
    dying.socket.terminate();
    await until("the session's end", () => server.openSessions === 1);
    assert.equal((await living.ask({ type: "state" })).data.episode_id, "lives");
    await living.close();
    await until("the end of all sessions", () => server.openSessions === 0);
  });

  it("stops reading a client that does not read, serves the others, and then loses nothing", async () => {
    const [slow, quick] = await Promise.all([Client.open(server.url), Client.open(server.url)]);
    slow.socket.pause();
    const count = 40_000;
    const name = (i: number): string => `${String(i)} ${"x".repeat(240)}`;
    for (let i = 0; i < count; i++) {
      slow.socket.send(JSON.stringify({ type: "reset", data: { seed: i, episode_id: name(i) } }));
    }
    await playAndCompare(
      quick,
      Array.from({ length: 100 }, (_, seed) => seed),
    );
    assert.ok(slow.socket.bufferedAmount > 0, "its messages wait on its own side");
    slow.socket.resume();
    await slow.has(count);
    slow.answers.forEach(({ data }, i) => assert.equal(data.metadata!.episode_id, name(i)));
    await Promise.all([slow.close(), quick.close()]);
  });

  it("answers each of 10,000 mutated messages, most of them by an error with a code of OpenEnv, and plays on", async () => {
    const messages = fc.sample(mutated, { numRuns: 10_000, seed: 22 });
    const clients = await Promise.all(Array.from({ length: 10 }, () => Client.open(server.url)));
    const share = messages.length / clients.length;
    const before = heapUsed();
    await Promise.all(
      clients.map(async (client, i) => {
        for (const message of messages.slice(i * share, (i + 1) * share)) client.socket.send(message);
        await client.has(share);
      }),
    );
    const kinds = new Map<string, number>();
    for (const { type, data } of clients.flatMap(({ answers }) => answers.splice(0))) {
      assert.ok(["observation", "state", "mcp", "error"].includes(type), type);
      if (type === "error") assert.ok(codes.includes(data.code!), data.code);
      const kind = data.code ?? type;
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    for (const kind of [
      "INVALID_JSON",
      "UNKNOWN_TYPE",
      "VALIDATION_ERROR",
      "EXECUTION_ERROR",
      "observation",
      "mcp",
    ]) {
      assert.ok((kinds.get(kind) ?? 0) > 0, `${kind}: ${kinds.get(kind) ?? 0} of 10,000`);
    }
    await Promise.all(clients.map((client, i) => playAndCompare(client, [i])));
    for (const client of clients) client.answers.length = 0;
    const grown = heapUsed() - before;
    assert.ok(grown < 8e6, `the heap has grown by ${grown} bytes`);
    await Promise.all(clients.map((client) => client.close()));
  });
});
