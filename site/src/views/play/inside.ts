import { h, type ComponentChild } from "preact";
import { filmWords, useFilm } from "../shared/useFilm";
import type { Looked } from "./client";
import { pictureOf, pictures } from "./shots";

const picturesPerSecond = 0.5;

/** One update as a film: five pictures that play, or are drawn by hand. */
export function Inside({ looked }: { looked: Looked }): ComponentChild {
  const { shot, problem } = looked;
  const film = useFilm(looked, pictures.length - 1, { perSecond: picturesPerSecond, first: 0, step: 1 });
  const { at, isPlaying, play, pause, go } = film;
  const index = Math.floor(at);
  if (!shot) return problem === "" ? null : h("p", { role: "alert" }, problem);
  return h("div", { class: "inside" }, [
    h("div", { class: "bar" }, [
      h("button", { type: "button", onClick: isPlaying ? pause : play }, filmWords(film, "Play", "Next")),
      h("input", {
        class: "scrub",
        type: "range",
        min: 0,
        max: pictures.length - 1,
        step: 1,
        value: index,
        "aria-label": "Picture of the update",
        "aria-valuetext": pictures[index]!,
        onInput: (event: Event) => go(Number((event.currentTarget as HTMLInputElement).value)),
      }),
    ]),
    h(
      "div",
      { class: "steps", "aria-hidden": "true" },
      pictures.map((name, i) => h("span", { class: i === index ? "on" : "" }, name)),
    ),
    pictureOf(shot, index),
  ]);
}
