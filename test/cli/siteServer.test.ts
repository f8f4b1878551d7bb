import assert from "node:assert/strict";
import fs from "node:fs";
import type { AddressInfo } from "node:net";
import { serve } from "turnwise-site/builder/serve.cjs";
import { pathsOfSuite } from "../support/command.js";
import { said } from "../lib/practice/serve/openings.js";

describe("the server that shows a built site", () => {
  const inFolder = pathsOfSuite();
  let server: Awaited<ReturnType<typeof serve>> | undefined;
  before(async () => {
    fs.mkdirSync(inFolder("tree"));
    fs.writeFileSync(inFolder("tree/index.html"), "the tree");
    server = await serve(inFolder(""));
  });
  after(() => server?.close());
  const ask = (target: string): Promise<string> =>
    said(
      (server!.address() as AddressInfo).port,
      `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );

  it("keeps the query of an address when it sends a reader to a folder", async () => {
    assert.match(
      await ask("/tree?path=a.ipynb"),
      /^HTTP\/1\.1 301 [^]*\r\nLocation: \/tree\/\?path=a\.ipynb\r\n/,
    );
    assert.match(await ask("/tree/?path=a.ipynb"), /^HTTP\/1\.1 200 [^]*the tree/);
  });

  it("refuses what is no address, and goes on", async () => {
    for (const target of ["//", "http://[", "/%", "/%E0%A4%A", "/%00"])
      assert.match(await ask(target), /^HTTP\/1\.1 400 /, target);
    assert.match(await ask("/tree/"), /^HTTP\/1\.1 200 /);
  });
});
