import { libraryAddress } from "../modules.js";
import { fetchAtOnce } from "../siteFiles.js";

/**
 * Replacement of lib/turnwise/src/tensor/backends/tf.ts and float64/doubles.ts in a site: TensorFlow.js, fetched when
 * it is first used. Tables and our own networks do without, and it is a third of the library.
 */

type Namespace = Record<PropertyKey, unknown>;

const file = "tf.js";
/** Object on which the script puts its exports; one for all copies of the library in this thread. */
const host = globalThis as unknown as { turnwiseTf?: Script };

interface Script {
  readonly tf: Namespace;
  readonly makeFloat64Backend: () => object;
}

function script(): Script {
  if (!host.turnwiseTf) {
    const bytes = fetchAtOnce(`${libraryAddress()}${file}`);
    if (!bytes)
      throw new RangeError(`Cannot load TensorFlow.js: the page must serve ${libraryAddress()}${file}.`);
    // Indirect, so that it runs in the global scope.
    (0, eval)(new TextDecoder().decode(bytes));
  }
  return host.turnwiseTf!;
}

const loaded = (): Namespace => script().tf;

/** Replacement of lib/turnwise/src/tensor/float64/doubles.ts. */
export const makeFloat64Backend = (): object => script().makeFloat64Backend();

export const tf = new Proxy<Namespace>(
  {},
  {
    get: (_, name) => loaded()[name],
    has: (_, name) => name in loaded(),
    ownKeys: () => Reflect.ownKeys(loaded()),
    getOwnPropertyDescriptor: (_, name) =>
      name in loaded() ? { value: loaded()[name], enumerable: true, configurable: true } : undefined,
  },
);
