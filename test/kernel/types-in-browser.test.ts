// Uses internals of turnwise-site/shared.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { posix } from "node:path";
import { sha256 } from "turnwise-site/internal/shared/sha256";
import { posixPaths } from "turnwise-kernel/dist/types/posix-paths.js";
import { withoutComments } from "../support/browserTypes.js";

describe("what the packed declarations are made and read with", () => {
  it("is SHA-256 as Node has it", () => {
    // Lengths about the ends of blocks: 55 is the longest text that fits into one with its length.
    for (const length of [0, 3, 55, 56, 64, 119, 120, 1000]) {
      const text = "aé\n".repeat(length).slice(0, length);
      assert.equal(sha256(text), createHash("sha256").update(text).digest("hex"), `${length} characters`);
    }
  });

  it("are paths as Node has them on Linux", () => {
    for (const parts of [
      ["/a", "b"],
      ["/a/", "./b/../c"],
      ["a", "..", "..", "b"],
      ["/", ".."],
      ["", "a"],
      ["a", "."],
    ])
      assert.equal(posixPaths.join(...parts), posix.join(...parts), `join ${parts.join()}`);
    for (const parts of [
      ["/a", "b"],
      ["/a", "/b"],
      ["/a/b", "../c"],
      ["/a", ""],
    ])
      assert.equal(posixPaths.resolve(...parts), posix.resolve(...parts), `resolve ${parts.join()}`);
    for (const path of ["/a/b", "/a", "/", "a", "a/b/"]) {
      assert.equal(posixPaths.dirname(path), posix.dirname(path), `dirname ${path}`);
      assert.equal(posixPaths.basename(path), posix.basename(path), `basename ${path}`);
    }
    for (const [from, to] of [
      ["/a/b", "/a/c/d"],
      ["/a", "/a"],
      ["/", "/b"],
      ["/a/b", "/a"],
    ] as const)
      assert.equal(posixPaths.relative(from, to), posix.relative(from, to), `relative ${from} ${to}`);
  });

  it("are declarations without comments, but for references to others", () => {
    const text =
      '/** Head. */\n/// <reference types="node" />\n\n/** All. */\nexport interface A {\n  // one\n  b: `x${string}/*`; /* two */ c: "//";\n}\n';
    assert.equal(
      withoutComments(text),
      '/// <reference types="node" />\nexport interface A {\nb: `x${string}/*`; c: "//";\n}\n',
    );
  });
});
