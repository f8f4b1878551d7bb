import { displaySymbol } from "../display/symbol.js";
import type { Magic } from "./contract.js";
import { findMagic } from "./find.js";
import { magicPage, magicTable, magicText } from "./page.js";

/** `%help`: what magics there are. It is made from all of them, itself included. */
export function helpMagic(all: () => readonly Magic[]): Magic {
  return {
    name: "help",
    forms: ["line"],
    usage: ["%help [magic]"],
    about: "Lists the magics, or describes one; help() covers everything else.",
    example: "%help timeit",
    check: ({ rest }) => void (rest.trim() === "" || findMagic(rest.trim(), all())),
    run({ rest }, host) {
      const wanted = rest.trim();
      const asked = wanted === "" ? undefined : findMagic(wanted, all());
      const bundle = {
        "text/markdown": asked ? magicPage(asked) : magicTable(all()),
        "text/plain": asked ? magicText(asked) : all().map(magicText).join("\n"),
      };
      host.display({ [displaySymbol]: () => bundle });
    },
  };
}

/** `%lsmagic`: the names alone. */
export function lsmagic(all: () => readonly Magic[]): Magic {
  return {
    name: "lsmagic",
    forms: ["line"],
    usage: ["%lsmagic"],
    about: "Lists the names of the magics.",
    run(_call, host) {
      const forms = all().flatMap(({ usage }) =>
        usage.map((one) => one.split(" ")[0]!.replace("!command", "!")),
      );
      host.print(`${[...new Set(forms)].sort().join("  ")}\n`);
    },
  };
}
