import { cardOf, topics } from "./index";

/** A kernel asks for the card of a value, and for what `help` knows, by these names, without importing the library. */
const byName = {
  "turnwise.cards": (value: unknown) => cardOf(value),
  "turnwise.topics": () => topics(),
};

for (const [name, value] of Object.entries(byName)) {
  Object.defineProperty(globalThis, Symbol.for(name), { value, configurable: true, enumerable: false });
}
