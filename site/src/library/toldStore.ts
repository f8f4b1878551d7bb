import type { FileStore } from "turnwise/browser";

/** Reports a file that cells may import: its text, or nothing once it is removed. */
export type OnSource = (path: string, text: string | undefined) => void;

const source = /\.([cm]?[jt]sx?|json)$/;
/** Data that cells read is no source. */
const largest = 1_000_000;

/** Whether cells may import a file. */
export const isSource = (path: string, bytes: Uint8Array | undefined): boolean =>
  source.test(path) && (bytes?.length ?? 0) <= largest;

/** A store that reports the sources in it, and of each that is written: the worker of types has no other way to know them. */
export function toldStore(store: FileStore, tell: OnSource): FileStore {
  const told = (path: string, bytes: Uint8Array | undefined): void => {
    if (isSource(path, bytes)) tell(path, bytes && new TextDecoder().decode(bytes));
  };
  for (const path of filesIn(store, "/")) told(path, store.read(path));
  return {
    read: (path) => store.read(path),
    list: (folder) => store.list(folder),
    write(path, bytes) {
      store.write(path, bytes);
      told(path, bytes);
    },
    settled: () => store.settled(),
  };
}

/** The paths of all files below a folder. */
export function* filesIn(store: Pick<FileStore, "list">, folder: string): Generator<string> {
  for (const name of store.list(folder) ?? []) {
    const path = `${folder === "/" ? "" : folder}/${name}`;
    if (name.endsWith("/")) yield* filesIn(store, path.slice(0, -1));
    else yield path;
  }
}
