import assert from "node:assert/strict";
import { readOnce } from "turnwise-site/internal/page/settings";

// JupyterLite's settings with a stand-in for the browser's storage.

interface Setting {
  readonly id: string;
  readonly raw: string;
  data: Record<string, unknown>;
}

class Storage {
  reads = 0;
  isBroken = false;
  readonly kept = new Map<string, string>([
    ["keys", "{}"],
    ["theme", "{}"],
  ]);

  fetch(id: string): Promise<Setting> {
    return Promise.reject(new Error(`Setting ${id} not found`));
  }
  list(only?: "ids"): Promise<{ ids: string[]; values: Setting[] }> {
    this.reads++;
    if (this.isBroken) return Promise.reject(new Error("no network"));
    const ids = [...this.kept.keys()];
    const values = only ? [] : ids.map((id) => ({ id, raw: this.kept.get(id)!, data: {} }));
    return Promise.resolve({ ids, values });
  }
  save(id: string, raw: string): Promise<void> {
    this.kept.set(id, raw);
    return Promise.resolve();
  }
  clear(): Promise<void> {
    for (const id of this.kept.keys()) this.kept.set(id, "{}");
    return Promise.resolve();
  }
}

describe("the settings of a page", () => {
  const rawOf = async (settings: Storage, id: string): Promise<string> => (await settings.fetch(id)).raw;

  it("are read once for all that ask at the same time or later", async () => {
    const settings = readOnce(new Storage());
    const found = await Promise.all(["keys", "theme"].map((id) => settings.fetch(id)));
    assert.deepEqual(
      found.map(({ id }) => id),
      ["keys", "theme"],
    );
    assert.equal((await settings.list()).values.length, 2);
    assert.equal(settings.reads, 1);
  });

  it("are a copy for each that asks, since JupyterLab writes into it", async () => {
    const settings = readOnce(new Storage());
    (await settings.fetch("keys")).data["user"] = "mine";
    assert.deepEqual((await settings.fetch("keys")).data, {});
    assert.deepEqual((await settings.list()).values[0]!.data, {});
  });

  it("are read again when they have been written or cleared", async () => {
    const settings = readOnce(new Storage());
    assert.equal(await rawOf(settings, "theme"), "{}");
    await settings.save("theme", '{"dark":true}');
    assert.equal(await rawOf(settings, "theme"), '{"dark":true}');
    await settings.clear();
    assert.equal(await rawOf(settings, "theme"), "{}");
  });

  it("are read again when they could not be read, and JupyterLite says which are not there", async () => {
    const settings = readOnce(new Storage());
    settings.isBroken = true;
    await assert.rejects(settings.fetch("keys"), /no network/);
    settings.isBroken = false;
    assert.equal(await rawOf(settings, "keys"), "{}");
    await assert.rejects(settings.fetch("wheels"), /Setting wheels not found/);
  });

  it("give their names alone as JupyterLite does", async () => {
    const settings = readOnce(new Storage());
    assert.deepEqual(await settings.list("ids"), { ids: ["keys", "theme"], values: [] });
  });
});
