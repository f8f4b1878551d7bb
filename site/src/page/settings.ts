/** A plugin's settings: its schema, and what the reader has chosen. */
interface Setting {
  readonly id: string;
}

/** Parts of JupyterLite's `Settings` that are used here. */
export interface LiteSettings {
  fetch(id: string): Promise<Setting>;
  list(only?: "ids"): Promise<{ readonly ids: readonly string[]; readonly values: readonly Setting[] }>;
  save(id: string, raw: string): Promise<void>;
  clear(): Promise<void>;
}

/**
 * Settings that are read once until they are written: JupyterLite reads those of all plugins for each that asks, eight times before
 * the first cell is shown. Whoever asks gets a copy of their own, since JupyterLab writes into it.
 */
export function readOnce<T extends LiteSettings>(settings: T): T {
  const own = {
    fetch: settings.fetch.bind(settings),
    list: settings.list.bind(settings),
    save: settings.save.bind(settings),
    clear: settings.clear.bind(settings),
  };
  let read: ReturnType<LiteSettings["list"]> | undefined;
  const all = (): ReturnType<LiteSettings["list"]> => {
    read ??= own.list().catch((error: unknown) => {
      read = undefined;
      throw error;
    });
    return read;
  };
  const written = async (write: () => Promise<void>): Promise<void> => {
    try {
      await write();
    } finally {
      read = undefined;
    }
  };
  return Object.assign(settings, {
    fetch: async (id: string) => {
      const found = (await all()).values.find((one) => one.id === id);
      return found ? structuredClone(found) : own.fetch(id);
    },
    list: async (only?: "ids") => (only === undefined ? structuredClone(await all()) : own.list(only)),
    save: (id: string, raw: string) => written(() => own.save(id, raw)),
    clear: () => written(() => own.clear()),
  });
}
