import { choice } from "../shared/choice";
import { onPageWith } from "../shared/onPage";
import type { Curve } from "./curve";
import { ruleView } from "./ruleView";

interface Stored {
  readonly updates: readonly number[];
  readonly rules: readonly (Curve & { readonly title: string })[];
}

const el = document.querySelector<HTMLElement>("#curve");
if (el) {
  const own = el.dataset["rule"]!;
  const stored = (await (await fetch("../curves.json")).json()) as Stored;
  const others = stored.rules.map(({ name }) => name).filter((name) => name !== own);
  const beside = choice(own === "grpo" ? "ppo" : "grpo", others);
  onPageWith(ruleView(own, stored), { beside }, document.querySelector<HTMLElement>("main")!);
}
