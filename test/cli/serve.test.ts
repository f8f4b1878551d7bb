import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { removeTemporaryFolders, temporaryFolder, turnwise } from "../support/command.js";
import { Client, startServing } from "../support/openEnv.js";
import { patient } from "../support/patient.js";

/** A world in a file of its own, as a cell that begins with %%module writes it. */
const ownModule = `
import { make, register } from "turnwise";
const facts: number = 2;
register("TwoFacts-v0", (options) => make("LookUp-v0", { facts, ...options }));
`;

describe("turnwise serve", function () {
  this.timeout(patient(60_000));
  this.slow(10_000);
  after(removeTemporaryFolders);

  it("serves a registered world with its options until it is asked to end", async () => {
    const serving = await startServing(["LookUp-v0", "--options", '{"facts": 3}']);
    const client = await Client.open(serving.url);
    const { data } = await client.ask({ type: "reset", data: { seed: 1 } });
    assert.equal(data.observation.text, "question: which of 0, 1, 2 is the fact?");
    assert.equal(await serving.stop(), 0);
    assert.equal(await client.closed, 1001, "the client is told that the server goes away");
  });

  it("serves the world that a custom module registers, and asks for the token of the environment", async () => {
    const file = join(temporaryFolder(), "mine.ts");
    writeFileSync(file, ownModule);
    const token = "a-token-of-some-length";
    const serving = await startServing([file], { TURNWISE_SERVE_TOKEN: token });
    await assert.rejects(Client.open(serving.url), /401/);
    const client = await Client.open(serving.url, "/ws", { authorization: `Bearer ${token}` });
    const { data } = await client.ask({ type: "reset" });
    assert.equal(data.observation.text, "question: which of 0, 1 is the fact?");
    assert.equal(await serving.stop(), 0);
  });

  it("says in one sentence what it cannot serve", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "none.ts"), "export const nothing = 1;\n");
    writeFileSync(join(folder, "two.ts"), `${ownModule}register("OneFact-v0", () => make("LookUp-v0"));\n`);
    const refusals: readonly (readonly [readonly string[], RegExp])[] = [
      [["LookUpp-v0"], /^Cannot make "LookUpp-v0": .*\nDid you mean "LookUp-v0"\?$/m],
      [["./absent.ts"], /^Cannot serve: the module must be found from .*, got "\.\/absent\.ts"\.$/m],
      [["./none.ts"], /must register one world, or --world must name one, but it registers none\.$/m],
      [["./two.ts"], /must register one world, .*, but it registers OneFact-v0, TwoFacts-v0\.$/m],
      [
        ["./two.ts", "--world", "Other-v0"],
        /must register Other-v0, but it registers OneFact-v0, TwoFacts-v0\.$/m,
      ],
      [["LookUp-v0", "--port", "x"], /^Cannot serve: --port must be a number >= 0, got "x"\.$/m],
      [["LookUp-v0", "--options", "[1]"], /^Cannot serve: --options must be a JSON object, got '\[1\]'\.$/m],
      [
        ["LookUp-v0", "--host", "0.0.0.0"],
        /^Cannot serve LookUp-v0: others than this machine must send a token/m,
      ],
      [[], /^Cannot serve: name exactly one world, got 0\.$/m],
    ];
    await Promise.all(
      refusals.map(async ([args, sentence]) => {
        const { code, stderr } = await turnwise(["serve", ...args], { cwd: folder });
        assert.equal(code, 1, stderr);
        assert.match(stderr, sentence);
      }),
    );
  });
});
