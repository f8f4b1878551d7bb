import assert from "node:assert/strict";
import { make, register, type Env } from "turnwise";
import { serve, type ServeOptions, type WorldServer } from "turnwise-practice/serve";
import { WebSocket } from "ws";
import { until } from "../../../support/process.js";
import { patient } from "../../../support/patient.js";
import { Client } from "../../../support/openEnv.js";

describe("a server of OpenEnv", function () {
  this.timeout(patient(30_000));
  const servers: WorldServer[] = [];
  const begin = async (o: ServeOptions = {}): Promise<WorldServer> => {
    const server = await serve("LookUp-v0", o);
    servers.push(server);
    return server;
  };
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

  const codeOf = async (client: Client, message: unknown): Promise<string> => {
    const { type, data } = await client.ask(message);
    assert.equal(type, "error");
    assert.match(data.message!, /^Cannot .*: /s);
    return data.code!;
  };

  it("names every mistake by OpenEnv's code, and the session goes on", async () => {
    const client = await Client.open((await begin()).url);
    const step = (data: unknown): unknown => ({ type: "step", data });
    assert.equal(await codeOf(client, "{"), "INVALID_JSON");
    assert.equal(await codeOf(client, "[1]"), "UNKNOWN_TYPE");
    assert.equal(await codeOf(client, { type: "rest" }), "UNKNOWN_TYPE");
    assert.equal(await codeOf(client, { type: "constructor" }), "UNKNOWN_TYPE");
    assert.equal(await codeOf(client, { type: "reset", data: { sed: 1 } }), "VALIDATION_ERROR");
    assert.match(client.answers.at(-1)!.data.message!, /got sed\.\nDid you mean "seed"\?$/);
    assert.equal(await codeOf(client, { type: "reset", data: { seed: -1 } }), "VALIDATION_ERROR");
    assert.equal(await codeOf(client, step({ text: 1 })), "VALIDATION_ERROR");
    assert.equal(await codeOf(client, step({ text: "LOOKUP 1" })), "EXECUTION_ERROR");
    await client.ask({ type: "reset", data: { seed: 1, episode_id: "mine" } });
    assert.equal(await codeOf(client, step({ tokens: [99, 1] })), "VALIDATION_ERROR");
    assert.match(client.answers.at(-1)!.data.message!, /got \[99,1\]\.$/);
    const state = await client.ask({ type: "state" });
    assert.deepEqual([state.data.episode_id, state.data.step_count], ["mine", 0]);
    client.socket.send(JSON.stringify({ type: "close" }));
    assert.equal(await client.closed, 1000);
  });

  it("refuses more sessions than may be, and has room again when one has ended", async () => {
    const server = await begin({ sessions: 2 });
    const first = await Client.open(server.url);
    await Client.open(server.url);
    const third = await Client.open(server.url);
    await third.has(1);
    assert.equal(third.answers[0]!.data.code, "CAPACITY_REACHED");
    assert.equal(await third.closed, 1013);
    await first.close();
    await until("the session's end", () => server.openSessions === 1);
    const fourth = await Client.open(server.url);
    assert.equal((await fourth.ask({ type: "state" })).type, "state");
  });

  it("ends a session that rests for too long, and tells the client why", async () => {
    const server = await begin({ idleSeconds: 0.05 });
    const client = await Client.open(server.url);
    await client.closed;
    assert.equal(client.answers.at(-1)!.data.code, "SESSION_ERROR");
    assert.match(client.answers.at(-1)!.data.message!, /it was idle for longer\.$/);
    assert.equal(server.openSessions, 0);
  });

  it("reads no message and no body that is longer than may be", async () => {
    const server = await begin({ messageBytes: 2000 });
    const client = await Client.open(server.url);
    client.socket.send(JSON.stringify({ type: "step", data: { text: "x".repeat(3000) } }));
    assert.equal(await client.closed, 1009, "the protocol's own code for a message that is too big");
    const { status } = await fetch(`${server.url}/reset`, { method: "POST", body: "x".repeat(3000) });
    assert.equal(status, 413);
    await until("the session's end", () => server.openSessions === 0);
  });

  it("reads a body of as many bytes as may be, and says what is wrong with one more", async () => {
    const { url } = await begin({ messageBytes: 2000 });
    const status = async (bytes: number): Promise<number> => {
      const body = "{}".padEnd(bytes, " ");
      return (await fetch(`${url}/reset`, { method: "POST", body })).status;
    };
    assert.deepEqual([await status(2000), await status(2001)], [200, 413]);
  });

  it("answers no route that is longer than one that it has, and tells how long a turn is", async () => {
    const { url } = await begin();
    const post = (way: string): Promise<Response> =>
      fetch(url + way, { method: "POST", body: JSON.stringify({ split: "train" }) });
    assert.equal((await post("/LookUp-v0/num_tasks")).status, 200);
    assert.equal((await post("/LookUp-v0/num_tasks/more")).status, 404);
    const about = async (at: string): Promise<string> =>
      ((await (await fetch(`${at}/metadata`)).json()) as { readme_content: string }).readme_content;
    assert.match(await about(url), /A turn is a text of exactly 2 of these words/);
    const tiger = await serve("Tiger-v0");
    servers.push(tiger);
    assert.match(await about(tiger.url), /A turn is a text of at most 1 of these words/);
  });

  it("closes the world of a request that names no session, once it is answered", async () => {
    const closed: string[] = [];
    const counted = (): Env =>
      Object.assign(make("Tiger-v0"), { fork: undefined, close: () => closed.push("closed") });
    register("closedWorld-v0", counted, { replace: true });
    const server = await serve("closedWorld-v0");
    servers.push(server);
    const before = closed.length;
    assert.equal((await fetch(`${server.url}/state`)).status, 200);
    assert.equal(closed.length, before + 1);
  });

  it("plays over HTTP in the session that MCP opens, which a WebSocket may share", async () => {
    const { url } = await begin();
    const post = async (way: string, body: object): Promise<Record<string, never>> =>
      (await fetch(url + way, { method: "POST", body: JSON.stringify(body) })).json() as never;
    const rpc = (method: string, params: object = {}): Promise<Record<string, never>> =>
      post("/mcp", { jsonrpc: "2.0", id: 1, method, params });
    const { session_id } = (await rpc("openenv/session/create")).result!;
    await post("/reset", { session_id, seed: 4, episode_id: "over HTTP" });
    const shown = await rpc("tools/call", { session_id, name: "LOOKUP", arguments: {} });
    const text = (shown.result as { content: { text: string }[] }).content[0]!.text;
    const paid = await post("/step", { session_id, action: { text: `ANSWER ${text.at(-1)!}` } });
    assert.deepEqual([paid.reward, paid.done], [1, true]);
    const socket = await Client.open(url, `/ws?session_id=${String(session_id)}`);
    assert.equal((await socket.ask({ type: "state" })).data.episode_id, "over HTTP");
    const second = await Client.open(url, `/ws?session_id=${String(session_id)}`);
    await second.has(1);
    assert.equal(second.answers[0]!.data.code, "SESSION_ERROR");
    assert.deepEqual((await rpc("openenv/session/close", { session_id })).result, {
      ...{ session_id, closed: false, closing: true },
    });
    await socket.close();
    const late = await rpc("tools/call", { session_id, name: "LOOKUP" });
    assert.match((late.error as { message: string }).message, /^Cannot use the session: it must be open/);
    assert.match(String((await post("/step", { action: { text: "" } })).detail), /it needs the session_id/);
  });

  it("answers calls of JSON-RPC on a WebSocket of their own", async () => {
    const client = await Client.open((await begin()).url, "/mcp");
    const answers = [];
    for (const message of ["{", { jsonrpc: "2.0", id: 7, method: "tools/find" }, { id: 8 }]) {
      const { id, error } = (await client.ask(message)) as unknown as {
        id: unknown;
        error: { code: number };
      };
      answers.push([id, error.code]);
    }
    assert.deepEqual(answers, [
      [null, -32700],
      [7, -32601],
      [8, -32600],
    ]);
  });

  it("keeps the session of a WebSocket that asks to close it, and closes one that nobody holds", async () => {
    const client = await Client.open((await begin()).url, "/mcp");
    interface Answer {
      result?: Record<string, unknown>;
      error?: { code: number; message: string };
    }
    const rpc = async (method: string, params: object = {}): Promise<Answer> =>
      (await client.ask({ jsonrpc: "2.0", id: 1, method, params })) as unknown as Answer;
    const session_id = (await rpc("openenv/session/create")).result!["session_id"];
    const refused = (await rpc("openenv/session/close", { session_id })).error!;
    assert.equal(refused.code, -32600);
    assert.match(refused.message, /^Cannot close the session: no WebSocket may hold it/);
    const { tools } = (await rpc("tools/list")).result as { tools: unknown[] };
    assert.equal(tools.length, 2, "it goes on");
    const other = (await rpc("openenv/session/close", { session_id: "none" })).error!;
    assert.match(other.message, /^Cannot use the session: it must be open, but its id is unknown/);
  });

  it("asks for a token where others may reach it, and lets no web page in without one", async () => {
    await assert.rejects(
      serve("LookUp-v0", { host: "0.0.0.0" }),
      /others than this machine must send a token/,
    );
    await assert.rejects(
      serve("LookUp-v0", { token: "short" }),
      /the token must have 16 letters or more, but it has 5/,
    );
    const open = await begin();
    const page = new WebSocket(`${open.url.replace("http", "ws")}/ws`, { origin: "https://example.org" });
    const [refusal] = await new Promise<[Error]>((resolve) =>
      page.once("error", (error) => resolve([error])),
    );
    assert.match(refusal.message, /403/);
    const token = "a-token-of-some-length";
    const closed = await begin({ token });
    assert.equal((await fetch(`${closed.url}/schema`)).status, 401);
    assert.equal((await fetch(`${closed.url}/health`)).status, 200, "health tells nothing");
    const headers = { authorization: `Bearer ${token}` };
    assert.equal((await fetch(`${closed.url}/schema`, { headers })).status, 200);
    await assert.rejects(Client.open(closed.url), /401/);
    const client = await Client.open(closed.url, "/ws", headers);
    assert.equal((await client.ask({ type: "reset" })).type, "observation");
  });

  it("refuses options that it does not know, a world that is not registered, and a port in use", async () => {
    const { port } = await begin();
    await assert.rejects(
      serve("LookUp-v0", { port }),
      /the port must be free, got .*another program uses it/,
    );
    await assert.rejects(
      serve("LookUp-v0", { sesions: 2 } as never),
      /unknown option "sesions"\.\nDid you mean "sessions"\?$/,
    );
    await assert.rejects(serve("LookUp-v0", { seed: -1 }), /seed must be an integer >= 0, got -1\.$/);
    await assert.rejects(serve("LookupX-v0"), /Did you mean "LookUp-v0"\?$/);
    await assert.rejects(serve("LookUp-v0", { idleSeconds: 0 }), /idleSeconds must be above 0, got 0\.$/);
  });
});
