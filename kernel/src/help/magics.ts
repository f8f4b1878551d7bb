import { magics as all } from "../magics/index.js";
import { spoken } from "../magics/find.js";
import type { Declared } from "./declarations.js";

/** Help for `help("%%module")`: magics are no exported names, so they have no declarations. */
export const magics: ReadonlyMap<string, Declared> = new Map(
  all.flatMap((magic) =>
    spoken(magic).map((name) => [
      name,
      {
        name,
        signature: magic.usage.join("\n"),
        file: "",
        text: magic.more === undefined ? magic.about : `${magic.about}\n\n${magic.more}`,
        tags: magic.example === undefined ? [] : [{ name: "example", text: magic.example }],
      },
    ]),
  ),
);
