import { h, render, type ComponentChild } from "preact";
import { useMemo } from "preact/hooks";
import type { Model, View } from "../shared/contract";
import { slider, toggle } from "../shared/controls";
import { Ending, type Site, type Step } from "../shared/ending";
import { LineChart, until, type Line } from "../shared/lineChart";
import { linkOf, type Values } from "../shared/settings";
import { filmWords, useFilm } from "../shared/useFilm";
import { useModel } from "../shared/useModel";
import { luck, useEnds } from "./luck";
import { ANSWER, LOOKUP, passesOf, words, type Pass } from "./passes";
import { settings } from "./settings";
import { finding, sentences, share, winnerOf } from "./words";

type State = Values<typeof settings>;

const passesPerSecond = 3;
const look = (v: number, winner: number): string =>
  v === LOOKUP ? "a thick" : v === winner && v !== ANSWER ? "b" : v === ANSWER ? "strong" : "plain";

/** The course of a word over the passes. */
const courseOfWord = (made: readonly Pass[], v: number): Line["points"] =>
  made.map(({ first }, pass) => [pass, first[v]!] as const);

/** Probabilities between two passes, on the straight way: for pictures of a film that runs. */
function firstAt(made: readonly Pass[], at: number): readonly number[] {
  const [before, after] = [made[Math.floor(at)]!, made[Math.ceil(at)]!];
  return before.first.map((p, v) => p + (at - Math.floor(at)) * (after.first[v]! - p));
}

/** The first words of the agent as bars, with a mark where each one began. */
function bars(made: readonly Pass[], at: number, winner: number): ComponentChild {
  const now = firstAt(made, at);
  return h(
    "ol",
    { class: "bars", "aria-label": `First words after pass ${Math.round(at)}` },
    words.map((word, v) =>
      h("li", null, [
        h("code", null, word),
        h("span", { class: `bar ${look(v, winner)}` }, [
          h("i", { style: { width: `${(100 * now[v]!).toFixed(2)}%` } }),
          h("b", { style: { left: `${(100 * made[0]!.first[v]!).toFixed(2)}%` } }),
        ]),
        h("output", null, share(now[v]!)),
      ]),
    ),
  );
}

interface Given {
  readonly model: Model<State>;
  readonly site: Site | undefined;
}

const next: readonly Step[] = [
  {
    to: "lessons/01-grpo-from-scratch/",
    name: "Lesson 01: GRPO from scratch",
    why: "Writes this update line by line, and uses the batch again in section 5.",
  },
  {
    to: "play/",
    name: "Playground",
    why: "Goes on with new batches: GRPO with and without its clip, and every other rule.",
  },
];

function Film({ model, site }: Given): ComponentChild {
  const choose = useModel(model);
  const [isClipped, width, rate, passes, batch] = [
    model.get("clip"),
    model.get("width"),
    model.get("rate"),
    model.get("passes"),
    model.get("batch"),
  ];
  const [clip, otherClip] = isClipped ? [width, Infinity] : [Infinity, width];
  const made = useMemo(() => passesOf({ batch, passes, rate, clip }), [batch, passes, rate, clip]);
  const other = useMemo(
    () => passesOf({ batch, passes, rate, clip: otherClip }),
    [batch, passes, rate, otherClip],
  );
  const ends = useEnds({ passes, rate, clip: Infinity });
  const clippedEnds = useEnds({ passes, rate, clip: width });
  const film = useFilm(made, passes, { perSecond: passesPerSecond, step: 1 });
  const { at, isPlaying, play, pause, go } = film;
  const winner = winnerOf(made);
  const shown = isPlaying ? at : passes;
  const clipWords = isClipped ? `clip ${width}` : "no clip";
  const otherWords = isClipped ? "no clip" : `clip ${width}`;
  const line = (v: number): Line => {
    const points = until(courseOfWord(made, v), shown);
    return {
      name: v > LOOKUP ? `“${words[v]!}”` : words[v]!,
      value: share(points.at(-1)![1]),
      look: look(v, winner),
      points,
    };
  };
  const beside = until(courseOfWord(other, LOOKUP), shown);
  // The words that matter last, so that they are drawn on top.
  const rest = [...words.keys()].filter((v) => v !== LOOKUP && v !== winner && v !== ANSWER);
  const lines: Line[] = [
    ...rest.map((v) => ({ ...line(v), name: "", value: "" })),
    { name: `${otherWords}: LOOKUP`, value: share(beside.at(-1)![1]), look: "a dashed", points: beside },
    ...[...new Set([ANSWER, winner])].map(line),
    line(LOOKUP),
  ];
  const found = finding(made, { clip });
  const pass = Math.round(at);
  const { first, J, ratio } = made[pass]!;
  const description =
    `${found}. ${clipWords}: LOOKUP ` +
    made.map(({ first: one }, i) => `${share(one[LOOKUP]!)} after pass ${i}`).join(", ") +
    `. “${words[winner]!}” ends at ${share(made.at(-1)!.first[winner]!)}. ${otherWords}: LOOKUP ends at ${share(other.at(-1)!.first[LOOKUP]!)}.`;
  const now = `Pass ${pass}: LOOKUP ${share(first[LOOKUP]!)}, ANSWER ${share(first[ANSWER]!)}, largest ratio ${ratio.toFixed(1)}, exact return ${J.toFixed(2)}`;
  return h("div", { class: "film" }, [
    h("h1", null, found),
    h("p", { class: "soft" }, [
      "An agent has to name a hidden fact: LOOKUP shows it, ANSWER names it. A pass is one training step on the same 64 tries; " +
        `here ${passes === 1 ? "is one" : `are ${passes}`}, `,
      h("strong", null, isClipped ? `with the clip at ${width}` : "without the clip"),
      `, which ${isClipped ? "stops" : "would stop"} pushing a word once the push has changed its probability by ` +
        `${Math.round(100 * width)}%. Drawn is how likely each word is as the first one.`,
    ]),
    h(LineChart, {
      lines,
      xMax: passes,
      xName: passes === 1 ? "pass" : "passes",
      yMin: 0,
      yMax: 1,
      playhead: { at, name: `pass ${pass}` },
      description,
    }),
    h("div", { class: "bar" }, [
      h(
        "button",
        { class: "go", type: "button", onClick: isPlaying ? pause : play },
        filmWords(film, "Play", "Next pass"),
      ),
      h("input", {
        class: "scrub",
        type: "range",
        min: 0,
        max: passes,
        step: 1,
        value: pass,
        "aria-label": "Pass",
        "aria-valuetext": now,
        onInput: (event: Event) => go(Number((event.currentTarget as HTMLInputElement).value)),
      }),
      h("span", { class: "soft now" }, `largest ratio ${ratio.toFixed(1)} · exact return ${J.toFixed(2)}`),
    ]),
    h("div", { class: "halves" }, [
      h("div", null, [
        h("h2", null, `What it says first, after pass ${pass}`),
        bars(made, at, winner),
        h("p", { class: "soft small" }, "The mark on each bar is where it began."),
      ]),
      h("div", { class: "knobs" }, [
        toggle("clip the ratio", isClipped, (on) => choose("clip", on)),
        slider("clip width", settings.width.values, width, (value) => {
          model.set("clip", true);
          choose("width", value);
        }),
        slider("learning rate", settings.rate.values, rate, (value) => choose("rate", value)),
        slider("passes", settings.passes.values, passes, (value) => choose("passes", value)),
        slider("batch", settings.batch.values, batch, (value) => choose("batch", value)),
      ]),
    ]),
    h(
      "ol",
      { class: "sentences" },
      sentences(made, { clip }).map((sentence) => h("li", null, sentence)),
    ),
    h("h2", null, "Is it luck? P(LOOKUP) of twenty batches, after the last pass"),
    h(
      "p",
      { class: "soft small" },
      "A dot for each batch, from 0 at the left to 1 at the right; the large one is the batch above.",
    ),
    luck("no clip", "b", ends, batch),
    luck(`clip ${width}`, "a", clippedEnds, batch),
    h(
      "p",
      { class: "soft" },
      "Every number is computed in this page from all probabilities of the agent; only the tries of a batch were drawn, with the dice of ",
      site === undefined ? "lesson 01" : h("a", { href: site.root + next[0]!.to }, "lesson 01"),
      ".",
    ),
    h(Ending, {
      site,
      fragment: linkOf(settings, { clip: isClipped, width, rate, passes, batch }),
      subject: "this film",
      next,
    }),
  ]);
}

/** The film, and the site around it if there is one. */
export const viewFor = (site?: Site): View<State> => ({
  render({ model, el }) {
    render(h(Film, { model, site }), el);
    return () => render(null, el);
  },
});
