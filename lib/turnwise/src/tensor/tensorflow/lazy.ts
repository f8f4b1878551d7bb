import { tensorflow } from "#tensor/tensorflow";

type Namespace = Record<PropertyKey, unknown>;

/**
 * TensorFlow.js, loaded when someone first asks it for something: rules, tables and our own networks do without it.
 *
 * Until then, whatever is asked of the object is asked of its prototype, which loads the module and copies its exports into
 * the object; after that, a call costs what it costs on the module itself.
 */
export const tf: Namespace = {};

/** @returns the module */
function load(): object {
  const module = tensorflow().tf;
  Object.setPrototypeOf(tf, Object.prototype);
  Object.defineProperties(tf, Object.getOwnPropertyDescriptors(module));
  return module;
}

Object.setPrototypeOf(
  tf,
  new Proxy(
    {},
    {
      get: (_, name) => Reflect.get(load(), name) as unknown,
      has: (_, name) => Reflect.has(load(), name),
    },
  ),
);
