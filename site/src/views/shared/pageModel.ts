import type { Model } from "./contract";
import { linkOf, readLink, type Settings, type Values } from "./settings";

/** The fragment of a page's address, which keeps its settings. */
export interface Address {
  read(): string;
  write(fragment: string): void;
}

/** A model on a page: the values are in the page's address, so that a link shows what its sender saw. */
export class PageModel<S extends Settings> implements Model<Values<S>> {
  readonly #settings: S;
  readonly #address: Address;
  readonly #listeners = new Map<string, Set<() => void>>();
  #values: Values<S>;
  /** The parts of the link that are no setting. */
  refused: readonly string[];

  constructor(settings: S, address: Address) {
    this.#settings = settings;
    this.#address = address;
    const { values, refused } = readLink(settings, address.read());
    this.#values = values;
    this.refused = refused;
  }

  get<K extends keyof Values<S>>(name: K): Values<S>[K] {
    return this.#values[name];
  }

  set<K extends keyof Values<S>>(name: K, value: Values<S>[K]): void {
    if (this.#values[name] === value) return;
    this.#values = { ...this.#values, [name]: value };
    this.#tell(`change:${String(name)}`);
    this.#tell("change");
  }

  save_changes(): void {
    this.#address.write(linkOf(this.#settings, this.#values));
  }

  /** Takes the values of the address, which the reader has changed or gone back to. */
  reload(): void {
    const { values, refused } = readLink(this.#settings, this.#address.read());
    this.#values = values;
    this.refused = refused;
    this.#tell("change");
  }

  on(event: string, callback: () => void): void {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(callback));
  }

  off(event: string, callback: () => void): void {
    this.#listeners.get(event)?.delete(callback);
  }

  #tell(event: string): void {
    const listeners = this.#listeners.get(event) ?? new Set();
    // One may take another away, which then hears no more.
    for (const callback of [...listeners]) if (listeners.has(callback)) callback();
  }
}
