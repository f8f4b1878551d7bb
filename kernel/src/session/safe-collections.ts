// Maps and sets of the session, which work while a cell has replaced the methods of all others. Make them empty, and go through them with
// `forEach`: a list of first content, and for-of, ask for an iterator, which a cell may have replaced as well.

/* eslint-disable @typescript-eslint/no-useless-constructor -- V8 hands the arguments of one that is left out on through the iterator of
   lists. */

export class SafeMap<K, V> extends Map<K, V> {
  constructor() {
    super();
  }
}

export class SafeSet<T> extends Set<T> {
  constructor() {
    super();
  }
}

export class SafeWeakMap<K extends WeakKey, V> extends WeakMap<K, V> {
  constructor() {
    super();
  }
}

for (const made of [SafeMap, SafeSet, SafeWeakMap]) {
  const { prototype } = made as { prototype: object };
  const base = Object.getPrototypeOf(prototype) as object;
  for (const key of Reflect.ownKeys(base)) {
    if (key !== "constructor")
      Object.defineProperty(prototype, key, Object.getOwnPropertyDescriptor(base, key)!);
  }
  Object.setPrototypeOf(prototype, null);
  Object.freeze(prototype);
}
