import { h, render, type ComponentChild } from "preact";
import { useMemo } from "preact/hooks";
import type { Model, View } from "../shared/contract";
import { slider, toggle } from "../shared/controls";
import { Ending, type Site, type Step } from "../shared/ending";
import { linkOf, type Values } from "../shared/settings";
import { filmWords, useFilm } from "../shared/useFilm";
import { useModel } from "../shared/useModel";
import { picture } from "./picture";
import { courseOf, fieldOf, salary, worthOf } from "./push";
import { settings } from "./settings";
import { extent, finding, reason, ruleWords } from "./words";

type State = Values<typeof settings>;

/** All of a course takes two seconds. */
const updatesPerSecond = 120;

interface Given {
  readonly model: Model<State>;
  readonly site: Site | undefined;
}

const next: readonly Step[] = [
  {
    to: "lessons/02-impossibility-theorem/",
    name: "Lesson 02: The impossibility theorem",
    why: "Works this machine out, has an agent unlearn a tool in the same way, and asks what a critic buys.",
  },
  {
    to: "film/",
    name: "One batch, sixteen passes",
    why: "Shows an agent learn its tool and forget it, all within one batch.",
  },
];

function Unlearn({ model, site }: Given): ComponentChild {
  const choose = useModel(model);
  const [group, prize, start, divide] = [
    model.get("group"),
    model.get("prize"),
    model.get("start"),
    model.get("divide"),
  ];
  const morning = useMemo(() => ({ group, prize, divide }), [group, prize, divide]);
  const field = useMemo(() => fieldOf(morning), [morning]);
  const course = useMemo(() => courseOf(start, morning), [start, morning]);
  const last = course.length - 1;
  const film = useFilm(course, last, { perSecond: updatesPerSecond, first: 0 });
  const { at, isPlaying, play, pause } = film;
  const p = course[Math.round(at)]!;
  const found = finding(morning, course);
  const isOver = at === last;
  const description = `${extent(field)} The agent pulls the machine ${Math.round(100 * p)}% of the time.`;
  return h("div", { class: "unlearn" }, [
    h("h1", null, isOver ? found : "Which way does GRPO push?"),
    h(
      "p",
      { class: "soft" },
      `Every morning: a sure salary of ${salary}, or a machine that pays ${prize} in one pull out of four. ` +
        `The machine is worth ${worthOf({ prize }).toFixed(2)} on average.`,
    ),
    h("p", { class: "soft" }, ruleWords(morning)),
    picture(morning, field, p, description),
    h("div", { class: "bar" }, [
      h(
        "button",
        { class: "go", type: "button", onClick: isPlaying ? pause : play },
        filmWords(film, isOver ? "Train again" : "Train the agent"),
      ),
      h("span", { role: "status" }, `It pulls the machine ${Math.round(100 * p)}% of the time.`),
    ]),
    h("div", { class: "knobs" }, [
      toggle("divide by the group’s standard deviation", divide, (on) => choose("divide", on)),
      slider("group size", settings.group.values, group, (value) => choose("group", value)),
      slider("prize", settings.prize.values, prize, (value) => choose("prize", value)),
      slider("the agent starts at", settings.start.values, start, (value) => choose("start", value), {
        words: (value) => `${Math.round(100 * value)}%`,
        unit: "pulls of the machine",
      }),
    ]),
    h("p", null, [
      h("strong", null, extent(field)),
      " Nothing is sampled: each arrow is the exact expected update, over every possible group. ",
      reason(morning),
    ]),
    h(Ending, {
      site,
      fragment: linkOf(settings, { group, prize, start, divide }),
      subject: "this setting",
      next,
    }),
  ]);
}

/** The bandit, and the site around it if there is one. */
export const viewFor = (site?: Site): View<State> => ({
  render({ model, el }) {
    render(h(Unlearn, { model, site }), el);
    return () => render(null, el);
  },
});
