import { h, render, type ComponentChild } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Model, View } from "../shared/contract";
import { slider } from "../shared/controls";
import { Ending, type Site } from "../shared/ending";
import { LineChart } from "../shared/lineChart";
import { linkOf, type Values } from "../shared/settings";
import { filmWords, useFilm } from "../shared/useFilm";
import { useModel } from "../shared/useModel";
import { rulesOf, type Catalog } from "./catalog";
import { useTrainer } from "./client";
import { episodesOf } from "./episodes";
import { gaugesOf } from "./gauges";
import { Inside } from "./inside";
import { firstKnobs, otherKnobs } from "./knobs";
import { curveOf, endingOf, lineOf, looks, rangeOf } from "./lines";
import { nextOf } from "./next";
import type { Task } from "./protocol";
import { mostRuns, runText, valueIn, type Run } from "./runs";
import { settingsFor } from "./settings";
import { relation, Strip } from "./strip";
import { finding, namesOf, number, shortTitle, terms } from "./words";

type State = Values<ReturnType<typeof settingsFor>>;

interface Given {
  readonly model: Model<State>;
  readonly catalog: Catalog;
  readonly start: () => Worker;
  readonly site: Site | undefined;
}

const counts = [
  "An agent trains",
  ...["Two", "Three", "Four", "Five"].map((count) => `${count} agents train`),
];

/** A finished run plays again in so long a time. */
const replaySeconds = 8;
/** Steps of a replay where motion is unwelcome. */
const replaySteps = 10;

const pick = (event: Event): string => (event.currentTarget as HTMLSelectElement).value;

/** A run with another rule: numbers and sampling stay, words belong to the rule that was left. */
const withRule = ({ changes }: Run, rule: string): Run => ({
  rule,
  changes: Object.fromEntries(Object.entries(changes).filter(([, value]) => typeof value === "number")),
});

function Playground({ model, catalog, start, site }: Given): ComponentChild {
  const choose = useModel(model);
  const [chosen, setChosen] = useState(0);
  const [isRunning, setRunning] = useState(true);
  const [at, setAt] = useState<number | undefined>(undefined);
  const [world, updates, runs] = [model.get("world"), model.get("updates"), model.get("runs")];
  const index = Math.min(chosen, runs.length - 1);
  const run = runs[index]!;
  const tasks = runs.map((one): Task => ({
    key: `${world} ${updates} ${runText(one)}`,
    world,
    updates,
    run: one,
  }));
  const task = tasks[index]!;
  const trainer = useTrainer(start, tasks, isRunning);
  const all = tasks.map(trainer.progressOf);
  const progress = all[index]!;
  const names = namesOf(runs, catalog);
  const optimum = all.find(({ optimum: one }) => one !== undefined)?.optimum;
  const curves = all.map((one) => curveOf(one));
  const isOver = all.every(({ isDone, problem }) => isDone || problem !== "");
  const ended = curves.flatMap((curve, i) => (curve.length === 0 ? [] : [endingOf(names[i]!, curve)]));
  const oneRule =
    new Set(runs.map(({ rule }) => rule)).size === 1 ? shortTitle(run.rule, catalog) : undefined;
  const title =
    isOver && ended.length > 0 ? finding(ended, oneRule, optimum) : "Which rule gets to the optimum?";
  const made = progress.points.length;
  const step = Math.max(1, Math.round(made / replaySteps));
  const replay = useFilm(task.key, isOver ? made : 0, { perSecond: made / replaySeconds, step });
  const place = isOver ? replay.at : Math.min(at ?? made, made);
  const here = Math.round(place);
  const about = catalog.worlds.find(({ id }) => id === world)!;
  const change = (next: Run): void => {
    setAt(undefined);
    choose(
      "runs",
      runs.map((one, i) => (i === index ? next : one)),
    );
  };
  const group = useRef<HTMLDivElement>(null);
  const isFocusDue = useRef(false);
  useEffect(() => {
    // The button that was pressed may be gone: the keyboard goes on from the chosen run.
    if (isFocusDue.current) group.current!.querySelector<HTMLElement>("[aria-pressed=true]")!.focus();
    isFocusDue.current = false;
  }, [runs.length]);
  const add = (): void => {
    isFocusDue.current = true;
    setChosen(runs.length);
    choose("runs", [...runs, run]);
  };
  const remove = (i: number): void => {
    isFocusDue.current = true;
    setChosen(Math.max(0, i <= index ? index - 1 : index));
    choose(
      "runs",
      runs.filter((_, k) => k !== i),
    );
  };
  const press = (): void => {
    if (!isOver) return setRunning(!isRunning);
    if (replay.isPlaying) replay.pause();
    else replay.play();
  };
  const [yMin, yMax] = rangeOf(curves, optimum);
  const lines = curves.map((curve, i) => lineOf(names[i]!, looks[i]!, curve, i === index));
  // The chosen run is drawn on top.
  lines.push(...lines.splice(index, 1));
  const described = ended.map(
    ({ name, end, peak }) => `${name}: now ${number(end)}, at best ${number(peak)}`,
  );
  const given = { run, catalog, change };
  const isLooked = trainer.looked?.key === task.key;
  return h("div", { class: "play" }, [
    h("section", { class: "first" }, [
      h("h1", { "aria-live": "polite" }, title),
      h("p", { class: "soft" }, [
        `${counts[runs.length - 1]!} in this page: turn a knob, and the chosen one starts again. `,
        `${world}: ${about.about} `,
        optimum === undefined ? "Drawn is the mean reward of ten batches" : "Drawn is its exact return",
        `, update by update. ${terms(names, oneRule)}`,
      ]),
      h(LineChart, {
        lines,
        xMax: updates,
        xName: "updates",
        yMin,
        yMax,
        ...(optimum !== undefined && { bound: { y: optimum, name: `exact optimum ${number(optimum)}` } }),
        ...(place < made && { playhead: { at: place, name: `update ${here}` } }),
        description: `Learning curves in ${world}. ${described.join(". ")}.${optimum === undefined ? "" : ` The exact optimum is ${number(optimum)}.`}`,
        hasLegend: false,
        share: 0.5,
      }),
      h("div", { ref: group, class: "runs", role: "group", "aria-label": "Runs" }, [
        ...runs.map((_, i) =>
          h("span", { class: `run ${looks[i]!} ${i === index ? "on" : ""}`, key: i }, [
            h(
              "button",
              {
                type: "button",
                "aria-pressed": i === index,
                onClick: () => (setChosen(i), setAt(undefined)),
              },
              [names[i]!, curves[i]!.length > 0 && h("small", null, number(curves[i]!.at(-1)![1]))],
            ),
            runs.length > 1 &&
              h(
                "button",
                { type: "button", class: "x", "aria-label": `Remove ${names[i]!}`, onClick: () => remove(i) },
                "×",
              ),
          ]),
        ),
        runs.length < mostRuns && h("button", { type: "button", class: "add", onClick: add }, "+ Compare"),
      ]),
      h("div", { class: "bar" }, [
        h(
          "button",
          { class: "go", type: "button", onClick: press },
          isOver
            ? filmWords(replay, "Replay", `Next ${Math.min(step, made - here)} updates`)
            : isRunning
              ? "Pause"
              : "Train",
        ),
        h("input", {
          class: "scrub",
          type: "range",
          min: Math.min(1, made),
          max: Math.max(made, 1),
          step: 1,
          value: here,
          disabled: made === 0,
          "aria-label": "Update",
          "aria-valuetext": `Update ${here} of ${made}`,
          onInput: (event: Event) => {
            const chosenPlace = Number((event.currentTarget as HTMLInputElement).value);
            if (isOver) replay.go(chosenPlace);
            else setAt(chosenPlace);
          },
        }),
        h(
          "span",
          { class: "soft count" },
          `update ${here} of ${updates} · seed ${valueIn(run, "seed", catalog).now!}`,
        ),
      ]),
      (progress.problem !== "" || trainer.failure !== "") &&
        h("p", { class: "problem", role: "alert" }, progress.problem || `Cannot train: ${trainer.failure}.`),
    ]),
    h("section", { class: "side" }, [
      h("div", { class: "knobs" }, firstKnobs(given)),
      h("details", { class: "fold" }, [
        h("summary", null, "All other knobs"),
        h("div", { class: "knobs" }, [
          otherKnobs(given),
          slider(
            "updates",
            [50, 100, 200, 300, 500, 1000],
            updates,
            (value) => (setAt(undefined), choose("updates", value)),
          ),
        ]),
      ]),
      h("label", { class: "knob pick" }, [
        h("span", null, "world"),
        h(
          "select",
          { value: world, onChange: (event: Event) => (setAt(undefined), choose("world", pick(event))) },
          [true, false].map((exact) =>
            h(
              "optgroup",
              { label: exact ? "with an exact optimum" : "larger ones" },
              catalog.worlds
                .filter((one) => one.isExact === exact)
                .map(({ id }) => h("option", { value: id, selected: id === world }, id)),
            ),
          ),
        ),
      ]),
      h("h2", null, "The rule"),
      h("label", { class: "knob pick" }, [
        h("span", null, "begin with"),
        h(
          "select",
          { value: run.rule, onChange: (event: Event) => change(withRule(run, pick(event))) },
          catalog.groups.map(({ title: group, rules }) =>
            h(
              "optgroup",
              { label: group },
              rules.map(({ name }) =>
                h("option", { value: name, selected: name === run.rule }, rulesOf(catalog).get(name)!.title),
              ),
            ),
          ),
        ),
      ]),
      h("p", { class: "soft" }, relation(run, progress.closest, catalog)),
      h(Strip, { key: index, run, task, trainer, catalog, change }),
    ]),
    h("section", { class: "more" }, [
      gaugesOf(progress.points, here, looks[index]!),
      h("h2", null, "One update, slowly"),
      h("div", { class: "bar" }, [
        h(
          "button",
          { type: "button", disabled: made === 0, onClick: () => trainer.look(task, Math.max(1, here)) },
          `Look inside update ${Math.max(1, here)}`,
        ),
        h("span", { class: "soft" }, "The slider below the chart chooses the update."),
      ]),
      isLooked && h(Inside, { looked: trainer.looked! }),
      h("h2", null, "What the agent does now"),
      episodesOf(progress.episodes),
      h(Ending, {
        site,
        fragment: linkOf(settingsFor(catalog), { world, updates, runs }),
        subject: "these runs",
        next: nextOf(run, catalog),
        about: h(
          "p",
          { class: "soft" },
          "The link holds settings and no code, and whoever opens it gets the same bits" +
            (progress.digest === "" ? "." : `: the checksum of ${names[index]!} is `),
          progress.digest !== "" && h("code", { class: "digest" }, progress.digest),
        ),
      }),
    ]),
  ]);
}

/** The playground, with the library's facts, a way to start the worker that trains, and the site around it if there is one. */
export const viewFor = (catalog: Catalog, start: () => Worker, site?: Site): View<State> => ({
  render({ model, el }) {
    render(h(Playground, { model, catalog, start, site }), el);
    return () => render(null, el);
  },
});
