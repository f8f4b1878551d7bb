import { h, type ComponentChild } from "preact";
import { salary, worthOf, type Field, type Morning } from "./push";

const WIDTH = 760;
const HEIGHT = 140;
const SIDE = 40;
const MIDDLE = HEIGHT / 2;
/** Arrows stand at every fourth policy of the field, and the longest reaches nearly to the next. */
const EVERY = 4;
const LONGEST = 46;
const SHORTEST = 20;

const xOf = (p: number): number => SIDE + p * (WIDTH - 2 * SIDE);

/** An arrow along the line: which way the agent is moved, and roughly how strongly. */
function arrow(p: number, push: number, isRight: boolean): ComponentChild {
  const length = Math.sign(push) * Math.max(SHORTEST, LONGEST * Math.sqrt(Math.abs(push)));
  const tip = xOf(p) + length / 2;
  const head = Math.sign(push) * 11;
  return h("g", { class: isRight ? "right" : "wrong" }, [
    h("line", { x1: tip - length, x2: tip - head, y1: MIDDLE, y2: MIDDLE }),
    h("path", { d: `M${tip} ${MIDDLE}l${-head} -9v18z` }),
  ]);
}

/** The push on policies from never to always the machine, as arrows, and the agent at p. */
export function picture(morning: Morning, field: Field, p: number, description: string): ComponentChild {
  const better = Math.sign(worthOf(morning) - salary);
  const arrows = field.places.flatMap((place, i) =>
    i % EVERY === 0 ? [arrow(place, field.pushes[i]!, field.pushes[i]! * better >= 0)] : [],
  );
  const toward = (isRight: boolean): string => (isRight === better > 0 ? "→" : "←");
  return h("figure", null, [
    h("p", { class: "reading" }, [
      "Each arrow is the average push of one update on an agent that pulls the machine that often: ",
      h("span", { class: "toward right" }, `${toward(true)} toward the better choice`),
      ", ",
      h("span", { class: "toward wrong" }, `${toward(false)} toward the worse`),
      ". The circle is your agent.",
    ]),
    h("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": description }, [
      h("line", { class: "zero", x1: SIDE, x2: WIDTH - SIDE, y1: MIDDLE, y2: MIDDLE }),
      ...arrows,
      h("circle", { class: "agent", cx: xOf(p), cy: MIDDLE, r: 22 }),
    ]),
    h("figcaption", null, [h("span", null, "← always the salary"), h("span", null, "always the machine →")]),
  ]);
}
