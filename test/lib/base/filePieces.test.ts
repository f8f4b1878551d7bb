// Uses internals of turnwise/base.
import assert from "node:assert/strict";
import { files } from "turnwise/internal/base/host/files/browser";
import { MemoryStore, type FileStore } from "turnwise/internal/base/host/files/store";
import { setUp } from "turnwise/internal/base/host/page";

describe("files of a page that are larger than the memory", () => {
  let before: FileStore = new MemoryStore();
  beforeEach(() => {
    before = setUp({}).files;
  });
  afterEach(() => void setUp({ files: before }));

  /** A file of `size` bytes, each the last digit of its place, which nobody may read whole. */
  const large = (size: number): FileStore => ({
    read: (path) => {
      if (path === "/run/log") throw new Error("it was read whole");
      return undefined;
    },
    list: (folder) => (folder === "/run" ? ["log"] : folder === "/" ? ["run/"] : undefined),
    write: () => undefined,
    settled: () => Promise.resolve(),
    pieces: {
      size: (path) => (path === "/run/log" ? size : undefined),
      part: (_, from, to) =>
        Uint8Array.from({ length: Math.min(to, size) - from }, (_, i) => (from + i) % 10),
    },
  });

  it("are opened, measured and read in pieces without being read whole", () => {
    setUp({ files: large(4e9), folder: "/" });
    assert.equal(files.statSync("/run/log", { throwIfNoEntry: false })?.size, 4e9);
    assert.equal(files.statSync("/run", { throwIfNoEntry: false })?.isDirectory(), true);
    assert.equal(files.statSync("/run/other", { throwIfNoEntry: false }), undefined);
    const fd = files.openSync("/run/log", "r");
    const bytes = new Uint8Array(5);
    assert.equal(files.readSync(fd, bytes, 1, 4, 3e9 + 7), 4);
    assert.deepEqual([...bytes], [0, 7, 8, 9, 0]);
    assert.equal(files.readSync(fd, bytes, 0, 5, 4e9 - 2), 2);
    files.closeSync(fd);
    assert.throws(() => files.openSync("/run/other", "r"), /ENOENT/);
    assert.throws(() => files.openSync("/run", "r"), /EISDIR/);
  });
});
