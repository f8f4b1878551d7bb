import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { root } from "../../support/paths";

const folder = path.join(root, "datasets");
// eslint-disable-next-line @typescript-eslint/no-require-imports
const { readArguments } = require(path.join(folder, "measureParts.cjs")) as {
  readArguments(
    o: { what: string; names?: readonly string[]; options?: readonly string[] },
    args: readonly string[],
  ): { names: string[]; workers?: number; again?: boolean };
};

describe("the command line of a measurement", () => {
  const o = { what: "world", names: ["KeyDoor-v0", "Tiger-v0"], options: ["workers", "again"] };
  const refused = (args: readonly string[], message: string): void =>
    assert.throws(() => readArguments(o, args), { message: `Cannot measure: ${message}` });

  it("names what is measured, in its own order; without a name it is everything", () => {
    assert.deepEqual(readArguments(o, []), { names: ["KeyDoor-v0", "Tiger-v0"] });
    assert.deepEqual(readArguments(o, ["--again", "Tiger-v0", "--workers", "3"]), {
      names: ["Tiger-v0"],
      again: true,
      workers: 3,
    });
  });

  it("is refused with the nearest right name where one is misspelled", () => {
    refused(
      ["Tigre-v0"],
      'each world must be one of KeyDoor-v0, Tiger-v0, got Tigre-v0.\nDid you mean "Tiger-v0"?',
    );
    refused(
      ["--agian"],
      'each option must be one of --workers, --again, got --agian.\nDid you mean "--again"?',
    );
    refused(["--workers", "many"], "--workers must be followed by an integer, got many.");
    refused(["--workers"], "--workers must be followed by an integer, got nothing.");
    assert.throws(() => readArguments({ what: "name" }, ["x"]), {
      message: "Cannot measure: there must be no name, got x.",
    });
  });
});

describe("every script that measures", function () {
  this.timeout(60_000);
  const scripts = readdirSync(folder).filter((name) => /^measure-.*\.cjs$/.test(name));
  for (const name of scripts) {
    it(`${name} takes from the library only what it exports`, () => {
      const text = readFileSync(path.join(folder, name), "utf8");
      const taken = [...text.matchAll(/const \{([^}]*)\} = require\("(turnwise[^"]*)"\)/g)];
      for (const [, names, tier] of taken) {
        // eslint-disable-next-line @typescript-eslint/no-require-imports
        const exported = require(tier!) as object;
        const wanted = names!.split(",").map((own) => own.trim());
        assert.deepEqual(
          wanted.filter((own) => own !== "" && !(own in exported)),
          [],
          tier,
        );
      }
    });

    it(`${name} measures nothing for a misspelled name, and says so`, () => {
      const changed = (): number[] =>
        readdirSync(path.join(folder, "measured")).map(
          (file) => statSync(path.join(folder, "measured", file)).mtimeMs,
        );
      const before = changed();
      const { status, stderr } = spawnSync(process.execPath, [path.join(folder, name), "Tigre-v0"], {
        encoding: "utf8",
      });
      assert.equal(status, 2, stderr);
      assert.match(stderr, /^Cannot measure: .*, got Tigre-v0\.\n(Did you mean ".*"\?\n)?$/);
      assert.deepEqual(changed(), before);
    });
  }
});
