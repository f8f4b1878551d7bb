import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { repository, temporaryFolder } from "./with-kernel.js";

describe("the command that compares cells with files", function () {
  this.timeout(60_000);
  const folder = temporaryFolder();

  const command = (...args: string[]): string =>
    execFileSync(process.execPath, [join(repository, "build/test/conformance/cells/main.js"), ...args], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    });

  before(() => {
    const head = (text: string): string => `/*---\n${text}\n---*/\n`;
    const done = "function $DONE(error) { print(error ? 'failed ' + error : 'Test262:AsyncTestComplete') }";
    const files: Record<string, string> = {
      "262/harness/assert.js": "function assert(value) { if (value !== true) throw new Error('assert') }",
      "262/harness/sta.js": "",
      "262/harness/doneprintHandle.js": done,
      "262/test/language/statements/ends.js":
        "let a = 1;\nfunction f() { return a + b }\nvar b = 2;\nassert(f() === 3);\n",
      "262/test/language/statements/throws.js": "const c = [];\nc.push(1);\nnull.x;\nc.push(2);\n",
      "262/test/language/statements/refused.js": `${head("negative:\n  phase: parse\n  type: SyntaxError")}let d; let d;`,
      "262/test/language/statements/sloppy.js": `${head("flags: [noStrict]")}with ({}) {}`,
      "262/test/language/asi/later.js": `${head("flags: [async]")}Promise.resolve().then(() => $DONE());`,
      // Between two cells the promise has its turn, and in a file not before its end.
      "262/test/language/types/turns.js": `let turn = 0;\n${"Promise.resolve().then(() => turn++);\n".repeat(30)}const seen = turn;`,
      "ts/erased.ts":
        "interface A { a: number }\nenum E { B = 2 }\nconst e: A = { a: E.B };\nconsole.log(e);\n",
      "ts/module.ts": "export const a = 1;",
      "ts/broken.ts": "let a: = 1;",
      "ts/endless.ts": "for (;;) {}",
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder(), path)), { recursive: true });
      writeFileSync(join(folder(), path), text);
    }
  });

  it("counts what is equal, what differs and what it leaves out, and says why", () => {
    const text = command("--test262", join(folder(), "262"));
    assert.match(text, /6 files, 6 looked at, 5 run in \d+ cells \(seed 0, /);
    assert.match(text, /left out 1: sloppy only: cells are strict/);
    assert.match(text, /as files: ends 3, (SyntaxError 1, TypeError 1|TypeError 1, SyntaxError 1)/);
    assert.match(text, /statements: 3 of 3 equal, 100.00 %/);
    // By Wilson: (4/5 + 1.96^2/10) / (1 + 1.96^2/5) = 0.6697, give or take 0.2940.
    assert.match(text, /all: 4 of 5 equal, 80.00 % \(37.55 to 96.38\)/);
    assert.match(text, /- \(cut\) types\/turns.js: seen: file 0 \| cells [1-9]/);
  });

  it("cuts TypeScript, too, stores what it has found, and runs nothing again that is stored", () => {
    const stored = join(folder(), "stored");
    const args = ["--typescript", join(folder(), "ts"), "--keep", stored];
    const first = command(...args);
    for (const why of ["modules", "does not parse, as it is meant to", "does not end"])
      assert.match(first, new RegExp(`left out 1: ${why}`));
    assert.match(first, /all: 1 of 1 equal/);
    // It would be equal; what is stored says otherwise.
    writeFileSync(
      stored,
      `${JSON.stringify([join(folder(), "ts/erased.ts"), { cells: 2, barred: 0, difference: "stored", file: "ends" }])}\n`,
    );
    assert.match(command(...args), /all: 0 of 1 equal[^]*- erased.ts: stored/);
  });
});
