import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import zlib from "node:zlib";
import { measured } from "turnwise-course";

describe("measured()", () => {
  const before = process.cwd();
  let folder: string;
  beforeEach(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "turnwise-measured-")));
    fs.mkdirSync(path.join(folder, "datasets", "measured"), { recursive: true });
    process.chdir(folder);
  });
  afterEach(() => {
    process.chdir(before);
    fs.rmSync(folder, { recursive: true });
  });
  const write = (name: string, content: string | Buffer): void => {
    fs.writeFileSync(path.join(folder, "datasets", "measured", name), content);
  };

  it("reads a table as it is and as the package holds it, and names both where a name is wrong", () => {
    write("plain.csv", "a,b\n1,2\n");
    write("packed.csv.br", zlib.brotliCompressSync("a,b\n3,4\n"));
    assert.equal(measured("plain"), "a,b\n1,2\n");
    assert.equal(measured("packed"), "a,b\n3,4\n");
    assert.throws(() => measured("other"), {
      name: "RangeError",
      message: 'Cannot read a stored table: its name must be one of packed, plain, got "other".',
    });
  });

  it("prefers a table that the reader can change", () => {
    write("plain.csv", "a\n1\n");
    write("plain.csv.br", zlib.brotliCompressSync("a\n2\n"));
    assert.equal(measured("plain"), "a\n1\n");
  });
});
