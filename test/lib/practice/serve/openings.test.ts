import assert from "node:assert/strict";
import fc from "fast-check";
import { serve } from "turnwise-practice/serve";
import { patient } from "../../../support/patient.js";
import { Client } from "../../../support/openEnv.js";
import { attempt, leaving, opening, said } from "./openings.js";

/** The long form: TURNWISE_OPENINGS=10000 npm test -- lib/serve/openings.test.ts */
const count = Number(process.env.TURNWISE_OPENINGS ?? 400);

describe("a world's server, whatever its clients send first and however they leave", function () {
  this.timeout(patient(20_000) + 10 * count);

  for (const [who, token] of [
    ["anybody of this machine", undefined],
    ["who has a token", "sixteen letters, at least"],
  ] as const) {
    it(`plays on with ${who} after ${String(count)} broken openings`, async () => {
      const server = await serve("LookUp-v0", { ...(token && { token }) });
      const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
      const client = await Client.open(server.url, "/ws", headers);
      const all = fc.sample(fc.tuple(opening, leaving), { numRuns: count, seed: 7 });
      for (let i = 0; i < all.length; i += 20)
        await Promise.all(all.slice(i, i + 20).map(([bytes, how]) => attempt(server.port, bytes, how)));
      await client.ask({ type: "reset", data: { seed: 1, episode_id: "still here" } });
      const { data } = await client.ask({ type: "state" });
      assert.equal(data.episode_id, "still here");
      await client.close();
      await server.close();
    });
  }

  it("answers an upgrade and a request for no address in words", async () => {
    const server = await serve("LookUp-v0");
    const answers: string[] = [];
    for (const upgrade of ["Connection: close\r\n", "Connection: Upgrade\r\nUpgrade: websocket\r\n"]) {
      const request = `GET // HTTP/1.1\r\nHost: 127.0.0.1\r\n${upgrade}\r\n`;
      answers.push(await said(server.port, request));
    }
    for (const answer of answers) {
      assert.match(answer, /^HTTP\/1\.1 422 /);
      assert.match(answer, /Cannot answer: the request must ask for an address, got \/\//);
    }
    await server.close();
  });
});
