import { h, type ComponentChild } from "preact";
import { axisNumber } from "../shared/lineChart";
import type { Shot, Token } from "./protocol";
import { number, plain } from "./words";

/** The pictures of an update, one after the other. */
export const pictures = ["Rollout", "Advantages", "Ratios", "Gate", "New policy"] as const;
type Picture = (typeof pictures)[number];

const signed = (value: number): string => `${value > 0 ? "+" : ""}${axisNumber(Number(value.toFixed(2)))}`;
const times = (ratio: number): string => `×${ratio < 10 ? ratio.toFixed(2) : ratio.toPrecision(3)}`;

const tokensOf = ({ trajectories }: Shot): readonly Token[] =>
  trajectories.flatMap(({ turns }) => turns.flatMap(({ tokens }) => tokens));

/** A picture in one or two sentences. */
function wordsOf(shot: Shot, picture: Picture): string {
  const tokens = tokensOf(shot);
  const stopped = tokens.filter(({ isStopped }) => isStopped).length;
  const silent = tokens.every(({ advantage }) => advantage === 0);
  switch (picture) {
    case "Rollout":
      return `The agent plays; the batch earns ${number(shot.reward)} on average. Here are tries from one group, which began alike.`;
    case "Advantages":
      return silent
        ? "Every try of this group earned the same, so there is nothing to compare and nothing to learn."
        : "Each word is paid by how much better or worse than expected its try went: blue is more, orange less.";
    case "Ratios":
      return `After ${shot.steps} step${shot.steps === 1 ? "" : "s"} on this batch: how much likelier each word is than when it was said.`;
    case "Gate":
      return shot.gate === ""
        ? "This rule has a loss of its own, without a gate."
        : stopped === 0
          ? `The gate “${plain(shot.gate)}” stops none of these words.`
          : `The gate “${plain(shot.gate)}” stops ${stopped} of these ${tokens.length} words: struck out, they earn nothing more.`;
    case "New policy": {
      const { exact } = shot;
      const moved = exact
        ? ` The exact return goes from ${exact.before.toFixed(3)} to ${exact.after.toFixed(3)}.`
        : "";
      return `The choice that was pushed hardest, before (mark) and after (bar).${moved}`;
    }
  }
}

function chip(
  { word, advantage, ratio, isStopped }: Token,
  picture: Picture,
  largest: number,
): ComponentChild {
  const isPaid = picture !== "Rollout" && advantage !== 0;
  const strength = Math.round(12 + 38 * Math.min(1, Math.abs(advantage) / largest));
  const bar = Math.min(100, Math.max(4, 50 + 25 * Math.log2(ratio)));
  const looks = [
    "token",
    isPaid ? (advantage > 0 ? "more" : "less") : "",
    picture === "Gate" && isStopped ? "stopped" : "",
  ];
  const under =
    picture === "Advantages"
      ? signed(advantage)
      : picture === "Ratios" || picture === "Gate"
        ? times(ratio)
        : "";
  return h("span", { class: looks.join(" "), style: { "--strength": `${strength}%` } }, [
    h("code", null, word),
    picture === "Ratios" && h("i", { style: { width: `${bar}%` } }),
    under !== "" && h("small", null, picture === "Gate" && isStopped ? `${under} stopped` : under),
  ]);
}

function trajectoriesOf(shot: Shot, picture: Picture): ComponentChild {
  const largest = Math.max(...tokensOf(shot).map(({ advantage }) => Math.abs(advantage)), 1e-9);
  return shot.trajectories.map(({ turns, reward }) =>
    h("div", { class: "try" }, [
      h("span", { class: "paid" }, `paid ${number(reward)}`),
      h(
        "div",
        null,
        turns.flatMap(({ observation, isMap, tokens }) => [
          isMap ? h("pre", { class: "heard" }, observation) : h("span", { class: "heard" }, observation),
          ...tokens.map((token) => chip(token, picture, largest)),
        ]),
      ),
    ]),
  );
}

const mostWords = 8;

function decisionOf({ decision }: Shot): ComponentChild {
  if (!decision) return h("p", { class: "soft" }, "Nothing was pushed in this update.");
  const { turn, observation, written, words, before, after, push } = decision;
  const shown = [...words.keys()]
    .sort((a, b) => Math.abs(push[b]!) - Math.abs(push[a]!) || a - b)
    .slice(0, mostWords)
    .sort((a, b) => a - b);
  const heard = observation.includes("\n") || observation === "" ? "" : ` after “${observation.trim()}”`;
  return [
    h(
      "p",
      null,
      `Turn ${turn}${heard}: ${written.length === 0 ? "the first word" : `the word after “${written.join(" ")}”`}`,
    ),
    h(
      "ol",
      { class: "bars" },
      shown.map((v) =>
        h("li", null, [
          h("code", null, words[v]!),
          h("span", { class: `bar ${push[v]! > 0 ? "a" : "b"}` }, [
            h("i", { style: { width: `${(100 * after[v]!).toFixed(1)}%` } }),
            h("b", { style: { left: `${(100 * before[v]!).toFixed(1)}%` } }),
          ]),
          h("output", null, number(after[v]!)),
        ]),
      ),
    ),
  ];
}

/** One picture of an update. */
export function pictureOf(shot: Shot, index: number): ComponentChild {
  const picture = pictures[index]!;
  return h("div", { class: "picture" }, [
    h("p", { role: "status" }, [h("strong", null, `${picture}. `), wordsOf(shot, picture)]),
    picture === "New policy" ? decisionOf(shot) : trajectoriesOf(shot, picture),
  ]);
}
