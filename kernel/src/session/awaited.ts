// What an `await` and a `for await` find in their operand.

export function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return isObject(value) && typeof (value as { then?: unknown }).then === "function";
}

type AnyIterator = AsyncIterator<unknown, unknown, unknown>;

/** The iterator that a `for await` asks. */
export function iteratorOf(source: unknown): AnyIterator {
  const several = source as Partial<AsyncIterable<unknown> & Iterable<unknown>>;
  const make = several[Symbol.asyncIterator];
  const iterator = make ? make.call(several as never) : fromSync(several as Iterable<unknown>);
  if (!isObject(iterator)) throw new TypeError(`Result of the Symbol.asyncIterator method is not an object`);
  return iterator;
}

/** A language's own way from an iterator to an asynchronous one. */
function fromSync(source: Iterable<unknown>): AnyIterator {
  return (async function* () {
    yield* source;
  })();
}
