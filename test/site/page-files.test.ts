import assert from "node:assert/strict";
import type { Contents, ContentsChange, ContentsModel } from "turnwise-site/internal/page/contents";
import { bytesOf, modelOf } from "turnwise-site/internal/page/contents";
import { distrustUploads } from "turnwise-site/internal/page/uploads";
import { PageFiles } from "turnwise-site/internal/page/files";
import { WorkerFiles } from "turnwise-site/internal/page/worker-files";
import { PageStore } from "turnwise-site/internal/library/pageStore";

const text = (bytes: Uint8Array | undefined): string | undefined => bytes && new TextDecoder().decode(bytes);
const bytes = (given: string): Uint8Array => new TextEncoder().encode(given);

/** The contents of a page, with a drive whose table is a map. */
class SomeContents implements Contents {
  readonly saved: string[] = [];
  full = false;
  private heard: (sender: unknown, change: ContentsChange) => void = () => undefined;
  readonly fileChanged = {
    connect: (heard: (sender: unknown, change: ContentsChange) => void): void => {
      this.heard = heard;
    },
  };
  readonly drive = {
    storage: Promise.resolve({
      keys: async () => [...this.files.keys()],
      getItem: async (path: string) => this.files.get(path) ?? null,
    }),
    get: (path: string) => this.get(path),
    save: (path: string, o: object) =>
      this.save(path, o as { type: string; format: string; content: unknown }),
  };

  constructor(readonly files = new Map<string, ContentsModel>()) {}

  async get(path: string): Promise<ContentsModel> {
    const found = this.files.get(path);
    if (!found) throw new Error(`Could not find ${path}`);
    return found;
  }

  async save(path: string, o: { type: string; format: string; content: unknown }): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    if (this.full) throw new Error("QuotaExceededError");
    const folder = path.split("/").slice(0, -1).join("/");
    if (folder !== "" && !this.files.has(folder)) throw new Error(`Directory does not exist: ${folder}`);
    this.saved.push(path);
    this.files.set(path, { path, ...o });
    this.heard(this, { type: "save", oldValue: null, newValue: { path, ...o } });
  }

  async delete(path: string): Promise<void> {
    this.files.delete(path);
    this.heard(this, { type: "delete", oldValue: { path }, newValue: null });
  }
}

/** A page, and a worker of cells that is as far away as one. */
function pageOf(contents: SomeContents): { files: PageFiles; open: () => PageStore } {
  const files = new PageFiles(contents, contents.drive);
  const open = (): PageStore => {
    const store: PageStore = new PageStore((written) =>
      setImmediate(() => page.write(structuredClone(written))),
    );
    const page = new WorkerFiles(files, (message) =>
      setImmediate(() => store.hear(structuredClone(message))),
    );
    return store;
  };
  return { files, open };
}

describe("the files of a page", () => {
  it("are saved in folders that are made for them, as text where they are text", async () => {
    const contents = new SomeContents();
    const store = pageOf(contents).open();
    await store.ready;
    store.write("/notebooks/runs/a.json", bytes('{"a":"ü"}'));
    store.write("/notebooks/b.bin", Uint8Array.of(255, 0));
    await store.settled();
    assert.deepEqual(contents.saved, [
      "notebooks",
      "notebooks/runs",
      "notebooks/runs/a.json",
      "notebooks/b.bin",
    ]);
    assert.deepEqual(contents.files.get("notebooks/runs/a.json")?.content, '{"a":"ü"}');
    assert.deepEqual(contents.files.get("notebooks/b.bin")?.content, "/wA=");
  });

  it("of the reader are there for a worker when it is ready, and change with the contents", async () => {
    const contents = new SomeContents(
      new Map([["own.csv", { path: "own.csv", type: "file", format: "base64", content: btoa("x,y\n") }]]),
    );
    const store = pageOf(contents).open();
    await store.ready;
    assert.equal(text(store.read("/own.csv")), "x,y\n");
    await contents.save("own.csv", { type: "file", format: "text", content: "z" });
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(text(store.read("/own.csv")), "z");
    await contents.delete("own.csv");
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(store.read("/own.csv"), undefined);
  });

  it("are not set back to what a worker wrote before", async () => {
    const contents = new SomeContents();
    const { open } = pageOf(contents);
    const [store, other] = [open(), open()];
    await Promise.all([store.ready, other.ready]);
    for (let i = 0; i < 20; i++) {
      store.write("/count", bytes(String(i)));
      await new Promise((resolve) => setTimeout(resolve, i % 4));
      assert.equal(text(store.read("/count")), String(i));
    }
    await store.settled();
    assert.equal(contents.files.get("count")?.content, "19");
    assert.equal(text(other.read("/count")), "19");
  });

  it("that are written under a passing name leave nothing of it", async () => {
    const contents = new SomeContents();
    const store = pageOf(contents).open();
    await store.ready;
    store.write("/a.tmp", bytes("whole"));
    store.write("/a", bytes("whole"));
    store.write("/a.tmp", undefined);
    await store.settled();
    assert.deepEqual(contents.saved, ["a"]);
  });

  it("that cannot be kept are told to whoever waits, and the next may be kept again", async () => {
    const contents = new SomeContents();
    const store = pageOf(contents).open();
    await store.ready;
    contents.full = true;
    store.write("/a", bytes("a"));
    await assert.rejects(
      store.settled(),
      new RangeError("Cannot keep files: the browser must have room and leave for them: QuotaExceededError"),
    );
    contents.full = false;
    store.write("/b", bytes("b"));
    await store.settled();
    assert.deepEqual(contents.saved, ["b"]);
    assert.equal(text(store.read("/a")), "a");
  });

  it("keep their bytes in the contents and back", () => {
    const given = [
      bytes("Grüße, 世界\n"),
      bytes("\ufeffx"),
      Uint8Array.from({ length: 70_000 }, (_, i) => i % 256),
    ];
    for (const one of given) assert.deepEqual(bytesOf(modelOf("a.txt", one)), one);
    const notebook = modelOf("a.ipynb", bytes('{"cells":[]}'));
    assert.deepEqual(notebook, { type: "notebook", format: "json", content: { cells: [] } });
    assert.equal(modelOf("a.ipynb", bytes("{")).type, "file");
    assert.equal(bytesOf({ type: "file", format: "base64", content: "half an upload\u0000" }), undefined);
  });
});

describe("a notebook that comes from elsewhere", () => {
  const cell = (metadata: object): object => ({ cell_type: "code", source: "1", metadata, outputs: [] });
  const notebook = (metadata: object): object => ({
    cells: [cell(metadata), { cell_type: "markdown", source: "a", metadata: {} }],
    metadata: { kernelspec: { name: "turnwise" } },
    nbformat: 4,
    nbformat_minor: 5,
  });
  const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64");

  /** JupyterLite's drive up to 0.6, which joins the parts of an upload and reads the whole as JSON. */
  class SomeDrive {
    readonly storage = Promise.resolve({
      keys: async () => [],
      getItem: async () => ({ type: "notebook", format: "json" }),
    });
    readonly files = new Map<string, unknown>();
    private parts = "";

    get = async (path: string): Promise<ContentsModel> => ({
      path,
      type: "notebook",
      content: this.files.get(path),
    });

    save = async (path: string, given: object): Promise<void> => {
      const { format, content, chunk } = given as { format: string; content: string; chunk?: number };
      if (format === "json") return void this.files.set(path, content);
      this.parts += Buffer.from(content, "base64").toString();
      if (chunk !== undefined && chunk !== -1) return;
      this.files.set(path, JSON.parse(this.parts));
      this.parts = "";
    };
  }

  /** JupyterLite's drive of 0.8, which keeps an upload as it came and converts it when it is read. */
  class LateDrive {
    readonly files = new Map<string, { type: string; format: string; content: unknown }>();
    readonly storage = Promise.resolve({
      keys: async () => [...this.files.keys()],
      getItem: async (path: string) => this.files.get(path) ?? null,
    });

    get = async (path: string, { format }: { content: boolean; format?: string }): Promise<ContentsModel> => {
      const name = decodeURIComponent(path);
      const found = this.files.get(name) ?? { type: "notebook", format: "json", content: ofSite };
      if (format !== "json" || found.format === "json") return { path: name, ...found };
      const encoding = found.format === "base64" ? "base64" : "utf8";
      const content: unknown = JSON.parse(Buffer.from(String(found.content), encoding).toString());
      return { path: name, ...found, format, content };
    };

    save = async (path: string, given: object): Promise<void> => {
      const { type, format, content } = given as { type: string; format: string; content: unknown };
      const isNotebook = path.toLowerCase().endsWith(".ipynb");
      this.files.set(decodeURIComponent(path), { type: isNotebook ? "notebook" : type, format, content });
    };

    rename(from: string, to: string): void {
      this.files.set(to, this.files.get(from)!);
      this.files.delete(from);
    }
  }
  const ofSite = notebook({ trusted: true, tags: ["the site's"] });

  it("is not trusted under any name, however it came and whoever opens it", async () => {
    const drive = new LateDrive();
    distrustUploads(drive);
    const hostile = notebook({ trusted: true, tags: ["a"] });
    const text = JSON.stringify(hostile);
    const asBase64 = { type: "file", format: "base64", content: base64(hostile) };
    const open = async (path: string): Promise<unknown> =>
      (await drive.get(path, { content: true, format: "json" })).content;
    await drive.save("a.txt", asBase64);
    await drive.save("b.txt", { type: "file", format: "text", content: text });
    await drive.save("c.json", { type: "file", format: "json", content: hostile });
    for (const name of ["a.txt", "b.txt", "c.json"]) {
      assert.deepEqual(await open(name), notebook({ tags: ["a"] }), name);
      drive.rename(name, "100% mine.ipynb");
      assert.deepEqual(await open("100%25 mine.ipynb"), notebook({ tags: ["a"] }), name);
    }
    for (const name of ["d.ipynb", "e.IPYNB"]) {
      await drive.save(name, asBase64);
      assert.deepEqual(await open(name), notebook({ tags: ["a"] }), name);
    }
    await drive.save("d.ipynb", { type: "notebook", format: "json", content: hostile });
    drive.rename("d.ipynb", "f.ipynb");
    assert.deepEqual(await open("f.ipynb"), hostile, "what the reader's own page has saved");
    assert.deepEqual(await open("of the site.ipynb"), ofSite);
  });

  it("is not trusted for what it says itself, whether it is uploaded whole or in parts", async () => {
    const drive = new SomeDrive();
    distrustUploads(drive);
    const hostile = notebook({ trusted: true, tags: ["a"] });
    await drive.save("a.ipynb", {
      type: "file",
      format: "base64",
      name: "a.ipynb",
      content: base64(hostile),
    });
    assert.deepEqual(drive.files.get("a.ipynb"), notebook({ tags: ["a"] }));
    const whole = JSON.stringify(hostile);
    for (const [chunk, content] of [
      [1, whole.slice(0, 30)],
      [-1, whole.slice(30)],
    ] as const) {
      const part = Buffer.from(content).toString("base64");
      await drive.save("b.ipynb", { type: "file", format: "base64", name: "b.ipynb", chunk, content: part });
    }
    assert.deepEqual(drive.files.get("b.ipynb"), notebook({ tags: ["a"] }));
  });

  it("is what it is otherwise, and one that the reader's own page saves stays trusted", async () => {
    const drive = new SomeDrive();
    distrustUploads(drive);
    await drive.save("c.ipynb", { type: "notebook", format: "json", content: notebook({ trusted: true }) });
    assert.deepEqual(drive.files.get("c.ipynb"), notebook({ trusted: true }));
    for (const other of [{ cells: 5 }, { cells: [null, { metadata: null }] }, notebook({})]) {
      await drive.save("d.ipynb", { type: "file", format: "base64", content: base64(other) });
      assert.deepEqual(drive.files.get("d.ipynb"), other);
    }
  });

  it("is not trusted either where a cell has written it", () => {
    const { content } = modelOf("e.ipynb", bytes(JSON.stringify(notebook({ trusted: true }))));
    assert.deepEqual(content, notebook({}));
  });
});
