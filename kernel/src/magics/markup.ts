import { displaySymbol } from "../display/symbol.js";
import type { Magic } from "./contract.js";

/** A magic that shows the text below it under a media type. */
export function markup(o: {
  name: string;
  mediaType: string;
  about: string;
  more?: string;
  example: string;
}): Magic {
  const { name, mediaType, ...told } = o;
  return {
    name,
    forms: ["text cell"],
    usage: [`%%${name}`],
    ...told,
    check({ rest }) {
      if (rest.trim() === "") return;
      throw new RangeError(
        `Cannot show the cell: its text must begin in the line below %%${name}, got ${JSON.stringify(rest.trim())}.`,
      );
    },
    run({ body = "" }, host) {
      const bundle = { [mediaType]: body, "text/plain": body };
      host.display({ [displaySymbol]: () => bundle });
    },
  };
}
