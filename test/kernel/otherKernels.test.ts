import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ExecuteResult } from "turnwise-kernel";
import { patient } from "../support/patient.js";
import {
  plain,
  resultText,
  runIn,
  sharedKernel,
  startKernel,
  streamText,
  temporaryFolder,
} from "./with-kernel.js";

const dataOf = ({ outputs }: ExecuteResult): Record<string, unknown>[] =>
  outputs.flatMap((one) => ("data" in one ? [one.data] : []));

describe("notebooks of other kernels", function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  const kernel = sharedKernel(() => {
    // Plain JavaScript has no types that it could leave out.
    writeFileSync(join(folder(), "tsconfig.json"), '{ "compilerOptions": { "noImplicitAny": true } }');
    return { cwd: folder() };
  });
  const run = runIn(kernel);
  const refusal = async (code: string): Promise<string> => (await kernel().execute(code)).error!.evalue;
  const warned = (result: ExecuteResult): string => plain([streamText(result, "stderr")]);

  describe("in plain JavaScript", () => {
    before(() => run("%dialect javascript"));
    after(() => run("%dialect typescript"));

    it("make globals of what they assign to", async () => {
      const result = await run(
        "total = 0; for (i = 0; i < 3; i++) total += i;\n[first, { second }] = [1, { second: 2 }]",
      );
      assert.equal(streamText(result, "stderr"), "");
      await run(
        "function count() { counted = (typeof counted === 'undefined' ? 0 : counted) + 1 } count(); count()",
      );
      assert.equal(resultText(await run("[total, i, first, second, counted]")), "[ 3, 3, 1, 2, 2 ]");
      assert.equal(streamText(await run("total + counted"), "stderr"), "", "later cells know them");
    });

    it("only warn of type errors, and not of what any JavaScript does", async () => {
      assert.match(warned(await run("let text = 'a'; text = 1; text")), /TS2322/);
      const fine =
        "class Named { constructor(name) { this.name = name } }\nconst empty = {}; empty.one = new Named('x').name";
      assert.equal(warned(await run(fine)), "");
    });

    it("are sloppy scripts, unless they say otherwise", async () => {
      assert.equal(resultText(await run("(function () { return this === globalThis })()")), "true");
      assert.equal(resultText(await run("with ({ inside: 3 }) var summed = inside + 010; summed")), "11");
      assert.match(await refusal("'use strict'; undeclaredThing = 1"), /undeclaredThing is not defined/);
    });

    it("return the value of a cell", async () => {
      assert.equal(resultText(await run("const own = await 20; return own + 1")), "21");
    });
  });

  it("in TypeScript say how to declare a name", async () => {
    assert.match(
      await refusal("forgotten = 1"),
      /TS2304: Cannot find name 'forgotten'\. Declare it: let forgotten\. In a notebook of plain JavaScript: %dialect javascript$/,
    );
    assert.doesNotMatch(await refusal("forgotten + 1"), /Declare it/);
    assert.match(
      await refusal("%dialect python"),
      /must be followed by typescript, javascript or deno, got "python"/,
    );
  });

  it("have the dialect of the kernelspec from the start", async function () {
    this.timeout(60_000);
    const { kernelspec } = await import("turnwise-kernel/dist/cli/kernelspec.js");
    const other = await startKernel({
      cwd: folder(),
      kernelArgv: kernelspec("javascript").argv,
      startTimeoutMs: patient(30_000),
    });
    try {
      const { content } = await other.request("shell", "kernel_info_request", {});
      assert.equal((content.language_info as { name: string }).name, "javascript");
      assert.equal(resultText(await other.execute("fromTheStart = 1; fromTheStart")), "1");
    } finally {
      await other.shutdown();
    }
  });

  it("show objects as deep as Deno does", async () => {
    const code = "console.log({ a: { b: { c: { d: 1 } } } })";
    assert.match(streamText(await run(code)), /\[Object\]/);
    assert.match(streamText(await run(`%dialect deno\n${code}`)), /d: 1/);
    assert.match(streamText(await run(`%dialect typescript\n${code}`)), /\[Object\]/);
  });

  it("show a cell that is an object, with errors where they are", async () => {
    assert.equal(resultText(await run("{ a: 1, b: 2 }")), "{ a: 1, b: 2 }");
    assert.equal(resultText(await run("// note\n{ a: 1 } // after")), "{ a: 1 }");
    assert.equal(
      streamText(await run("{ const own = 2; console.log(own) }")),
      "2\n",
      "any other block stays one",
    );
    const error = (await kernel().execute("{ a: noSuchName, b: 2 }")).error!;
    assert.match(error.evalue, /^cell_\d+\.ts:1:6 - TS2304/);
    assert.match(plain(error.traceback), /1 \| \{ a: noSuchName, b: 2 \}\n/);
    const thrown = (await kernel().execute("{ a: JSON.parse('?'), b: 2 }")).error!;
    assert.match(plain(thrown.traceback), /cell_\d+\.ts:1:11/);
  });

  describe("of .NET Interactive", () => {
    it("have its magics", async () => {
      assert.deepEqual(dataOf(await run("#!html\n<b>1</b>")), [
        { "text/html": "<b>1</b>", "text/plain": "<b>1</b>" },
      ]);
      assert.equal(dataOf(await run("#!markdown\n# Title"))[0]!["text/markdown"], "# Title");
      assert.match(streamText(await run("#!time\n1 + 1")), /Wall time/);
      assert.match(streamText(await run("#!lsmagic")), /%%html/);
      assert.equal(resultText(await run("#!typescript\n1 as number")), "1");
    });

    it("run JavaScript in the kernel, and in the page where it names the page", async () => {
      const result = await run("#!javascript\nconst shared = 41; madeHere = 1; console.log('here')");
      assert.equal(streamText(result), "here\n");
      assert.equal(resultText(await run("shared + madeHere")), "42");
      assert.equal(resultText(await run("#!js\nreturn shared")), "41");
      assert.equal(
        dataOf(await run("#!js\nelement.textContent = 'x'"))[0]!["application/javascript"],
        "element.textContent = 'x'",
      );
      assert.match(await refusal("declaredNowhere = 1"), /TS2304/, "the next cell is TypeScript again");
    });

    it("say what to write for the rest", async () => {
      assert.match(await refusal("#!csharp\nvar x = 1;"), /this one is C#\. Write it in TypeScript/);
      assert.match(
        await refusal('#r "nuget: Plotly.NET, 1.0"'),
        /install a package of npm with %install; Plotly\.NET is/,
      );
      assert.match(await refusal("#!set --name x"), /declare a variable/);
      assert.match(
        await refusal("#!nothing"),
        /there is no such magic\. Of \.NET Interactive's there are #!html/,
      );
      assert.match(await refusal("#!html\n<b>1</b>\n#!js\n1"), /Divide it into two cells/);
      assert.equal(resultText(await run("#!/usr/bin/env node\n1 + 2")), "3");
    });
  });

  describe("of Deno", () => {
    it("show what Deno.jupyter shows", async () => {
      assert.equal(
        dataOf(await run("Deno.jupyter.html`<b>${'<i>1</i>'}</b>`"))[0]!["text/html"],
        "<b><i>1</i></b>",
      );
      assert.equal(dataOf(await run("Deno.jupyter.md`# ${1}`"))[0]!["text/markdown"], "# 1");
      const shown = await run("await Deno.jupyter.display({ 'text/plain': 'raw' }, { raw: true })");
      assert.deepEqual(dataOf(shown), [{ "text/plain": "raw" }]);
      const own = "({ [Deno.jupyter.$display]: () => ({ 'text/html': '<u>1</u>' }) })";
      assert.equal(dataOf(await run(own))[0]!["text/html"], "<u>1</u>");
      const image = "Deno.jupyter.image(new Uint8Array([0xff, 0xd8, 0xff]))";
      assert.equal(dataOf(await run(image))[0]!["image/jpeg"], "/9j/");
      const content = "{ data: { 'text/html': '<s>1</s>' }, metadata: {}, transient: {} }";
      const sent = await run(`await Deno.jupyter.broadcast("display_data", ${content})`);
      assert.equal(dataOf(sent)[0]!["text/html"], "<s>1</s>");
    });

    it("read and write files, and tell its errors by their classes", async () => {
      await run(
        "await Deno.writeTextFile('a.txt', 'one'); await Deno.writeTextFile('a.txt', ' two', { append: true })",
      );
      assert.equal(resultText(await run("Deno.readTextFileSync('a.txt')")), "'one two'");
      assert.equal(resultText(await run("(await Deno.readFile('a.txt')).length")), "7");
      assert.equal(
        resultText(
          await run(
            "[...Deno.readDirSync('.')].filter((one) => one.name.endsWith('.txt')).map((one) => one.name)",
          ),
        ),
        "[ 'a.txt' ]",
      );
      const failing =
        "await Deno.readTextFile('none').catch((error) => [error instanceof Deno.errors.NotFound, error.name])";
      assert.equal(resultText(await run(failing)), "[ true, 'NotFound' ]");
      assert.equal(
        resultText(await run("[Deno.cwd(), Deno.args.length, Deno.env.get('NO_SUCH')]")),
        `[ '${folder()}', 0, undefined ]`,
      );
    });

    it("start commands", async () => {
      const command = `new Deno.Command(Deno.execPath(), { args: ["-e", "console.log(6 * 7)"] })`;
      assert.equal(
        resultText(await run(`new TextDecoder().decode((await ${command}.output()).stdout)`)),
        "'42\\n'",
      );
      assert.equal(resultText(await run(`${command}.outputSync().success`)), "true");
      const echo = `new Deno.Command(Deno.execPath(), { args: ["-e", "process.stdin.pipe(process.stdout)"], stdin: "piped", stdout: "piped" })`;
      await run(`const child = ${echo}.spawn(); const writer = child.stdin.getWriter();
await writer.write(new TextEncoder().encode("piped")); await writer.close();`);
      assert.equal(
        resultText(
          await run("[new TextDecoder().decode((await child.output()).stdout), (await child.status).code]"),
        ),
        "[ 'piped', 0 ]",
      );
      // The output of a command that has ended before anyone asks for it.
      const early = `new Deno.Command(Deno.execPath(), { args: ["-e", "console.log(6 * 7)"], stdout: "piped" }).spawn()`;
      await run(`const early = ${early}; await early.status;`);
      assert.equal(
        resultText(await run("new TextDecoder().decode((await early.output()).stdout)")),
        "'42\\n'",
      );
      assert.match(await refusal("child.stderr"), /^Cannot use stderr: .* must be "piped", got "inherit"\.$/);
      const shown = await run(`await ${command}.spawn().status`);
      assert.equal(streamText(shown), "42\n");
      assert.equal(
        resultText(
          await run(
            "await new Deno.Command('no-such-command').output().catch((error) => error instanceof Deno.errors.NotFound)",
          ),
        ),
        "true",
      );
    });

    it("display by the module that they used before Deno could", async () => {
      const result =
        await run(`import { display, html as markup } from "https://deno.land/x/display@v1.1.2/mod.ts";
await display({ "text/html": "<b>1</b>" }, { raw: true });
markup\`<i>\${"<u>2</u>"}</i>\``);
      assert.equal(warned(result), "");
      assert.deepEqual(
        dataOf(result).map((data) => data["text/html"]),
        ["<b>1</b>", "<i><u>2</u></i>"],
      );
    });

    it("have their Deno, and packages have none", async () => {
      mkdirSync(join(folder(), "node_modules", "asks"), { recursive: true });
      writeFileSync(join(folder(), "node_modules", "asks", "index.js"), "module.exports = typeof Deno;");
      assert.equal(
        resultText(await run("[typeof Deno, typeof globalThis.Deno]")),
        "[ 'object', 'undefined' ]",
      );
      assert.equal(resultText(await run("require('asks')")), "'undefined'");
      assert.equal(resultText(await run("Deno")), "<Deno of cells>");
    });

    it("say what to write instead of other members", async () => {
      assert.match(
        await refusal("Deno.serve(() => new Response())"),
        /TS2339: .* Instead: import \{ createServer \} from "node:http"$/,
      );
      assert.match(
        await refusal("// @ts-nocheck\nDeno.exit()"),
        /^Cannot use Deno\.exit: .* throw an error to stop the cell/,
      );
      assert.match(await refusal("// @ts-nocheck\nDeno.somethingElse"), /Cells run on Node/);
    });
  });

  describe("of ijavascript", () => {
    it("give their results by $$", async () => {
      const types = async (code: string): Promise<string[]> =>
        dataOf(await run(code)).flatMap((one) => Object.keys(one));
      assert.deepEqual(await types("$$.html('<b>1</b>'); 5"), ["text/html", "text/plain"]);
      assert.deepEqual(await types("$$.mime({ 'image/svg+xml': '<svg/>' })"), [
        "image/svg+xml",
        "text/plain",
      ]);
      assert.deepEqual(await types("$$svg$$ = '<svg/>';"), ["image/svg+xml", "text/plain"]);
      assert.equal(resultText(await run("$$.sendResult({ one: 1 })")), "{ one: 1 }");
      assert.equal(resultText(await run("$$.text(Promise.resolve('later'))")), "later");
      const named = await run("const shownAs = $$.display('named'); shownAs.text('1'); shownAs.text('2')");
      assert.deepEqual(dataOf(named), [{ "text/plain": "2" }]);
    });

    it("wait for them", async () => {
      const result = await run(
        "$$.async(); setTimeout(() => { console.log('then'); $$.done(42) }, 1); 'not this'",
      );
      assert.equal(resultText(result), "42");
      assert.equal(streamText(result), "then\n");
      assert.deepEqual((await run("$$.async(); setTimeout($$.done, 1); 'not this'")).outputs, []);
      assert.equal(await refusal("$$.async(); setTimeout(() => $$.sendError(new Error('no')), 1)"), "no");
      const later = "new Promise((resolve) => setTimeout(resolve, 1))";
      for (const failing of [
        "Promise.reject(new Error('no')).then($$.done)",
        `${later}.then(() => { throw new Error('no') }).then($$.done)`,
        "setTimeout(() => { throw new Error('no') }, 1)",
      ])
        assert.equal(await refusal(`$$.async(); ${failing}`), "no", failing);
      assert.equal(resultText(await run("'the next cell is its own'")), "'the next cell is its own'");
    });

    it("wait for them until they are interrupted", async () => {
      const waiting = kernel().execute("console.log('waits'); $$.async()", {
        onMessage: ({ header }) => {
          if (header.msg_type === "stream") void kernel().interrupt();
        },
      });
      assert.equal((await waiting).error?.ename, "KernelInterrupt");
    });

    it("display themselves by _toHtml, and have a module", async () => {
      const shown = await run("class Shown { _toHtml() { return '<b>me</b>' } }\nnew Shown()");
      assert.equal(dataOf(shown)[0]!["text/html"], "<b>me</b>");
      assert.equal(
        resultText(await run("module.exports = { one: 1 }; exports.two = 2; module.exports")),
        "{ one: 1, two: 2 }",
      );
    });
  });

  describe("with JSX", () => {
    // Those of React are not installed here.
    before(() => run("%types warn"));
    after(() => run("%types error"));

    it("say what must be installed", async () => {
      assert.match(
        await refusal("const element = <b>1</b>;"),
        /it holds JSX, for which React must be installed: %install react/,
      );
    });

    it("make elements by what is installed, by what they name, or by the function that they have", async () => {
      const at = join(folder(), "node_modules", "react");
      mkdirSync(at, { recursive: true });
      writeFileSync(
        join(at, "package.json"),
        '{ "name": "react", "exports": { "./jsx-runtime": "./jsx-runtime.js" } }',
      );
      writeFileSync(
        join(at, "jsx-runtime.js"),
        "exports.jsx = exports.jsxs = (tag, { children }) => `${tag}(${children})`;",
      );
      assert.equal(resultText(await run("<b>1</b>")), "'b(1)'");
      assert.equal(resultText(await run("/** @jsxImportSource npm:react@18 */\n<i>2</i>")), "'i(2)'");
      await run("const make = (tag: string, props: object, ...inner: unknown[]) => `made ${tag} ${inner}`");
      assert.equal(resultText(await run("/** @jsx make */\n<b>3</b>")), "'made b 3'");
      assert.equal(resultText(await run("<b>4</b>")), "'made b 4'");
      assert.equal(resultText(await run("<any>5")), "5");
    });
  });
});
