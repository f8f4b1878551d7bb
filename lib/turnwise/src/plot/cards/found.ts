import { tellOnEnvCards } from "../../env/cardRows";
import { cardOf, helpSource, optimumAtAGlance } from "./index";

tellOnEnvCards((env) => optimumAtAGlance(env));

// Found by symbols, so that a kernel does not import the library; what answers is loaded when it is first asked.
const cards = { value: (value: unknown) => cardOf(value), configurable: true, enumerable: false };
Object.defineProperty(globalThis, Symbol.for("turnwise.cards"), cards);

type HelpSource = typeof helpSource;

const source: HelpSource = {
  get topics() {
    return helpSource.topics;
  },
  get titles() {
    return helpSource.titles;
  },
  get explain() {
    return helpSource.explain;
  },
  get options() {
    return helpSource.options;
  },
  get about() {
    return helpSource.about;
  },
};

const helpSymbol = Symbol.for("Jupyter.help");
const host = globalThis as { [helpSymbol]?: Map<string, HelpSource> };
(host[helpSymbol] ??= new Map<string, HelpSource>()).set("turnwise", source);
