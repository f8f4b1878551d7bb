import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { make } from "turnwise";
import { openEnv } from "turnwise-practice/serve";
import { specKey } from "turnwise-practice/internal/serve/wire/documents";
import { patient } from "../../../support/patient.js";
import { root } from "../../../support/paths.js";

const spec = JSON.parse(JSON.stringify(make("LookUp-v0").spec)) as Record<string, unknown>;
const tokens = (spec["vocabulary"] as unknown[]).length + (spec["observationVocabulary"] as unknown[]).length;

/** Runs in a process of its own: a server of worlds that do not keep to what they say, each under a path. */
function serve(
  given: { spec: Record<string, unknown>; specKey: string },
  tokensOf: Record<string, unknown>,
): void {
  const http = process.getBuiltinModule("node:http");
  const { WebSocketServer } = process.getBuiltinModule("node:module").createRequire(process.cwd() + "/")(
    "ws",
  ) as typeof import("ws");
  const server = http.createServer((request, response) => {
    const [, name] = request.url!.split("/");
    if (name === "endless") {
      let sent = 0;
      const piece = Buffer.alloc(1 << 20, 32);
      const more = (): void => {
        // Far more than is read.
        while ((sent += piece.length) < 1 << 30)
          if (!response.write(piece)) return void response.once("drain", more);
        response.end();
      };
      response.once("close", () => console.log(`sent ${sent}`));
      return more();
    }
    const changed = name === "spec" ? { maxTurns: "many" } : name === "words" ? { vocabulary: [1, 2] } : {};
    response.end(JSON.stringify({ action: { [given.specKey]: { ...given.spec, ...changed } } }));
  });
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (socket, request) => {
    const [, name] = request.url!.split("/");
    socket.on("error", () => undefined).on("close", () => console.log(`${name!} closed`));
    socket.on("message", () => {
      const observation = { text: "x", tokens: tokensOf[name!] ?? [0] };
      const answer = JSON.stringify({
        type: "observation",
        data: { observation, reward: null, done: false },
      });
      for (let i = 0; i < (name === "chatty" ? 10_000 : 1); i++) socket.send(answer);
    });
  });
  server.listen(0, "127.0.0.1", () => console.log(`port ${(server.address() as { port: number }).port}`));
}

describe("a server that does not keep to what it says", function () {
  this.timeout(patient(60_000));
  let child: ChildProcess;
  let url = "";
  let said = "";
  const outside: Readonly<Record<string, unknown>> = {
    above: [tokens],
    below: [-1],
    between: [0.5],
    text: ["0"],
    none: null,
  };
  before(async () => {
    const script = `(${serve.toString()})(${JSON.stringify({ spec, specKey })}, ${JSON.stringify({ ...outside, none: "no list" })})`;
    child = spawn(process.execPath, ["-e", script], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
    child.stdout!.setEncoding("utf8").on("data", (text: string) => (said += text));
    while (!said.includes("port")) await once(child.stdout!, "data");
    url = `http://127.0.0.1:${/port (\d+)/.exec(said)![1]!}`;
  });
  after(() => child.kill());

  for (const name of Object.keys(outside)) {
    it(`is refused where an observation has tokens outside of its vocabulary: ${name}`, () => {
      const env = openEnv(`${url}/${name}`);
      assert.throws(() => env.reset({ seed: 1 }), {
        name: "OpenEnvError",
        message: `Cannot reset LookUp-v0: ${url}/${name} refuses: its observation must have a text and a list of tokens from 0 to ${tokens - 1}`,
      });
      env.close();
    });
  }

  it("is refused where its world is none", () => {
    assert.throws(() => openEnv(`${url}/spec`), {
      name: "RangeError",
      message:
        'Cannot open the world of a server: its maxTurns must be an integer of at least 1, got "many".',
    });
    assert.throws(
      () => openEnv(`${url}/words`),
      /its vocabulary must be a list of one word or more, got \[1,2\]\.$/,
    );
  });

  it("is not read to its end where that never comes", async () => {
    assert.throws(
      () => openEnv(`${url}/endless`),
      /^OpenEnvError: Cannot open .* does not answer: .*\/schema must send at most 33554432 bytes, but it sends more\.$/,
    );
    while (!said.includes("sent")) await once(child.stdout!, "data");
    // What lies in the buffers of both ends has been sent as well.
    assert.ok(Number(/sent (\d+)/.exec(said)![1]) < 1 << 28, said);
  });

  it("loses the connection where it sends what nobody asked for", async () => {
    const env = openEnv(`${url}/chatty`);
    env.reset({ seed: 1 });
    while (!said.includes("chatty closed")) await once(child.stdout!, "data");
    env.close();
  });
});
