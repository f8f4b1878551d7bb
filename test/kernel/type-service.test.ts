import assert from "node:assert/strict";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { TypeService } from "turnwise-kernel/dist/front/type-service.js";
import { forgetVersions } from "turnwise-kernel/dist/types/registry.js";
import { describedIn, findSnapshot, type SnapshotDescription } from "turnwise-kernel/dist/types/snapshot.js";
import { makeSnapshot, removeOrphans } from "turnwise-kernel/dist/types/snapshot-make.js";
import { repository, temporaryFolder } from "./with-kernel.js";
import { checkerIn } from "./with-types.js";

const folder = join(repository, "notebooks");

describe("the process of the type service", function () {
  this.timeout(120_000);
  const temporary = temporaryFolder();

  before(() => {
    makeSnapshot();
  });

  it("has a snapshot that fits only this Node and the modules it was made of", () => {
    const path = findSnapshot()!;
    const described = describedIn(dirname(path))!;
    const found = (change: Partial<SnapshotDescription>): string | undefined => {
      const other = temporary();
      writeFileSync(join(other, described.file), "");
      const text = JSON.stringify({ ...described, size: 0, ...change });
      writeFileSync(join(other, "types.json"), text);
      return findSnapshot([other]);
    };
    const [[module, size, changed, digest], ...rest] = described.modules;
    assert.ok(found({}), "nothing has changed");
    assert.equal(found({ node: described.node.replace(/^v\d+/, "v19") }), undefined, "another Node");
    assert.equal(found({ size: 1 }), undefined, "a truncated file");
    assert.equal(
      found({ modules: [[module!, size!, changed! - 1, "0"], ...rest] }),
      undefined,
      "compiled again",
    );
    assert.ok(found({ modules: [[module!, size!, changed! - 1, digest!], ...rest] }), "copied");
    assert.equal(found({ modules: [["/nowhere.js", 1, 1, digest!], ...rest] }), undefined, "moved");
  });

  it("keeps no snapshots in the cache for installations that are gone", () => {
    const cache = join(temporary(), "cache");
    const here = temporary();
    mkdirSync(cache);
    const kept = { here, gone: join(here, "removed"), old: undefined };
    for (const [name, installation] of Object.entries(kept)) {
      mkdirSync(join(cache, name));
      writeFileSync(join(cache, name, "types.json"), JSON.stringify({ file: "types.blob", installation }));
    }
    mkdirSync(join(cache, "native"));
    removeOrphans(cache);
    assert.deepEqual(readdirSync(cache).sort(), ["here", "native", "old"]);
    assert.equal(describedIn(dirname(findSnapshot()!))!.installation, join(repository, "kernel", "dist"));
  });

  it("rereads libraries that have changed", () => {
    const types = join(temporary(), "node_modules", "changing");
    mkdirSync(types, { recursive: true });
    writeFileSync(join(types, "package.json"), '{ "name": "changing", "types": "index.d.ts" }');
    const cell = 'import { value } from "changing"; value.toFixed()';
    const codes = (type: string): number[] => {
      writeFileSync(join(types, "index.d.ts"), `export declare const value: ${type};`);
      forgetVersions();
      const engine = checkerIn(temporary());
      const found = engine.check(cell).map(({ code }) => code);
      engine.close();
      return found;
    };
    assert.deepEqual(codes("number"), []);
    assert.deepEqual(codes("string[] | undefined"), [2339]);
  });

  it("finds a file and a package that were added after a cell had missed them", () => {
    const folder = join(temporary(), "late");
    mkdirSync(folder);
    const engine = checkerIn(folder);
    const codes = (cell: string): number[] => engine.check(cell).map(({ code }) => code);
    const [file, packaged] = [
      'import { a } from "./late"; a.toFixed()',
      'import { b } from "late"; b.toFixed()',
    ];
    assert.deepEqual([codes(file), codes(packaged)], [[2307], [2307]]);
    writeFileSync(join(folder, "late.ts"), "export const a = 1;");
    mkdirSync(join(folder, "node_modules", "late"), { recursive: true });
    writeFileSync(join(folder, "node_modules", "late", "index.d.ts"), "export declare const b: string;");
    assert.deepEqual([codes(file), codes(packaged)], [[], [2551]]);
    engine.close();
  });

  it("answers what was asked when it is killed", async () => {
    const types = new TypeService(folder);
    await types.ask("isComplete", { code: "1" });
    const asked = types.ask("complete", { code: "Math.", offset: 5 });
    process.kill(types.pid!, "SIGKILL");
    assert.ok((await asked).items.some(({ text }) => text === "sqrt"));
    const { items } = await types.ask("complete", { code: "Math.sq", offset: 7 });
    assert.deepEqual(
      items.map(({ text }) => text),
      ["sqrt"],
    );
    types.stop();
  });
});
