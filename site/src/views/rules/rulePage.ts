import { onPageWith } from "../shared/onPage";
import type { ChoiceSetting } from "../shared/settings";
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
  const beside: ChoiceSetting = {
    kind: "choice",
    initial: own === "grpo" ? "ppo" : "grpo",
    values: stored.rules.map(({ name }) => name).filter((name) => name !== own),
  };
  onPageWith(ruleView(own, stored), { beside }, document.querySelector<HTMLElement>("main")!);
}
