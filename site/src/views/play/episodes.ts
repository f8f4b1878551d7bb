import { h, type ComponentChild } from "preact";
import type { Episode } from "./protocol";
import { number } from "./words";

/** The agent at work: two episodes, world and agent in turn. */
export const episodesOf = (episodes: readonly Episode[]): ComponentChild =>
  h(
    "div",
    { class: "episodes" },
    episodes.map(({ lines, reward }) =>
      h("ol", null, [
        ...lines.map(({ isAgent, text, isMap }) =>
          h("li", { class: isAgent ? "said" : "heard" }, [
            h("span", { class: "who" }, isAgent ? "agent " : "world "),
            isMap && !isAgent ? h("pre", null, text) : text,
          ]),
        ),
        h("li", { class: "paid" }, `paid ${number(reward)}`),
      ]),
    ),
  );
