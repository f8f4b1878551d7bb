import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MimeBundle } from "turnwise-kernel";
import {
  plain,
  resultText,
  runIn,
  sharedKernel,
  started,
  streamText,
  temporaryFolder,
} from "./with-kernel.js";

describe("magics", function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  const kernel = sharedKernel(() => ({ cwd: folder() }));

  const run = runIn(kernel);
  const printed = async (code: string): Promise<string> => streamText(await run(code));
  const refusal = async (code: string): Promise<string | undefined> =>
    (await kernel().execute(code)).error?.evalue;
  const shown = async (code: string): Promise<MimeBundle> => {
    const output = (await run(code)).outputs.find((one) => one.output_type === "display_data");
    assert.ok(output && "data" in output, code);
    return output.data;
  };
  const complete = async (code: string): Promise<unknown> =>
    (await kernel().request("shell", "complete_request", { code, cursor_pos: code.length })).content.matches;

  describe("that time", () => {
    const seconds = String.raw`[\d.]+ (?:s|ms|µs|ns)`;

    it("tell the time of a cell, and show its value and keep its variables", async () => {
      const result = await run("%%time\nconst timed = 6 * 7;\ntimed");
      assert.match(streamText(result), new RegExp(`^Wall time: ${seconds}, processor time: ${seconds}\n$`));
      assert.equal(resultText(result), "42");
      assert.equal(resultText(await run("timed + 1")), "43");
    });

    it("tell the time of a cell that fails", async () => {
      const result = await kernel().execute("%%time\nthrow new RangeError('no')");
      assert.equal(result.error?.evalue, "no");
      assert.match(streamText(result), /^Wall time: /);
    });

    it("tell the time of an expression in a line, with or without await", async () => {
      const result = await run("let waited = 0;\n%time waited = await Promise.resolve(5)");
      assert.match(streamText(result), /^Wall time: /);
      assert.equal(resultText(result), "5");
      assert.equal(resultText(await run("waited")), "5");
    });

    it("measure many runs, in the number that is asked for", async () => {
      await run("let calls = 0;");
      // One run to begin with, then 3 rounds of 20.
      assert.match(
        await printed("%timeit -n 20 -r 3 calls++"),
        new RegExp(`^${seconds} ± (?:${seconds}|0 ns) a run, best ${seconds} \\(3 rounds of 20\\)\n$`),
      );
      assert.equal(resultText(await run("calls")), "61");
      await run("%%timeit -n 5 -r 1\nconst step = 2;\nawait Promise.resolve();\ncalls += step;");
      assert.equal(resultText(await run("calls")), "73");
      assert.match((await refusal("step"))!, /TS2304: Cannot find name 'step'/);
    });

    it("check the code that they time, and point to its place", async () => {
      assert.match((await refusal("%timeit 'a'.size"))!, /:1:13 - TS2339/);
      assert.match((await refusal("%%timeit\n  'a'.size"))!, /:2:7 - TS2339/);
      const failed = await kernel().execute("%time (() => { throw new Error('deep') })()");
      assert.match(plain(failed.error?.traceback), /cell_\d+\.ts:1:22/);
    });

    it("say what they take", async () => {
      assert.equal(
        await refusal("%timeit const a = 1"),
        'Cannot time the line: one expression must follow %timeit, got "const a = 1". For example: %timeit x = f(). To time a whole cell: %%timeit',
      );
      assert.equal(
        await refusal("%%timeit -k 3\n1"),
        'Cannot time the code: only -n and -r with a number above 0 may follow the name, got "-k 3".',
      );
    });

    it("can be interrupted while they measure", async () => {
      const { result } = await started(kernel(), "\n%timeit -n 1000000000 Math.sqrt(2)");
      await kernel().interrupt();
      assert.equal((await result).error?.ename, "KernelInterrupt");
    });
  });

  describe("that run commands", () => {
    it("print what a command writes, in order, on both streams", async () => {
      const result = await run(
        "console.log('before');\n!echo one; echo two >&2; echo three\nconsole.log('after');",
      );
      assert.equal(streamText(result), "before\none\nthree\nafter\n");
      assert.equal(streamText(result, "stderr"), "two\n");
    });

    it("tell of an exit code, keep it, and go on", async () => {
      const result = await run("!exit 3\nconsole.log('on')");
      assert.equal(streamText(result, "stderr"), "[exit code 3]\n");
      assert.equal(streamText(result), "on\n");
      assert.equal(resultText(await run("// @ts-nocheck\n_exitCode")), "3");
    });

    it("run the lines of a cell as one script, and a cell may hold several commands", async () => {
      assert.equal(
        await printed("%%sh\nword=hello\nfor i in 1 2; do echo $word $i; done"),
        "hello 1\nhello 2\n",
      );
      assert.equal(await printed("for (const _ of [1, 2]) {\n  !echo again\n}"), "again\nagain\n");
    });

    it("leave a line alone that is TypeScript over known names", async () => {
      await run("let done = false; const list = [1];");
      assert.equal(resultText(await run("!done")), "true");
      assert.equal(resultText(await run("!list.includes(2) && !done")), "true");
      assert.equal(resultText(await run("const both = (\n  !done\n);\nboth")), "true");
      assert.equal(resultText(await run("const spread = [\n!done,\n!list\n];\nspread.length")), "2");
      assert.equal(resultText(await run("const next =\n!done;\nnext")), "true");
    });

    it("run what is no known name, and refuse a command that is missing", async () => {
      assert.equal(streamText(await run("!pwd")), `${folder()}\n`);
      assert.equal(
        await refusal("!"),
        "Cannot run a command: one must follow ! or stand below %%sh, such as !ls, but it is missing.",
      );
    });

    it("run in the folder that %cd chooses, with the environment that %env sets", async () => {
      mkdirSync(join(folder(), "sources"));
      writeFileSync(join(folder(), "sources", "listed.txt"), "");
      await run("%cd sources");
      try {
        assert.equal(await printed("!ls"), "listed.txt\n");
      } finally {
        await run("%cd -");
      }
      await run("%env TURNWISE_SAMPLE=a = b");
      assert.equal(await printed("!echo $TURNWISE_SAMPLE"), "a = b\n");
    });

    it("end at an interrupt with what they have started, and what was printed stays", async function () {
      if (process.platform === "win32") return this.skip();
      const mark = join(folder(), "survived");
      const { result } = await started(kernel(), `\n!echo begun; sleep 30; touch ${mark}`);
      await kernel().interrupt();
      assert.equal((await result).error?.ename, "KernelInterrupt");
      assert.equal(existsSync(mark), false);
      assert.equal(resultText(await run("list.length")), "1");
    });
  });

  describe("that fill in a command", () => {
    it("put the value of a name or an expression, of this cell or an earlier one, in its place", async () => {
      await run("const word = 'hi'; const runs = [{ seed: 3 }]; const files = ['a.json', 'b.json']");
      assert.equal(
        await printed("!echo {word} {files} {runs[0]!.seed + 1} {files.length as number}"),
        "hi a.json b.json 4 2\n",
      );
      assert.equal(await printed("let here = word + '!';\n!echo {here}"), "hi!\n");
    });

    it("leave to the shell what is its own", async () => {
      const own = String.raw`{a,b} {word,files} {2} {} \{word} $\{word} {unknownName} {unknownName.x}`;
      assert.equal(
        await printed(`!echo '${own}' && echo a | awk '{print $1}' && echo ${"${HOME:+home}"}`),
        `${own}\na\nhome\n`,
      );
    });
  });

  describe("that change where cells run", () => {
    it("change the folder, go back, and refuse what is no folder", async () => {
      mkdirSync(join(folder(), "data"));
      writeFileSync(join(folder(), "data", "here.txt"), "found");
      assert.equal(await printed("%cd data"), `${join(folder(), "data")}\n`);
      assert.equal(
        await printed(
          'import { readFileSync } from "node:fs";\nconsole.log(readFileSync("here.txt", "utf8"))',
        ),
        "found\n",
      );
      assert.equal(await printed("%cd -"), `${folder()}\n`);
      assert.equal(await printed("%cd"), `${folder()}\n`);
      assert.equal(
        await refusal("%cd nowhere"),
        `Cannot go to ${join(folder(), "nowhere")}: no such folder.`,
      );
    });

    it("show and set the environment, and hide secrets in the list", async () => {
      assert.equal(await printed("%env TURNWISE_SAMPLE=a = b"), "TURNWISE_SAMPLE=a = b\n");
      assert.equal(await printed("%env TURNWISE_SAMPLE"), "a = b\n");
      await run("%env TURNWISE_API_KEY hidden-value");
      const list = await printed("%env");
      assert.match(list, /^TURNWISE_API_KEY=<hidden>$/m);
      assert.match(list, /^TURNWISE_SAMPLE=a = b$/m);
      assert.equal(
        await refusal("%env TURNWISE_UNSET"),
        "Cannot show TURNWISE_UNSET: the environment must have it, but it is not set.",
      );
    });

    it("list variables with their types", async () => {
      await run("const weights = new Map([['a', 1]]); let rate = 0.5; class Agent {}; function act() {}");
      const text = String((await shown("%who"))["text/plain"]);
      for (const [name, type] of [
        ["weights", "Map"],
        ["rate", "number"],
        ["Agent", "class"],
        ["act", "function"],
      ]) {
        assert.match(text, new RegExp(`\\b${name}\\b.*\\b${type}\\b`), text);
      }
      assert.doesNotMatch(text, /require|display|__tw/);
      const maps = String((await shown("%who Map"))["text/plain"]);
      assert.match(maps, /weights/);
      assert.doesNotMatch(maps, /rate/);
      assert.equal(await printed("%who Elephant"), "No variable is a Elephant\n");
    });
  });

  describe("that show text", () => {
    it("show it under its media type, character by character", async () => {
      const cases = [
        ["%%html", "text/html", "<b>${name}</b> `tick` \\n\n<i>2</i>"],
        ["%%markdown", "text/markdown", "# Head\n!not a command\n%no magic"],
        ["%%latex", "text/latex", "$$\\nabla_\\theta J$$"],
        ["%%javascript", "application/javascript", "element.textContent = `${1 + 1}`;"],
      ];
      for (const [magic, type, text] of cases)
        assert.equal((await shown(`${magic}\n${text}`))[type!], text, magic);
    });

    it("take it from the lines below alone", async () => {
      assert.equal(
        await refusal("%%html <b>x</b>\n"),
        'Cannot show the cell: its text must begin in the line below %%html, got "<b>x</b>".',
      );
    });
  });

  describe("that install", () => {
    it("put a package into the notebook's folder, where the next cell finds it with its types", async () => {
      mkdirSync(join(folder(), "made", "greets"), { recursive: true });
      const source = join(folder(), "made", "greets");
      writeFileSync(
        join(source, "package.json"),
        '{ "name": "greets", "version": "1.0.0", "types": "index.d.ts", "main": "index.js" }',
      );
      writeFileSync(join(source, "index.js"), "exports.greet = (name) => `Hello ${name}`;");
      writeFileSync(join(source, "index.d.ts"), "export declare function greet(name: string): string;");
      assert.match((await refusal('import { greet } from "greets"; greet("A")'))!, /TS2307/);
      assert.match(await printed("%install ./made/greets"), new RegExp(`Installed greets in ${folder()}\n$`));
      assert.equal(resultText(await run('import { greet } from "greets"; greet("A")')), "'Hello A'");
      assert.match((await refusal("greet(1)"))!, /TS2345/);
    });

    it("say what to do when the registry cannot be reached", async () => {
      const result = await kernel().execute(
        "%install --registry=http://127.0.0.1:9/ --fetch-retries=0 turnwise-no-such-package",
      );
      assert.match(
        result.error!.evalue,
        /^Cannot install .*: npm must reach its registry: ECONNREFUSED\. Look at the network, at the proxy \(%env HTTPS_PROXY\)/,
      );
      assert.equal(
        await refusal("%install"),
        'Cannot install: the name of a package must follow %install, such as "%install lodash", but it is missing.',
      );
    });
  });

  describe("that set the kernel", () => {
    it("stop at what TypeScript's strict finds, and let it pass again", async () => {
      const loose = "function first(list) { return list[0] }";
      await run(loose);
      assert.match((await refusal(`%types strict\n${loose}`))!, /TS7006/);
      assert.match((await refusal(loose))!, /TS7006/);
      await run(`%types error\n${loose}`);
      assert.equal(
        await refusal("%types sometimes"),
        'Cannot set the type policy: %types must be followed by strict, error, warn or off, got "sometimes".',
      );
    });

    it("show, set and reset settings, within their bounds", async () => {
      assert.match(await printed("%config tableRows"), /^tableRows = 20 {2}\(rows on a page of a table\)\n$/);
      assert.match(await printed("%config tableRows = 1_000"), /^tableRows = 1_000 /);
      assert.match(await printed("%config tableRows default"), /^tableRows = 20 /);
      assert.match(String((await shown("%config"))["text/plain"]), /printed[\s\S]*2_000_000/);
      assert.equal(
        await refusal("%config tableRows = 0"),
        'Cannot set tableRows: it must be an integer from 1 to 1_000, or default, got "0".',
      );
      assert.match(
        (await refusal("%config tablerow = 3"))!,
        /^Cannot find the setting: it must be one of printed, .*, got "tablerow"\.\nDid you mean "tableRows"\?$/,
      );
    });
  });

  describe("as a whole", () => {
    const isEach = (names: readonly string[]): void => {
      for (const name of ["!", "%%html", "%cd", "%who"])
        assert.ok(names.includes(name), `${name} of ${names}`);
      assert.equal(new Set(names).size, names.length);
    };

    it("name the nearest one and all of them when there is none of that name", async () => {
      const [, names] =
        /^Cannot run %%tiem: there is no such magic\.\nDid you mean "%%time"\?\nThere are (.*); %help describes each\.$/.exec(
          (await refusal("%%tiem\n1"))!,
        )!;
      isEach(names!.split(", "));
      // Two letters in the wrong order are one slip.
      assert.match(
        (await refusal("%tmie 1"))!,
        /there is no such magic\.\nDid you mean "%time"\?\nThere are /,
      );
      assert.match((await refusal("%pwd"))!, /^Cannot run %pwd: there is no such magic/);
      assert.equal(await refusal("%html\n"), "Cannot run %html: it must be written %%html: %%html");
    });

    it("stand neither in a template, a comment nor a function, and a remainder is no magic", async () => {
      assert.equal(
        resultText(await run("const text = `\n%types off\n!ls\n`;\n/*\n%cd /\n*/\ntext")),
        "'\\n%types off\\n!ls\\n'",
      );
      assert.equal((await kernel().execute("const checked: number = 'still'")).status, "error");
      assert.equal(
        resultText(await run("const [total, count] = [7, 4];\nconst rest = total\n  %count;\nrest")),
        "3",
      );
      assert.equal(
        await refusal("function inside() {\n  %cd data\n}"),
        "Cannot run %cd: it must not be in a function.",
      );
      assert.equal(
        await refusal("1;\n%%time"),
        "Cannot run the cell: %%time must be its first line, but it is line 2.",
      );
    });

    it("keep the places of errors below them", async () => {
      const failed = await kernel().execute("%cd\n!true\nconst x = 1; throw new Error('here')");
      assert.match(plain(failed.error?.traceback), /cell_\d+\.ts:3:20/);
      assert.match(plain((await kernel().execute("1;\n  %cd nowhere")).error?.traceback), /cell_\d+\.ts:2:3/);
    });

    it("complete after a percent sign, and what may follow", async () => {
      assert.deepEqual(await complete("%%ti"), ["%%time", "%%timeit"]);
      assert.deepEqual(await complete("1;\n%ti"), ["%time", "%timeit"]);
      assert.deepEqual(await complete("%types s"), ["strict"]);
      assert.deepEqual(await complete("%config table"), ["tableRows", "tableMost"]);
    });

    it("tell how they are used: by hover, by a question, by %help and by help()", async () => {
      const hover = await kernel().request("shell", "inspect_request", {
        code: "%%timeit -n 3\n1",
        cursor_pos: 4,
      });
      assert.match(
        JSON.stringify(hover.content.data),
        /%%timeit \[-n loops\][\s\S]*Runs a statement or a cell many times/,
      );
      const asked = await run("%cd?");
      assert.match(JSON.stringify(asked.reply.content.payload), /Changes the folder/);
      assert.match(
        String((await shown("%help cd"))["text/markdown"]),
        /%cd \[folder[\s\S]*Changes the folder/,
      );
      assert.match(
        String((await shown("%help"))["text/markdown"]),
        /\| `!command`<br>`%%sh` \| Runs a command/,
      );
      assert.match(resultText(await run('help("%%time")'))!, /Measures the wall time/);
      isEach((await printed("%lsmagic")).trimEnd().split("  "));
    });
  });
});
