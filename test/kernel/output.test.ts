import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { MimeBundle } from "turnwise-kernel";
import { Streams } from "turnwise-kernel/dist/front/streams.js";
import { resultText, runIn, sharedKernel, streamText, temporaryFolder } from "./with-kernel.js";

describe("output of a cell", function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  const kernel = sharedKernel(() => ({ cwd: folder() }));

  const run = runIn(kernel);
  const bundle = async (code: string): Promise<MimeBundle> => {
    const output = (await run(code)).outputs.at(-1)!;
    assert.ok("data" in output, JSON.stringify(output));
    return output.data;
  };

  describe("that is silent", () => {
    it("shows no ids of displays, whether of the last one or of many", async () => {
      const types = async (code: string): Promise<string[]> =>
        (await run(code)).outputs.map(({ output_type }) => output_type);
      assert.deepEqual(
        await types("display(1); const id = display(2); display(3); id"),
        Array(3).fill("display_data"),
      );
      assert.deepEqual(await types("[1, 2].map((x) => display(x))"), Array(2).fill("display_data"));
      assert.deepEqual(
        await types("await Promise.all([1, 2].map(async (x) => display(x)))"),
        Array(2).fill("display_data"),
      );
      assert.deepEqual(await types("display(1); 'a word'"), ["display_data", "execute_result"]);
    });

    it("is so with two semicolons or void, and with one semicolon where the notebook wants it so", async () => {
      assert.equal(resultText(await run("6 * 7;")), "42");
      assert.equal(resultText(await run("6 * 7;;")), undefined);
      assert.equal(resultText(await run("void (6 * 7)")), undefined);
      await run("%config semicolon = 1");
      // A row of slashes is one comment, not one to be divided in every way.
      assert.equal(resultText(await run(`const ruled = 1; ${"/".repeat(200)}\nruled`)), "1");
      assert.equal(resultText(await run("6 * 7;")), undefined);
      assert.equal(resultText(await run("6 * 7; // silent\n")), undefined);
      assert.equal(resultText(await run("6 * 7 // not; silent\n")), "42");
      assert.equal(resultText(await run("6 * 7")), "42");
      await run("%config semicolon = default");
    });
  });

  describe("that is large", () => {
    it("keeps the head of a single write, too, and its end", () => {
      const sent: string[] = [];
      const limits = { burst: 100, perSecond: 0, tail: 10, now: () => 0 };
      const made = new Streams((_cell, _name, text) => sent.push(text), limits);
      // 15 lines of 10 characters: 10 lines fit at once, the last is the tail, 4 are left out.
      made.write("c", "stdout", "123456789\n".repeat(15));
      made.flush();
      assert.equal(
        sent.join(""),
        `${"123456789\n".repeat(10)}\n[40 characters were left out here: the cell printed more than a notebook can take]\n123456789\n`,
      );
    });

    it("is whole in a file, with a link, when the notebook shows its head and its end", async () => {
      await run("%config printed = 1_000\n%config printedPerSecond = 1_000\n%config printedTail = 1_000");
      const result = await run(
        "console.log('begin'); for (let i = 0; i < 9_000; i++) console.log(i); console.log('end')",
      );
      const text = streamText(result);
      const file = `turnwise-output/cell_${result.executionCount}.txt`;
      assert.match(text, /^begin\n0\n1\n/);
      assert.match(text, new RegExp(`characters were left out here: .*; all of it is in ${file}\\]`));
      assert.match(text, /8999\nend\n$/);
      // "begin", "end", 10 x 1 + 90 x 2 + 900 x 3 + 8000 x 4 digits, each with a line break.
      const whole = readFileSync(join(folder(), file), "utf8");
      assert.equal(whole.length, 6 + 4 + 10 * 2 + 90 * 3 + 900 * 4 + 8_000 * 5);
      assert.ok(whole.startsWith("begin\n0\n1\n") && whole.endsWith("8999\nend\n"));
      const link = result.outputs.at(-1)!;
      assert.ok("data" in link);
      assert.equal(
        link.data["text/html"],
        `<p><a href="${file}">All ${whole.length.toLocaleString("en")} characters that this cell has printed</a></p>`,
      );
      for (const name of ["printed", "printedPerSecond", "printedTail"])
        await run(`%config ${name} = default`);
    });

    it("leaves no file of a cell whose whole output is shown", async () => {
      const before = readdirSync(join(folder(), "turnwise-output"));
      await run("console.log('short')");
      assert.deepEqual(readdirSync(join(folder(), "turnwise-output")), before);
    });

    it("goes through as it is when it is HTML or part of a display", async () => {
      const page = await bundle("display(html('<p>' + 'x'.repeat(3_000_000) + '</p>'))");
      assert.equal(String(page["text/html"]).length, 3_000_007);
      assert.ok(String(page["text/plain"]).length < 2_000);
      const mixed = await bundle(
        "display({ 'text/html': 'y'.repeat(2_000_000), 'text/plain': 'z' }, { raw: true })",
      );
      assert.equal(String(mixed["text/html"]).length, 2_000_000);
    });

    it("is a link to a file beyond the limit of a display", async () => {
      await run("%config display = 10_000");
      const shown = String((await bundle("html('<i>' + 'x'.repeat(20_000) + '</i>')"))["text/html"]);
      const path = /href="(turnwise-output\/display-[\w-]+\.html)"/.exec(shown)?.[1];
      assert.match(
        shown,
        /20,007 characters of text\/html: more than &quot;%config display&quot; lets into the notebook/,
      );
      const again = String((await bundle("html('<b>' + 'x'.repeat(20_000) + '</b>')"))["text/html"]);
      await run("%config display = default");
      assert.equal(readFileSync(join(folder(), path!), "utf8").length, 20_007);
      // By a name that no other session can have, as the number of a process comes again.
      const names = [path!, /href="(turnwise-output\/display-[\w-]+\.html)"/.exec(again)![1]!];
      for (const name of names) assert.match(name, /display-[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\.html$/);
      assert.notEqual(names[0], names[1]);
    });

    it("shows the head and the tail of a value's text", async () => {
      await run("%config text = 1_000");
      const text = resultText(await run("Array.from({ length: 90 }, (_, i) => 'entry number ' + i)"))!;
      assert.match(
        text,
        /'entry number 0'[\s\S]*\d+ characters are not shown \(%config text\)[\s\S]*'entry number 89'/,
      );
      await run("%config text = default");
    });

    it("sends HTML once: its text has no markup", async () => {
      const shown = await bundle("html`<style>b { color: red }</style><b>${'<5'}</b><p>two</p><p>three</p>`");
      assert.equal(shown["text/html"], "<style>b { color: red }</style><b>&lt;5</b><p>two</p><p>three</p>");
      assert.equal(shown["text/plain"], "<5two\nthree");
    });
  });

  describe("that is an array of objects", () => {
    const html = async (code: string): Promise<string> => String((await bundle(code))["text/html"]);

    it("is a table, with text beside it, and escapes what it shows", async () => {
      const shown = await bundle(
        "[{ name: '<b>', size: 1.23456789 }, { name: 'two', extra: [1, { a: 2 }] }]",
      );
      assert.equal(
        shown["text/plain"],
        "[\n  { name: '<b>', size: 1.23456789 },\n  { name: 'two', extra: [ 1, { a: 2 } ] }\n]",
      );
      const table = String(shown["text/html"]);
      assert.match(
        table,
        /<th scope="col"[^>]*>name<\/th><th scope="col"[^>]*>size<\/th><th scope="col"[^>]*>extra<\/th>/,
      );
      assert.match(table, /<td [^>]*>&lt;b&gt;<\/td><td [^>]*title="1.23456789">1.23457<\/td><td><\/td>/);
      assert.match(table, /<p>2 rows x 3 columns<\/p>/);
    });

    it("has its first page in the open without a script, the rest folded, and no more than the notebook should hold", async () => {
      const table = await html("Array.from({ length: 1_500 }, (_, i) => ({ i }))");
      const [first, rest] = table.split("<details>");
      assert.equal(first!.match(/<tr><th scope="row">/g)!.length, 20);
      assert.equal(rest!.match(/<tr><th scope="row">/g)!.length, 980);
      assert.match(rest!, /<summary>980 further rows<\/summary>/);
      assert.match(table, /<p>1,500 rows x 1 column, the first 1,000 are here<\/p>/);
    });

    it("is none where the objects are no plain data", async () => {
      for (const code of [
        "[new Map(), new Map()]",
        "[{ a: 1 }, 2]",
        "[]",
        "[{}]",
        "[{ get a() { throw new Error('touched') } }]",
        "class Shown { a = 1 }; [new Shown()]",
      ])
        assert.deepEqual(Object.keys(await bundle(`// @ts-nocheck\n${code}`)), ["text/plain"], code);
    });
  });

  describe("that is an image or a formula", () => {
    it("recognizes the bytes of images, and tells a PNG's size", async () => {
      // The smallest PNG: one pixel.
      const dot =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
      assert.deepEqual(await bundle(`Buffer.from("${dot}", "base64")`), {
        "image/png": dot,
        "text/plain": `<PNG image, 1 x 1, ${Buffer.from(dot, "base64").length} bytes>`,
      });
      assert.equal((await bundle("Uint8Array.of(0xff, 0xd8, 0xff, 0xe0)"))["image/jpeg"], "/9j/4A==");
      assert.deepEqual(Object.keys(await bundle("Uint8Array.of(1, 2, 3)")), ["text/plain"]);
    });

    it("has helpers for LaTeX, JPEG and JavaScript, checked by their types", async () => {
      assert.equal((await bundle("latex`$$\\frac{1}{${2}}$$`"))["text/latex"], "$$\\frac{1}{2}$$");
      assert.equal((await bundle("jpeg(Uint8Array.of(1, 2))"))["image/jpeg"], "AQI=");
      assert.equal((await bundle("javascript('alert(1)')"))["application/javascript"], "alert(1)");
    });
  });
});
