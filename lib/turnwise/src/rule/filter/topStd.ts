import { number } from "../../schema";
import { filter } from "./contract";

export const topStd = filter({
  help: "The groups of largest reward deviation, at least one; ties go to the id that comes first.",
  equation: String.raw`U(s_0)=\mathrm{Std}_{\tau\sim\pi(\cdot\mid s_0)}[R(\tau)],\quad\text{the top fraction}`,
  source: "StarPO-S in RAGEN, arXiv 2504.20073, Eq. 7",
  fields: {
    fraction: number(0.25, { above: 0, atMost: 1, help: "Which fraction of the groups is kept." }),
  },
  label: ({ fraction }) => `topStd ${fraction}`,
  kept: ({ fraction }, groups) => {
    const ranked = [...groups].sort((a, b) => b.deviation - a.deviation || (a.id < b.id ? -1 : 1));
    return ranked.slice(0, Math.max(1, Math.floor(fraction * groups.length)));
  },
  generations: () => 1,
});
