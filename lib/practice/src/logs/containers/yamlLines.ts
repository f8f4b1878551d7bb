/** A line of a mapping of YAML. */
export interface YamlLine {
  readonly path: readonly string[];
  /** Undefined where a mapping or a list of its own follows. */
  readonly value: string | undefined;
}

const line = /^(?<indent> *)(?<key>[A-Za-z_][\w@.-]*):(?:\s+(?<value>\S.*))?$/;
const item = /^ *- /;

/** Reads mappings within mappings, as PyYAML writes them, line by line; of lists, only that they are there. */
export class YamlLines {
  #open: { readonly indent: number; readonly key: string }[] = [];

  /** Path and value of a line; undefined of a line that is no part of a mapping. */
  push(text: string): YamlLine | undefined {
    const found = line.exec(text.trimEnd())?.groups;
    if (found === undefined) {
      return this.#open.length > 0 && item.test(text)
        ? { path: this.#open.map(({ key }) => key), value: undefined }
        : undefined;
    }
    const indent = found.indent!.length;
    this.#open = this.#open.filter((one) => one.indent < indent);
    // What is indented belongs to something.
    if (indent > 0 && this.#open.length === 0) return undefined;
    const path = [...this.#open.map(({ key }) => key), found.key!];
    this.#open.push({ indent, key: found.key! });
    return { path, value: found.value };
  }
}
