import * as timers from "./timers.js";

export const setTimeout = <T>(ms?: number, value?: T): Promise<T> =>
  new Promise((resolve) => timers.setTimeout(() => resolve(value as T), ms));

export const setImmediate = <T>(value?: T): Promise<T> =>
  new Promise((resolve) => timers.setImmediate(() => resolve(value as T)));

export async function* setInterval<T>(ms?: number, value?: T): AsyncGenerator<T> {
  for (;;) yield setTimeout(ms, value as T);
}
