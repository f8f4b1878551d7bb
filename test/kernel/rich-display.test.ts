import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { runInNewContext } from "node:vm";
import { toBundle } from "turnwise-kernel/internal/display/bundle";
import { adapters } from "turnwise-kernel/internal/display/adapters/index";
import type { MimeBundle } from "turnwise-kernel";
import { plain, sharedKernel } from "./with-kernel.js";

const svgNamespace = "http://www.w3.org/2000/svg";

/** An element as DOMs have it: getters and methods of a prototype. */
class Element {
  constructor(
    private readonly name: string,
    private readonly html: string,
    private readonly namespace = "http://www.w3.org/1999/xhtml",
  ) {}
  readonly nodeType = 1;
  get childNodes(): unknown[] {
    return [];
  }
  get localName(): string {
    return this.name;
  }
  get namespaceURI(): string {
    return this.namespace;
  }
  get outerHTML(): string {
    return this.html;
  }
  appendChild(): void {
    // Only there to be looked for.
  }
  cloneNode(): void {
    // Likewise.
  }
}

class Canvas {
  readonly width = 20;
  readonly height = 10;
  constructor(private readonly url: unknown) {}
  getContext(): void {
    // Only there to be looked for.
  }
  toDataURL(type: string): unknown {
    assert.equal(type, "image/png");
    return this.url;
  }
}

/** Columns of a table of Apache Arrow. */
class ArrowTable {
  readonly schema: { fields: { name: string; type: { typeId: number; scale?: number } }[] };
  constructor(
    private readonly columns: Record<string, { typeId: number; scale?: number; values: unknown[] }>,
  ) {
    this.schema = {
      fields: Object.entries(columns).map(([name, { typeId, scale }]) => ({
        name,
        type: { typeId, ...(scale !== undefined && { scale }) },
      })),
    };
  }
  get numRows(): number {
    return Object.values(this.columns)[0]!.values.length;
  }
  get numCols(): number {
    return Object.keys(this.columns).length;
  }
  getChildAt(j: number): { get(i: number): unknown } {
    return { get: (i) => Object.values(this.columns)[j]!.values[i] };
  }
  get(): void {
    // Only there to be looked for.
  }
}

/** A result of DuckDB in chunks of two rows. */
class DuckDBResult {
  fetched = 0;
  readonly isStreaming: boolean = false;
  constructor(private readonly data: unknown[][]) {}
  columnNames(): string[] {
    return ["a", "b"];
  }
  columnTypes(): void {
    // Only there to be looked for.
  }
  fetchChunk(): void {
    this.fetched++;
  }
  get rowCount(): number {
    return this.data.length;
  }
  get chunkCount(): number {
    return Math.ceil(this.data.length / 2);
  }
  getChunk(i: number): { rowCount: number; getRows(): unknown[][] } {
    const rows = this.data.slice(2 * i, 2 * i + 2);
    return { rowCount: rows.length, getRows: () => rows };
  }
}

const text = async (value: unknown): Promise<string> => String((await toBundle(value))["text/plain"]);
const html = async (value: unknown): Promise<string> => String((await toBundle(value))["text/html"]);

describe("rich display", () => {
  it("shows elements by their HTML, and drawings also as an image with its namespaces", async () => {
    assert.deepEqual(await toBundle(new Element("div", "<div>a &lt; <b>b</b></div>")), {
      "text/html": "<div>a &lt; <b>b</b></div>",
      "text/plain": "a < b",
    });
    const drawing = '<svg><use xlink:href="#a"></use>&nbsp;</svg>';
    assert.deepEqual(await toBundle(new Element("svg", drawing, svgNamespace)), {
      "text/html": drawing,
      "image/svg+xml": `<svg xmlns="${svgNamespace}" xmlns:xlink="http://www.w3.org/1999/xlink"><use xlink:href="#a"></use>&#160;</svg>`,
      "text/plain": "<SVG image>",
    });
    assert.equal((await toBundle({ outerHTML: "<i>x</i>" }))["text/html"], "<i>x</i>");
    const figure = "<figure><h2>Title</h2><svg><text>0.5</text></svg></figure>";
    assert.equal(await text(new Element("figure", figure)), "Title\n[SVG image]");
  });

  it("wraps a part of a drawing, and leaves out the image where HTML inside may not be XML", async () => {
    const part = await toBundle(new Element("circle", '<circle r="5"></circle>', svgNamespace));
    assert.equal(part["text/html"], `<svg xmlns="${svgNamespace}"><circle r="5"></circle></svg>`);
    const mixed = "<svg><foreignObject><br></foreignObject></svg>";
    assert.ok(!("image/svg+xml" in (await toBundle(new Element("svg", mixed, svgNamespace)))));
  });

  it("shows canvases as PNG, synchronous or not, and one without a picture as what it is", async () => {
    const shown = { "image/png": "AQI=", "text/plain": "<canvas, 20 x 10>" };
    const url = "data:image/png;base64,AQI=";
    for (const canvas of [new Canvas(url), new Canvas(Promise.resolve(url)), new Canvas(Buffer.from([1, 2]))])
      assert.deepEqual(await toBundle(canvas), shown);
    const jpeg = new Canvas("data:image/jpeg;base64,AQI=");
    assert.equal((await toBundle(jpeg))["image/jpeg"], "AQI=");
    assert.match(await text(new Canvas("data:,")), /^Canvas \{/);
    assert.match(await text(new Canvas(Promise.reject(new Error("no context")))), /^Canvas \{/);
  });

  it("shows Plotly's figures, with arrays in place of typed ones", async () => {
    const figure = {
      data: [{ x: Float64Array.of(1, 2), y: [3n, 4n], type: "bar" }, { y: [1] }],
      layout: { title: { text: "Runs" } },
    };
    assert.deepEqual(await toBundle(figure), {
      "application/vnd.plotly.v1+json": {
        data: [{ x: [1, 2], y: [3, 4], type: "bar" }, { y: [1] }],
        layout: { title: { text: "Runs" } },
      },
      "text/plain": '<Plotly figure "Runs": 2 traces (bar, scatter)>',
    });
    for (const other of [
      { data: [{ name: "x" }], layout: {} },
      { data: [{ y: [1] }], layout: {}, status: 200 },
      { data: {}, layout: {} },
    ])
      assert.deepEqual(Object.keys(await toBundle(other)), ["text/plain"]);
  });

  it("shows Vega's views as the picture that they are", async () => {
    const names = ["toCanvas", "runAsync", "signal", "scenegraph"];
    const view = { toSVG: async () => Promise.resolve("<svg/>") };
    for (const name of names) Object.assign(view, { [name]: () => undefined });
    assert.deepEqual(await toBundle(view), { "image/svg+xml": "<svg/>", "text/plain": "<Vega chart>" });
  });

  it("shows Arrow tables with dates, decimals and big integers as people read them", async () => {
    // -12345 in two's complement is 2**128 - 12345: its lowest word is 2**32 - 12345, the others are all ones.
    const negative = Uint32Array.of(2 ** 32 - 12_345, 2 ** 32 - 1, 2 ** 32 - 1, 2 ** 32 - 1);
    const table = new ArrowTable({
      n: { typeId: 2, values: [9_007_199_254_740_993n, null] },
      x: { typeId: 3, values: [1 / 3, 1e-7] },
      day: { typeId: 8, values: [0, 86_400_000] },
      cost: { typeId: 7, scale: 2, values: [negative, Uint32Array.of(5, 0, 0, 0)] },
      list: { typeId: 12, values: [[1n, 2n], Uint8Array.of(1, 2)] },
    });
    assert.equal(
      await text(table),
      [
        "                  n         x                       day     cost       list",
        '0  9007199254740993  0.333333  1970-01-01T00:00:00.000Z  -123.45  ["1","2"]',
        "1              null      1e-7  1970-01-02T00:00:00.000Z     0.05    2 bytes",
        "[2 rows x 5 columns]",
      ].join("\n"),
    );
  });

  it("shows DuckDB's results without taking their rows, and never those of a stream", async () => {
    const rows = Array.from({ length: 2_001 }, (_, i) => [i, `<${i}>`]);
    const result = new DuckDBResult(rows);
    const shown = await html(result);
    assert.match(shown, /<td>0<\/td><td>&lt;0&gt;<\/td>/);
    // The first 20 and the last 5 of 2,001 rows, and the first 1,000 to unfold.
    assert.match(shown, /<th scope="row">1996<\/th><td>1996<\/td>/);
    assert.match(shown, /first 1000 rows<.*2001 rows x 2 columns, 1976 in between not shown/);
    assert.ok(shown.includes('<th scope="row">999</th><td>999</td>'));
    assert.ok(!shown.includes('<th scope="row">1000</th>'));
    const stream = Object.assign(new DuckDBResult(rows), { isStreaming: true });
    assert.match(await text(stream), /^<DuckDB stream of a, b: /);
    const reader = { columnNames: () => ["a"], getRows: async () => Promise.resolve([[1n]]), done: false };
    assert.equal(await text(reader), "   a\n0  1\n[1 row x 1 column]\n[so far; readAll() reads the others]");
    assert.equal(result.fetched + stream.fetched, 0);
  });

  it("shows arquero's and polars's tables", async () => {
    const data = [
      { x: 1, y: "a" },
      { x: 2, y: null },
    ];
    const shown = "   x     y\n0  1     a\n1  2  null\n[2 rows x 2 columns]";
    const arquero = {
      numRows: () => 2,
      numCols: () => 2,
      columnNames: () => ["x", "y"],
      getter: () => undefined,
      objects: ({ limit, offset }: { limit: number; offset: number }) => data.slice(offset, offset + limit),
    };
    assert.equal(await text(arquero), shown);
    const frame = { columns: ["x", "y"], toRecords: () => data };
    const sliced = {
      ...frame,
      height: 2,
      slice: (from: number, n: number) => ({ toRecords: () => data.slice(from, from + n) }),
    };
    assert.equal(await text(frame), shown);
    assert.equal(await text(sliced), shown);
  });

  it("cuts wide tables, and says so", async () => {
    const columns = Object.fromEntries(
      Array.from({ length: 50 }, (_, j) => [`c${j}`, { typeId: 2, values: [j] }]),
    );
    assert.match(
      await text(new ArrowTable(columns)),
      /c39\n.*\n\[1 row x 50 columns, the first 40 columns are here\]$/,
    );
  });

  it("runs no getter of an object that no adapter shows", async () => {
    let ran = 0;
    const names =
      "outerHTML childNodes shape dtype columns values toSpec $schema data layout schema numRows numCols then getContext toDataURL length type";
    class Own {
      readonly n = 1;
    }
    for (const name of names.split(" "))
      Object.defineProperty(Own.prototype, name, { get: () => ran++, enumerable: true });
    assert.equal(await text(new Own()), "Own { n: 1 }");
    assert.equal(ran, 0);
  });

  it("prints what only looks like an object of a library, and whatever a proxy refuses", async () => {
    const broken = Object.assign(new Element("div", ""), { name: "broken" });
    Object.defineProperty(broken, "outerHTML", {
      get() {
        throw new Error("detached");
      },
    });
    assert.match(await text(broken), /^Element \{/);
    const refuse = (): never => {
      throw new Error("refused");
    };
    const traps = Object.fromEntries(
      Object.getOwnPropertyNames(Reflect).map((name) => [name, refuse]),
    ) as ProxyHandler<object>;
    for (const target of [{}, [{ a: 1 }], () => undefined, new Element("div", "<div></div>")])
      assert.equal(typeof (await text(new Proxy(target, traps))), "string");
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    assert.equal(await text(proxy), "<Revoked Proxy>");
    const loop: object = new Proxy({}, { getPrototypeOf: () => loop });
    assert.equal(await text(loop), "{}");
  });

  it("asks no proxy that makes up a method for every name", async () => {
    const remote: object = new Proxy(() => undefined, {
      get: () => remote,
      apply: () => new Promise<never>(() => undefined),
    });
    assert.match(await text(remote), /^\[Function/);
    const willing = new Proxy({}, { has: () => true, get: () => () => assert.fail("called") });
    assert.equal(await text(willing), "{}");
  });

  it("has an adapter in each file, all of them in the table, with their objects and media types", async () => {
    const folder = dirname(
      createRequire(__filename).resolve("turnwise-kernel/internal/display/adapters/index"),
    );
    const helpers = ["index", "contract", "traits", "arrow-values"];
    const files = readdirSync(folder).filter(
      (file) => file.endsWith(".js") && !helpers.includes(file.slice(0, -3)),
    );
    const found = new Set<unknown>();
    for (const file of files) {
      const module = (await import(join(folder, file))) as Record<string, unknown>;
      const [one, ...others] = adapters.filter((adapter) => Object.values(module).includes(adapter));
      assert.ok(one && others.length === 0, file);
      found.add(one);
    }
    assert.equal(found.size, adapters.length);
    assert.equal(new Set(adapters.map(({ shows }) => shows)).size, adapters.length);
    for (const { shows, types } of adapters) {
      assert.ok(shows.length > 0 && types.length > 0);
      for (const type of types) assert.match(type, /^\w+\/[\w.+-]+$/);
    }
  });

  it("takes the same objects from another realm", async () => {
    const figure = runInNewContext("({ data: [{ y: [1] }], layout: {} })") as object;
    assert.ok("application/vnd.plotly.v1+json" in ((await toBundle(figure)) as MimeBundle));
  });
});

describe("rich display in cells", function () {
  this.timeout(60_000);
  const kernel = sharedKernel();
  const run = async (code: string): Promise<MimeBundle[]> => {
    const result = await kernel().execute(`// @ts-nocheck\n${code}`);
    assert.equal(result.status, "ok", plain(result.error?.traceback));
    return result.outputs.map((output) => ("data" in output ? output.data : {}));
  };

  it("survives a revoked proxy as a result, also below a display, and as an argument of display", async () => {
    const revoked = { "text/plain": "<Revoked Proxy>" };
    const [, ...shown] = await run(
      "const gone = Proxy.revocable([], {}); gone.revoke(); display('first'); display(gone.proxy); gone.proxy",
    );
    assert.deepEqual(shown, [revoked, revoked]);
  });

  it("waits for what is displayed by a promise before the cell's value and its end", async () => {
    const shown = await run(
      "display({ async $display() { await new Promise((r) => setTimeout(r, 20)); return { 'text/html': '<b>late</b>' } } }); 5",
    );
    assert.deepEqual(
      shown.map((data) => data["text/html"] ?? data["text/plain"]),
      ["<b>late</b>", "5"],
    );
  });

  it("lets an interrupt end the wait for a display that never comes", async () => {
    const cell = kernel().execute(
      "// @ts-nocheck\nconsole.log('asked'); display({ $display: () => new Promise(() => {}) })",
      {
        onMessage: ({ header }) => {
          if (header.msg_type === "stream") void kernel().interrupt();
        },
      },
    );
    assert.equal((await cell).error?.ename, "KernelInterrupt");
    assert.equal((await run("1"))[0]!["text/plain"], "1");
  });
});
