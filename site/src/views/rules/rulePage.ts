import { choice } from "../shared/choice";
import { onPageWith } from "../shared/onPage";
import { ruleView } from "./ruleView";
import { firstBeside, type Stored } from "./stored";

const el = document.querySelector<HTMLElement>("#curve");
if (el) {
  const own = el.dataset["rule"]!;
  const stored = (await (await fetch("../curves.json")).json()) as Stored;
  const others = stored.rules.map(({ name }) => name).filter((name) => name !== own);
  const beside = choice(firstBeside(own), others);
  onPageWith(ruleView(own, stored), { beside }, document.querySelector<HTMLElement>("main")!);
}
