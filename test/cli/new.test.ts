import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { pathsOfSuite, turnwise } from "../support/command.js";
import { root } from "../support/paths.js";

const below = (folder: string): string[] =>
  fs.readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"));

describe("turnwise new", function () {
  this.timeout(30_000);
  this.slow(10_000);
  const at = pathsOfSuite();
  const lesson = (): string => path.join(at("my course"), "notebooks", "00-start-here.ipynb");
  const exercise = (): string => path.join(at("my course"), "notebooks", "exercises", "00-one-knob.ipynb");

  it("copies lessons, exercises, the appendix and their data, no solutions, and says how to open them", async () => {
    const { code, stdout, stderr } = await turnwise(["new", at("my course")]);
    assert.equal(code, 0, stderr);
    assert.match(
      stdout,
      /^Copied \d+ notebooks and \d+ other files into .*my course\nTo open them: cd ".*my course" && npx turnwise lab\n$/,
    );
    const copied = below(at("my course"));
    const own = below(path.join(root, "notebooks")).filter(
      (name) => name.endsWith(".ipynb") && !name.includes("checkpoints") && !name.startsWith("docs"),
    );
    for (const name of own) assert.ok(copied.includes(`notebooks/${name}`), name);
    assert.ok(
      copied.includes("datasets/logs/trl.jsonl"),
      "which lesson 11 reads as ../datasets/logs/trl.jsonl",
    );
    assert.deepEqual(
      copied.filter((name) => /solution|teacher\.md|\.cjs$/.test(name)),
      [],
    );
    assert.equal(
      fs.readFileSync(lesson(), "utf8"),
      fs.readFileSync(path.join(root, "notebooks", "00-start-here.ipynb"), "utf8"),
    );
  });

  it("leaves no link that leads nowhere, and no command of the repository in the course's page", () => {
    const folder = at("my course");
    const texts = below(folder).filter((name) => /^(notebooks|docs)\/.*\.(md|ipynb)$/.test(name));
    for (const name of texts) {
      const text = fs.readFileSync(path.join(folder, name), "utf8");
      for (const [link, to] of text.matchAll(/\]\((\.{1,2}\/[^)#\s]*)/g)) {
        assert.ok(fs.existsSync(path.join(folder, path.dirname(name), to!)), `${name}: ${link}`);
      }
    }
    assert.doesNotMatch(
      fs.readFileSync(path.join(folder, "notebooks", "README.md"), "utf8"),
      /npm (start|run)/,
    );
  });

  it("overwrites nothing: it names what it would have overwritten, and copies nothing", async () => {
    fs.writeFileSync(exercise(), "my answers");
    fs.rmSync(lesson());
    const { code, stdout, stderr } = await turnwise(["new", at("my course")]);
    assert.equal(code, 1);
    assert.equal(stdout, "");
    assert.match(
      stderr,
      /^Cannot copy the course into .*: nothing there may be overwritten, but 1 file there would be: .*notebooks.exercises.00-one-knob\.ipynb\.\nTo keep them and copy only what is missing, add --missing; or choose another folder: npx turnwise new ".*my course2"\n$/,
    );
    assert.equal(fs.readFileSync(exercise(), "utf8"), "my answers");
    assert.equal(fs.existsSync(lesson()), false);
  });

  it("with --missing, copies only what is not there", async () => {
    const { code, stdout, stderr } = await turnwise(["new", "--missing", at("my course")]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^Kept as it is: .*00-one-knob\.ipynb\nCopied 1 notebook and 0 other files into /);
    assert.equal(fs.readFileSync(exercise(), "utf8"), "my answers");
    assert.ok(fs.existsSync(lesson()));
  });

  it("does not write where a file is instead of the folder, or without a name", async () => {
    fs.writeFileSync(at("taken"), "mine");
    const taken = await turnwise(["new", at("taken")]);
    assert.equal(taken.code, 1);
    assert.match(taken.stderr, /^Cannot copy the course into .*taken: /);
    assert.equal(fs.readFileSync(at("taken"), "utf8"), "mine");
    const nameless = await turnwise(["new"]);
    assert.equal(nameless.code, 1);
    assert.equal(
      nameless.stderr,
      "Cannot copy the course: one folder must be named, got none.\nFor example: npx turnwise new course\n",
    );
  });
});
