import assert from "node:assert/strict";
import type { MimeBundle, NbformatOutput } from "turnwise-kernel";
import { resultText, sharedKernel, plain, streamText } from "./with-kernel.js";

describe("display", function () {
  this.timeout(60_000);
  const kernel = sharedKernel();

  const outputs = async (code: string): Promise<NbformatOutput[]> => {
    const result = await kernel().execute(`// @ts-nocheck\n${code}`);
    assert.equal(result.status, "ok", plain(result.error?.traceback));
    return result.outputs;
  };
  const bundle = async (code: string): Promise<MimeBundle> => {
    const output = (await outputs(code)).at(-1)!;
    assert.ok("data" in output, JSON.stringify(output));
    return output.data;
  };

  it("calls the display method of an object, synchronous or asynchronous, and adds text/plain", async () => {
    const shown = { "text/html": "<i>x</i>", "text/plain": "<Shown>" };
    assert.deepEqual(
      await bundle(
        "class Shown { [Symbol.for('Jupyter.display')]() { return { 'text/html': '<i>x</i>' } } }\nnew Shown()",
      ),
      shown,
    );
    assert.deepEqual(
      await bundle("class Shown { async $display() { return { 'text/html': '<i>x</i>' } } }\nnew Shown()"),
      shown,
    );
  });

  it("reports an error of a display method as the cell's error", async () => {
    const result = await kernel().execute("({ $display() { throw new RangeError('no picture') } })");
    assert.equal(result.error!.ename, "RangeError");
  });

  it("shows Vega-Lite and Vega specifications under the type that JupyterLab renders", async () => {
    const lite = await bundle(
      "({ $schema: 'https://vega.github.io/schema/vega-lite/v5.json', mark: 'bar' })",
    );
    assert.deepEqual(lite["application/vnd.vegalite.v5+json"], {
      $schema: "https://vega.github.io/schema/vega-lite/v5.json",
      mark: "bar",
    });
    assert.equal(lite["text/plain"], "<Vega-Lite chart>");
    const newer = await bundle(
      "({ toSpec: () => ({ $schema: 'https://vega.github.io/schema/vega-lite/v6.1.json' }) })",
    );
    assert.deepEqual(newer["application/vnd.vegalite.v5+json"], {
      $schema: "https://vega.github.io/schema/vega-lite/v5.json",
    });
    const vega = await bundle("({ $schema: 'https://vega.github.io/schema/vega/v5.json', marks: [] })");
    assert.ok("application/vnd.vega.v5+json" in vega);
  });

  it("shows a tensor with type, shape and values, and a matrix also as a heat map", async () => {
    const matrix = await bundle(
      "import * as tf from '@tensorflow/tfjs-core'\nimport '@tensorflow/tfjs-backend-cpu'\ntf.tensor2d([[1, 2], [3, 4.5]])",
    );
    assert.equal(matrix["text/plain"], "Tensor float32 [2, 2]\n[ [ 1, 2 ], [ 3, 4.5 ] ]");
    // 1 is the lowest value (white) and 4.5 the highest (the darkest blue of the scale).
    assert.match(
      String(matrix["text/html"]),
      /background:rgb\(255,255,255\);color:#000">1<.*rgb\(107,174,214\);color:#000">4.5</,
    );
    assert.equal(
      (await bundle("const gone = tf.scalar(1); gone.dispose(); gone"))["text/plain"],
      "Tensor float32 [] (disposed)",
    );
  });

  it("shows a danfo data frame as a table with its text escaped, all rows on demand", async () => {
    const code =
      "import { DataFrame } from 'danfojs-node'\nnew DataFrame(Array.from({ length: 40 }, (_, i) => ({ name: i === 0 ? '<b>&' : `row ${i}`, value: i / 3 })))";
    const frame = await bundle(code);
    const html = String(frame["text/html"]);
    assert.match(html, /<th scope="col">name<\/th><th scope="col">value<\/th>/);
    assert.match(html, /<td>&lt;b&gt;&amp;<\/td><td>0<\/td>/);
    assert.match(html, /<details><summary>all rows<\/summary>/);
    assert.match(html, /40 rows x 2 columns/);
    assert.match(String(frame["text/plain"]), /0\.333333/);
  });

  it("prints maps, sets and class instances as Node does", async () => {
    assert.equal(
      (await bundle("new Map([['a', new Set([1])]])"))["text/plain"],
      "Map(1) { 'a' => Set(1) { 1 } }",
    );
    assert.equal(
      (await bundle("class Agent { steps = 3 }\nnew Agent()"))["text/plain"],
      "Agent { steps: 3 }",
    );
  });

  it("truncates text that no notebook can hold, and says by how much", async () => {
    const text = String(
      (await bundle("({ [Symbol.for('nodejs.util.inspect.custom')]: () => 'x'.repeat(150_000) })"))[
        "text/plain"
      ],
    );
    assert.match(text, /^x{90000}\n\.\.\. 50000 characters are not shown \(%config text\) \.\.\.\nx{10000}$/);
  });

  it("offers display, html, md, svg, png, clearOutput and progress in cells", async () => {
    const shown = await outputs(
      "const label = '<x>'; display(html`<b>${label}</b>`); display(md`# ${label}`); display(svg('<svg/>')); display(png(new Uint8Array([1, 2])))",
    );
    const data = shown.map((output) => ("data" in output ? output.data : undefined));
    assert.equal(data[0]!["text/html"], "<b>&lt;x&gt;</b>");
    assert.equal(data[1]!["text/markdown"], "# <x>");
    assert.equal(data[2]!["image/svg+xml"], "<svg/>");
    assert.equal(data[3]!["image/png"], "AQI=");
    assert.deepEqual(await outputs("console.log('gone'); clearOutput(); console.log('stays')"), [
      { output_type: "stream", name: "stdout", text: "stays\n" },
    ]);
    const bar = await bundle("for (const x of progress([1, 2, 3], 'steps')) ;");
    assert.match(String(bar["text/plain"]), /^steps {2}3\/3/);
  });

  it("shows no id below what display has shown, and the id to whoever asks for it", async () => {
    for (const code of ["display('one');", "display('one')", "display('one', { id: 'own' })"]) {
      const { outputs } = await kernel().execute(code);
      assert.deepEqual(
        outputs.map((one) => one.output_type),
        ["display_data"],
        code,
      );
    }
    const asked = await kernel().execute("const shownId = display('one'); shownId.length");
    assert.equal(resultText(asked), "36");
    assert.equal(resultText(await kernel().execute("shownId.length")), "36");
  });

  it("asks after a forgotten await where a promise is the value of a cell", async () => {
    const text = resultText(await kernel().execute("Promise.resolve(3)"))!;
    assert.match(
      text,
      /^Promise \{ 3 \}\nThis is a promise of a value, not the value: did you forget await\?$/,
    );
    assert.equal(resultText(await kernel().execute("await Promise.resolve(3)")), "3");
  });

  it("shows the card that a library has for plain data, and what it cannot make a card of as it is", async () => {
    const code = `// @ts-nocheck
    globalThis[Symbol.for("turnwise.cards")] = (value) => {
      if (value.broken) throw new Error("no card");
      return value.row && { [Symbol.for("Jupyter.display")]: () => ({ "text/html": "<b>card</b>" }) };
    }; display({ row: 1 }); ({ row: 2 })`;
    const { outputs } = await kernel().execute(code);
    const htmls = outputs.map((one) => ("data" in one ? one.data["text/html"] : undefined));
    assert.deepEqual(htmls, ["<b>card</b>", "<b>card</b>"]);
    assert.equal(resultText(await kernel().execute("({ broken: true })")), "{ broken: true }");
    assert.equal(resultText(await kernel().execute("({ other: 1 })")), "{ other: 1 }");
    await kernel().execute('// @ts-nocheck\ndelete globalThis[Symbol.for("turnwise.cards")]');
  });

  it("updates a display by its id, also from a later cell", async () => {
    const first = await kernel().execute("display('one', { id: 'shared' })");
    assert.equal((first.outputs[0] as { data: MimeBundle }).data["text/plain"], "'one'");
    await kernel().execute("display('two', { id: 'shared', update: true })");
    assert.equal((first.outputs[0] as { data: MimeBundle }).data["text/plain"], "'two'");
  });

  it("shows a live object again while a loop blocks, at most 4 times a second, and once more at the end", async () => {
    const updates: string[] = [];
    const result = await kernel().execute(
      `// @ts-nocheck
      let drawn = 0;
      class Counter {
        n = 0; notify = () => {};
        $display() { drawn++; return { 'text/plain': 'n = ' + this.n } }
        [Symbol.for('turnwise.live')](notify) { this.notify = notify; return () => { this.notify = () => {} } }
      }
      const counter = new Counter();
      const begin = performance.now();
      display(counter);
      // Drawn once by display, and three times more while the loop blocks.
      while (drawn < 4) { counter.n++; counter.notify() }
      console.log(performance.now() - begin);
      counter.n = -1; counter.notify();`,
      {
        onMessage: ({ header, content }) => {
          if (header.msg_type === "update_display_data")
            updates.push(String((content.data as MimeBundle)["text/plain"]));
        },
      },
    );
    assert.equal(result.status, "ok", plain(result.error?.traceback));
    // Three in the loop, each a quarter of a second after the one before or later, and the flush.
    assert.equal(updates.length, 4);
    assert.equal(updates.at(-1), "n = -1");
    assert.ok(Number(streamText(result)) >= 750, `${streamText(result)} ms`);
    assert.deepEqual(result.outputs[0], {
      output_type: "display_data",
      data: { "text/plain": "n = -1" },
      metadata: {},
    });
  });

  it("runs tslab's display and newDisplay unchanged", async () => {
    const shown = await outputs(
      "import { display as show, newDisplay } from 'tslab'\nshow.html('<i>a</i>')\nconst d = newDisplay()\nd.text('first')\nd.text('second')\nshow.png(new Uint8Array([1]))",
    );
    const data = shown.map((output) => ("data" in output ? output.data : undefined));
    assert.deepEqual(data, [
      { "text/html": "<i>a</i>" },
      { "text/plain": "second" },
      { "image/png": "AQ==" },
    ]);
  });

  it("does not show the result of a silent cell", async () => {
    assert.deepEqual((await kernel().execute("5", { silent: true })).outputs, []);
    assert.equal(resultText(await kernel().execute("5")), "5");
  });
});
