import { h, render, type ComponentChild } from "preact";
import { useEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import type { Model, View } from "../shared/contract";
import { slider, toggle } from "../shared/controls";
import type { Values } from "../shared/settings";
import { picture } from "./picture";
import { courseOf, fieldOf, salary, worthOf } from "./push";
import { settings } from "./settings";
import { extent, finding, reason } from "./words";

type State = Values<typeof settings>;

/** Frames of a course are two updates apart, so that all of it takes two seconds. */
const PACE = 2;

const isStill = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The agent's place on its course: at the start until it is trained, then a frame further with every picture of the screen. */
function useCourse(course: readonly number[]): { at: number; train: () => void; isTraining: boolean } {
  const [at, setAt] = useState(0);
  const frame = useRef(0);
  useEffect(() => {
    setAt(0);
    return () => cancelAnimationFrame(frame.current);
  }, [course]);
  const last = course.length - 1;
  const train = (): void => {
    cancelAnimationFrame(frame.current);
    if (isStill()) return setAt(last);
    const go = (i: number): void => {
      setAt(Math.min(i, last));
      if (i < last) frame.current = requestAnimationFrame(() => go(i + PACE));
    };
    go(0);
  };
  return { at, train, isTraining: at > 0 && at < last };
}

function Unlearn({ model }: { model: Model<State> }): ComponentChild {
  const [, refresh] = useReducer((n: number) => n + 1, 0);
  useEffect(() => {
    const changed = (): void => refresh(undefined);
    model.on("change", changed);
    return () => model.off("change", changed);
  }, [model]);
  const [group, prize, start, divide] = [
    model.get("group"),
    model.get("prize"),
    model.get("start"),
    model.get("divide"),
  ];
  const morning = useMemo(() => ({ group, prize, divide }), [group, prize, divide]);
  const field = useMemo(() => fieldOf(morning), [morning]);
  const course = useMemo(() => courseOf(start, morning), [start, morning]);
  const { at, train, isTraining } = useCourse(course);
  const choose = <K extends keyof State>(name: K, value: State[K]): void => {
    model.set(name, value);
    model.save_changes();
  };
  const p = course[at]!;
  const found = finding(morning, course);
  const isOver = at === course.length - 1;
  const description = `${extent(field)} The agent pulls the machine ${Math.round(100 * p)}% of the time.`;
  return h("div", { class: "unlearn" }, [
    h("h1", null, isOver ? found : "Which way does GRPO push?"),
    h(
      "p",
      { class: "soft" },
      `Every morning: a sure salary of ${salary}, or a machine that pays ${prize} in one pull out of four. ` +
        `The machine is worth ${worthOf({ prize }).toFixed(2)} on average.`,
    ),
    picture(morning, field, p, description),
    h("div", { class: "bar" }, [
      h(
        "button",
        { class: "go", type: "button", onClick: train, disabled: isTraining },
        isOver ? "Train again" : "Train the agent",
      ),
      h("span", { role: "status" }, `It pulls the machine ${Math.round(100 * p)}% of the time.`),
    ]),
    h("div", { class: "knobs" }, [
      toggle("divide by the group's standard deviation", divide, (on) => choose("divide", on)),
      slider("group size", settings.group.values, group, (value) => choose("group", value)),
      slider("prize", settings.prize.values, prize, (value) => choose("prize", value)),
      slider("the agent starts at", settings.start.values, start, (value) => choose("start", value)),
    ]),
    h("p", null, [
      h("strong", null, extent(field)),
      " Nothing is sampled: each arrow is the exact expected update, over every possible group. ",
      reason(morning),
    ]),
  ]);
}

const view: View<State> = {
  render({ model, el }) {
    render(h(Unlearn, { model }), el);
    return () => render(null, el);
  },
};

export default view;
