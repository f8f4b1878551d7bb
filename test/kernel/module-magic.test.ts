import assert from "node:assert/strict";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { KernelClient } from "turnwise-kernel";
import { notebookFiles } from "./notebook-files.js";
import { host, plain, resultText, runIn, startKernel, streamText, temporaryFolder } from "./with-kernel.js";

describe("a cell that begins with %%module", function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  let kernel: KernelClient;
  before(async () => {
    kernel = await startKernel({ cwd: folder() });
  });
  after(() => kernel.shutdown());

  const file = (name: string): string => join(folder(), name);
  const run = runIn(() => kernel);
  const value = async (code: string): Promise<string | undefined> => resultText(await run(code));
  const refusal = async (code: string): Promise<string> => {
    const { error } = await kernel.execute(code);
    assert.ok(error, "the cell must be refused");
    return `${error.ename}: ${error.evalue}`;
  };
  const complete = async (code: string): Promise<unknown> =>
    (await kernel.request("shell", "complete_request", { code, cursor_pos: code.length })).content.matches;
  const inspect = async (code: string, at: number): Promise<Record<string, unknown>> => {
    const asked = { code, cursor_pos: at, detail_level: 0 };
    return (await kernel.request("shell", "inspect_request", asked)).content as Record<string, never>;
  };
  const isComplete = async (code: string): Promise<unknown> =>
    (await kernel.request("shell", "is_complete_request", { code })).content.status;
  const files = notebookFiles(() => kernel, folder);
  /** A change of somebody else's hand. */
  const edit = files.write;

  it("writes a file beside the notebook and makes its exports names of the notebook", async () => {
    const result = await run(
      "%%module mine.ts\nexport interface Shape { side: number }\nexport const two: number = 2;\nexport default 9;\nexport function area(s: Shape) { return s.side ** two; }",
    );
    assert.equal(streamText(result), "mine.ts is written; imported area, two\n");
    assert.match(
      await files.read("mine.ts"),
      /^\/\/ Written by the cell "%%module mine.ts"; an edit here is seen at the next cell. \[[0-9a-f]{12}\]\nexport interface Shape/,
    );
    assert.equal(await value("const shape: Shape = { side: 3 }; area(shape) + two"), "11");
    assert.match(await refusal("area({ side: 'x' })"), /TS2322/);
    assert.match(await refusal("two = 3"), /TS2632.*it is an import/);
  });

  it("can be imported by hand, also under other names", async () => {
    assert.equal(
      await value(
        'import nine, * as all from "./mine";\nimport { two as b } from "./mine.js";\n[nine, all.two, b].join()',
      ),
      "'9,2,2'",
    );
  });

  it("replaces what earlier cells have imported when it runs again", async () => {
    await run("const later = () => two; const named = () => [nine, all.two, b];");
    await run("%%module mine.ts\nexport const two = 22;\nexport default 99;");
    assert.equal(await value("[two, later(), ...named()].join()"), "'22,22,99,22,22'");
    assert.match(
      await refusal('import { area as gone } from "./mine"'),
      /TS2614: .*no exported member 'area'/,
    );
  });

  it("no longer knows a name that the module has ceased to export", async () => {
    await run("%%module less.ts\nexport const stays = 1;\nexport const goes = 2;");
    await run("%%module less.ts\nexport const stays = 1;");
    assert.match(await refusal("goes"), /TS2304: Cannot find name 'goes'/);
  });

  it("leaves a name alone that the notebook has declared since", async () => {
    await run('let own = 1; const two = "my own";');
    await run("%%module other.ts\nexport const own = 5;\nexport const unused = 6;");
    await run("let unused = 7;");
    assert.equal(await value("[own, two, unused].join()"), "'5,my own,7'");
    await edit("other.ts", "export const own = 50;\nexport const unused = 60;");
    assert.equal(await value("[own, two, unused].join()"), "'50,my own,7'");
  });

  it("shows an edit on disk to the next cell, with its types, and says so", async () => {
    await run("%%module edited.ts\nexport const speed = 1;");
    await edit("edited.ts", 'export const speed = "fast"; export const fresh = 1;');
    const result = await run("speed.toUpperCase()");
    assert.equal(resultText(result), "'FAST'");
    assert.equal(streamText(result, "stderr"), "edited.ts has changed and is imported again\n");
    assert.equal(streamText(await run("speed"), "stderr"), "", "once");
    assert.equal(await value("fresh"), "1", "a name that the edit has added");
    await edit("edited.ts", "export const speed = 2;");
    assert.match(await refusal("fresh"), /TS2304: Cannot find name 'fresh'/);
  });

  it("points at the right place of a cell that runs after an edit", async () => {
    await edit("edited.ts", "export const speed = (): never => { throw new RangeError('too fast') };");
    const { error } = await kernel.execute("const first = 1;\n  speed();");
    assert.equal(error!.evalue, "too fast");
    assert.match(plain(error!.traceback), /edited\.ts:1:43[^]*cell_\d+\.ts:2:3/);
  });

  it("keeps its last version, and says why, while an edit on disk cannot be loaded", async () => {
    await run("%%module broken.ts\nexport const kept = 1;");
    await edit("broken.ts", "export const kept: any = 2; throw new RangeError('not yet')");
    const result = await run("kept");
    assert.equal(resultText(result), "1");
    assert.equal(
      streamText(result, "stderr"),
      "Cannot import broken.ts: its top level threw an error: RangeError: not yet; its last version stays in use\n",
    );
    await edit("broken.ts", "export const kept: any = 3;");
    assert.equal(await value("kept"), "3");
  });

  it("follows the modules that it imports", async () => {
    await run("%%module base.ts\nexport const base = 1;");
    await run('%%module parts/derived.ts\nimport { base } from "../base";\nexport const derived = base + 1;');
    assert.equal(await value("derived"), "2");
    await run("%%module base.ts\nexport const base = 10;");
    assert.equal(await value("derived"), "11");
    await edit("base.ts", "export const base = 100;");
    assert.equal(await value("derived"), "101");
  });

  it("reports type errors at their place in the cell, and leaves the file as it was", async () => {
    const before = await files.read("mine.ts");
    const { error } = await kernel.execute("%%module mine.ts\n\nexport const two: number = 'two';");
    assert.match(error!.evalue, /^cell_\d+\.ts:3:14 - TS2322/);
    assert.match(plain(error!.traceback), /export const two: number = 'two'/);
    assert.match(
      await refusal("%%module mine.ts\nexport const = 1"),
      /^SyntaxError: cell_\d+\.ts:2:14 - TS1134/,
    );
    assert.equal(await files.read("mine.ts"), before);
    assert.match(await refusal("%%module never.ts\nexport const a: string = 1"), /TS2322/);
    assert.equal(await files.exists("never.ts"), false);
    assert.match(await refusal('import { a as never } from "./never"'), /TS2307/);
  });

  it("says that a module does not see the notebook's variables", async () => {
    await run("const mine = 3;");
    assert.match(
      await refusal("%%module inner.ts\nexport const a = mine;"),
      /TS2304: Cannot find name 'mine'. It is a name of the notebook; a module sees only what it declares or imports\.$/,
    );
  });

  it("says where its top level throws; the names keep what they had", async () => {
    await run("%%module thrower.ts\nexport const held = 1;");
    const { error } = await kernel.execute(
      '%%module thrower.ts\nexport const held = 2;\nfunction fail(): never { throw new RangeError("no such world"); }\nfail();',
    );
    assert.equal(
      error!.evalue,
      "Cannot import thrower.ts: its top level threw an error: RangeError: no such world",
    );
    assert.match(
      plain(error!.traceback),
      /Caused by:\nRangeError: no such world\nthrower\.ts:3\n.*throw new RangeError[^]*thrower\.ts:3:\d+/s,
    );
    assert.equal(await value("held"), "1");
  });

  it("shows the line at which a function of it throws, and the line of the cell that called it", async () => {
    await run(
      '%%module deep.ts\nexport function check(x: number): void {\n  if (x < 0) throw new RangeError("below zero");\n}',
    );
    const { error } = await kernel.execute("const x = -1;\ncheck(x);");
    assert.match(
      plain(error!.traceback),
      /^RangeError: below zero\n[^]*check\(x\);[^]*deep\.ts:3\n[^]*throw new RangeError\("below zero"\)[^]*at check \(.*deep\.ts:3:20\)/,
    );
  });

  it("can be interrupted, and leaves nothing half done behind", async () => {
    await run("%%module looping.ts\nexport const whole = 1;");
    let seen = (): void => undefined;
    const looping = kernel.execute(
      '%%module looping.ts\nexport const half = 2;\nconsole.log("looping");\nif (half > 1) for (;;);\nexport const whole = 2;',
      { onMessage: ({ header }) => header.msg_type === "stream" && seen() },
    );
    await Promise.race([looping, new Promise<void>((resolve) => (seen = resolve))]);
    await kernel.interrupt();
    assert.equal((await looping).error?.ename, "KernelInterrupt");
    assert.equal(await value("(globalThis as any)[Symbol.for('turnwise.loading')]"), undefined);
    assert.equal(await value("whole"), "1");
    await run("%%module looping.ts\nexport const half = 3;\nexport const whole = 3;");
    assert.equal(await value("[half, whole].join()"), "'3,3'");
  });

  it("refuses to await at its top level", async () => {
    assert.equal(
      await refusal("%%module waits.ts\n\nexport const a = await Promise.resolve(1);"),
      "RangeError: Cannot write waits.ts: a module must not await at its top level, since threads load it in one go, but " +
        "line 3 does. Await in a function that it exports.",
    );
    assert.equal(await files.exists("waits.ts"), false);
    await run("%%module waits.ts\nexport const a = async () => await Promise.resolve(1);");
  });

  it("names every mistake in its first line", async () => {
    const cases: [string, string][] = [
      ["%module mine.ts\n1", "Cannot run %module: it must be written %%module: %%module mine.ts [--force]"],
      [
        "%%module\nexport {}",
        'Cannot write the module: the name of its file must follow %%module, such as "%%module mine.ts", but it is missing.',
      ],
      [
        "%%module --force\nexport {}",
        'Cannot write the module: the name of its file must follow %%module, such as "%%module mine.ts", but it is missing.',
      ],
      [
        "%%module mine.js\nexport {}",
        'Cannot write the module: its file must end in .ts, got "mine.js".\nDid you mean "mine.ts"?',
      ],
      [
        "%%module mine\nexport {}",
        'Cannot write the module: its file must end in .ts, got "mine".\nDid you mean "mine.ts"?',
      ],
      [
        "%%module mine.d.ts\nexport {}",
        'Cannot write the module: its file must end in .ts, got "mine.d.ts".\nDid you mean "mine.ts"?',
      ],
      [
        "%%module ../mine.ts\nexport {}",
        'Cannot write the module: its file must lie in the notebook\'s folder, got "../mine.ts".',
      ],
      [
        "%%module /tmp/mine.ts\nexport {}",
        'Cannot write the module: its file must lie in the notebook\'s folder, got "/tmp/mine.ts".',
      ],
      [
        "%%module my$file.ts\nexport {}",
        'Cannot write the module: its file must have a name of letters, digits, - and _, got "my$file.ts".',
      ],
      [
        "%%module node_modules/a.ts\nexport {}",
        'Cannot write the module: its file must have a name that no package and no cell of the kernel uses, got "node_modules/a.ts".',
      ],
      [
        "%%module mine.ts --forse\nexport {}",
        'Cannot write mine.ts: only --force may follow the name of the file, got "--forse".',
      ],
      ["%%module mine.ts\n \n", "Cannot write mine.ts: its text must stand below %%module."],
      [
        "const a = 1;\n%%module mine.ts\nexport {}",
        "Cannot run the cell: %%module must be its first line, but it is line 2.",
      ],
    ];
    const before = await files.list();
    for (const [code, message] of cases) assert.equal(await refusal(code), `RangeError: ${message}`, code);
    assert.deepEqual(await files.list(), before);
  });

  it("never replaces a file from elsewhere, or one that was edited since, unless it is told to, and then keeps the text", async () => {
    await edit("foreign.ts", "export const precious = 1;\n");
    const replace = (name: string): string =>
      `replace it with "%%module ${name} --force", which keeps the old text in ${name}.bak`;
    assert.equal(
      await refusal("%%module foreign.ts\nexport const precious = 2;"),
      "RangeError: Cannot write foreign.ts: no cell with %%module has written it before, so it is kept. " +
        'Choose another name, import it as it is (import * as mine from "./foreign"), or ' +
        replace("foreign.ts") +
        ".",
    );
    assert.equal(await files.read("foreign.ts"), "export const precious = 1;\n");
    const forced = await run("%%module foreign.ts --force\nexport const precious = 2;");
    assert.match(
      streamText(forced),
      /^foreign.ts is written; the old text is in foreign.ts.bak; imported precious\n$/,
    );
    assert.equal(await files.read("foreign.ts.bak"), "export const precious = 1;\n");

    await edit("foreign.ts", (await files.read("foreign.ts")).replace("2", "3"));
    assert.equal(
      await refusal("%%module foreign.ts\nexport const precious = 4;"),
      "RangeError: Cannot write foreign.ts: it was edited on disk since its cell wrote it, so it is kept. " +
        `Copy its text into the cell, or ${replace("foreign.ts")}.`,
    );
    assert.equal(await value("precious"), "3");
    await run("%%module foreign.ts\nexport const precious = 3;");
    await run("%%module foreign.ts\nexport const precious = 4;");
    await edit("foreign.ts", "export const precious = 5;");
    await run("%%module foreign.ts --force\nexport const precious = 6;");
    assert.equal(await files.read("foreign.ts.2.bak"), "export const precious = 5;");
  });

  it("writes neither through links nor over folders", async function () {
    mkdirSync(file("folder.ts"));
    assert.match(
      await refusal("%%module folder.ts\nexport {}"),
      /only a plain file may be replaced, but it is a folder\.$/,
    );
    if (process.platform === "win32") return;
    await edit("target.txt", "mine");
    symlinkSync(file("target.txt"), file("link.ts"));
    symlinkSync("/tmp", file("away"));
    assert.match(
      await refusal("%%module link.ts --force\nexport {}"),
      /only a plain file may be replaced, but it is a link\.$/,
    );
    assert.match(
      await refusal("%%module away/new.ts\nexport {}"),
      /its folder must be in that of the notebook, but it is a link to /,
    );
    assert.equal(await files.read("target.txt"), "mine");
    if (host !== "node") return;
    // A backup that the user's own link has taken the name of.
    await edit("forced.ts", "export const kept = 1;\n");
    symlinkSync(file("elsewhere.txt"), file("forced.ts.bak"));
    const forced = await run("%%module forced.ts --force\nexport const kept = 2;");
    assert.match(streamText(forced), /the old text is in forced\.ts\.2\.bak;/);
    assert.equal(await files.read("forced.ts.2.bak"), "export const kept = 1;\n");
    assert.equal(await files.exists("elsewhere.txt"), false);
  });

  it("completes and explains names inside of the cell and what it exports", async () => {
    await run(
      "%%module typed.ts\n/** How far it sees. */\nexport const horizon = 12;\nexport class Walker { stride = 1; step() {} }",
    );
    assert.deepEqual(await complete("new Walker().st"), ["step", "stride"]);
    assert.deepEqual(await complete("horiz"), ["horizon"]);
    assert.deepEqual(await complete("%%module typed.ts\nclass Runner { pace = 1 }\nnew Runner().p"), [
      "pace",
    ]);
    assert.deepEqual(await complete("%%module typed.ts\nhoriz"), [], "a module sees no names of cells");
    assert.deepEqual(await complete("%%mo"), ["%%module"]);
    const { data } = (await inspect("horizon", 3)) as { data: Record<string, unknown> };
    assert.match(String(data["text/plain"]), /const horizon: 12[\s\S]*How far it sees\./);
    const inside = "%%module typed.ts\nexport const reach: number[] = [];\nreach";
    assert.match(JSON.stringify(await inspect(inside, inside.length)), /reach: number\[\]/);
  });

  it("is complete in a console when its text is", async () => {
    assert.equal(await isComplete("%%module a.ts\nexport const a = 1;"), "complete");
    assert.equal(await isComplete("%%module a.ts\nexport function a() {"), "incomplete");
  });

  it("tells the notebook's libraries of its newest exports, and what registers itself where it is", async () => {
    await run(
      "%%module told.ts\nexport const at = (globalThis as any)[Symbol.for('turnwise.loading')];\nexport const one = 1;",
    );
    const known = "(globalThis as any)[Symbol.for('turnwise.modules')]";
    assert.equal(await value("at"), `'${file("told.ts")}'`);
    assert.equal(await value(`${known}.get(${JSON.stringify(file("told.ts"))}).one`), "1");
    await run("%%module told.ts\nexport const one = 2;");
    assert.equal(await value(`${known}.get(${JSON.stringify(file("told.ts"))}).one`), "2");
    assert.equal(await value("(globalThis as any)[Symbol.for('turnwise.loading')]"), undefined);
  });
});
