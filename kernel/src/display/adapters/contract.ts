import type { MimeBundle } from "../../protocol/message.js";

/** The way in which the kernel shows objects of one kind that do not display themselves. */
export interface Adapter<T extends object = object> {
  /** Objects that it shows, with examples of packages that make them; for the documentation. */
  readonly shows: string;
  /** Media types that it gives, `text/plain` aside. */
  readonly types: readonly string[];
  /**
   * Whether a value is of its kind, judged by what the value has and not by the name of its class, which another package may
   * use as well. It runs no getter of the value: use `has`, `hasMethods` and `stored`.
   */
  fits(value: object): value is T;
  /** The bundle of such a value; undefined leaves it to the adapters that follow. */
  bundle(value: T): MimeBundle | Promise<MimeBundle | undefined> | undefined;
}

/** An adapter for the table of all of them, which need not know its type of value. */
export const adapter = <T extends object>(one: Adapter<T>): Adapter => one as unknown as Adapter;
