import { h, render, type ComponentChild } from "preact";
import { useEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import type { Model, View } from "../shared/contract";
import { Ending, type Site, type Step } from "../shared/ending";
import { linkOf, type Values } from "../shared/settings";
import { drawn, ROUNDS } from "./draw";
import { picture } from "./picture";
import type { Pool, PoolRun } from "./run";
import { Score } from "./score";
import { DRAWS, settings } from "./settings";
import { bets, digits, movesInWords, movesOf, outcomeInWords, type Move } from "./words";

type State = Values<typeof settings>;

interface Given {
  readonly model: Model<State>;
  readonly load: () => Promise<Pool>;
  readonly site: Site | undefined;
}

const next: readonly Step[] = [
  {
    to: "lessons/04-echo-trap/",
    name: "Lesson 04: The echo trap",
    why: "Watches such a run fall, and judges the alarms on all of them in section 7.",
  },
  {
    to: "doctor/",
    name: "What broke in this training run?",
    why: "Examines the log of a run of yours, in the page.",
  },
];

function Forecast({ model, load, site }: Given): ComponentChild {
  const [, refresh] = useReducer((n: number) => n + 1, 0);
  const [pool, setPool] = useState<Pool>();
  const [failure, setFailure] = useState("");
  useEffect(() => {
    const changed = (): void => refresh(undefined);
    model.on("change", changed);
    load().then(setPool, (error: Error) => setFailure(error.message));
    return () => model.off("change", changed);
  }, [model]);
  const draw = model.get("draw");
  const isAgain = useRef(false);
  const again = (): void => {
    isAgain.current = true;
    model.set("draw", Math.floor(Math.random() * DRAWS));
    model.save_changes();
  };
  return h("div", { class: "forecast" }, [
    h("h1", null, "Does it fall?"),
    failure !== "" &&
      h(
        "p",
        { role: "alert", class: "refusal" },
        `The runs could not be loaded (${failure}). Load the page again.`,
      ),
    pool === undefined && failure === "" && h("p", { role: "status" }, "Loading the runs …"),
    pool && h(Game, { key: draw, pool, draw, again, takesFocus: isAgain.current }),
    pool && h(Ending, { site, fragment: linkOf(settings, { draw }), subject: "these ten runs", next }),
  ]);
}

interface GameProps {
  readonly pool: Pool;
  readonly draw: number;
  readonly again: () => void;
  /** Whether the keyboard was on a button of the game before. */
  readonly takesFocus: boolean;
}

function Game({ pool, draw, again, takesFocus }: GameProps): ComponentChild {
  const rounds = useMemo(() => drawn(draw, pool.runs.length).map((i) => pool.runs[i]!), [pool, draw]);
  const [made, setMade] = useState<readonly number[]>([]);
  const [round, setRound] = useState(0);
  const focus = useRef<HTMLButtonElement>(null);
  const asked = useRef<HTMLParagraphElement>(null);
  const isAnswered = made.length > round;
  useEffect(() => {
    if (isAnswered) focus.current?.focus();
    // The button that was pressed is gone: the keyboard goes on from the next question.
    else if (round > 0 || takesFocus) asked.current?.focus();
  }, [isAnswered, round]);
  if (round === ROUNDS) return h(Score, { pool, rounds, made, draw, again });
  const run = rounds[round]!;
  const moves = movesOf(run, pool);
  const fell = pool.runs.filter(({ onset }) => onset !== null).length;
  return h("section", { "aria-label": `Run ${round + 1} of ${ROUNDS}` }, [
    round === 0 &&
      !isAnswered &&
      h(
        "p",
        { class: "soft" },
        `Sixty updates of a real training run of ours. Does its success fall right after them, so that its mean over ten updates drops below 75% of its best, or does it hold for good? Ten runs, then see ` +
          `whether you read the curves better than the alarms do. Of all ${pool.runs.length} runs, ${fell} fell. ` +
          "A group is several tries at the same task: GRPO, the rule that trains here, learns nothing from one whose tries are all paid alike.",
      ),
    h(Chart, { run, moves, isAnswered }),
    h(
      "p",
      { ref: asked, tabIndex: -1, role: "status", class: "told" },
      isAnswered ? outcomeInWords(run, made[round]!) : `Run ${round + 1} of ${ROUNDS}: your bet?`,
    ),
    isAnswered
      ? h("div", null, [
          h("p", null, movesInWords(moves, run)),
          h(
            "button",
            { ref: focus, type: "button", class: "go", onClick: () => setRound(round + 1) },
            round + 1 === ROUNDS ? "See your score" : "Next run",
          ),
        ])
      : h(
          "div",
          { class: "bets", role: "group", "aria-label": "Your bet" },
          bets.map((bet, i) => h("button", { type: "button", onClick: () => setMade([...made, i]) }, bet)),
        ),
    h(
      "p",
      { class: "soft small" },
      `Draw ${draw}: ten of ${pool.runs.length} runs, at random. The link below holds the draw, so whoever gets it sees the same ten.`,
    ),
  ]);
}

/** As wide as the page: the letters of a drawing must not shrink with it. */
function Chart({
  run,
  moves,
  isAnswered,
}: {
  run: PoolRun;
  moves: readonly Move[];
  isAnswered: boolean;
}): ComponentChild {
  const box = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(340);
  useEffect(() => {
    const measure = (): void => setWidth(Math.max(280, box.current?.clientWidth ?? 340));
    measure();
    addEventListener("resize", measure);
    return () => removeEventListener("resize", measure);
  }, []);
  return h("figure", { ref: box }, picture(run, moves, isAnswered, width, describe(run, isAnswered)));
}

/** The curves for whoever hears them: where each began, its range, and its last ten values. */
function describe({ curves, last, onset }: PoolRun, isAnswered: boolean): string {
  const spoken = (values: readonly number[]): string => {
    const ten = values.slice(50, 60);
    const mean = ten.reduce((a, b) => a + b, 0) / ten.length;
    return `lowest ${digits(Math.min(...values.slice(0, 60)))}, mean of the last ten ${digits(mean)}, last ${digits(values[59]!)}`;
  };
  const after = !isAnswered
    ? ""
    : onset === null
      ? " Success held after that."
      : ` Then success fell, to ${digits(Math.min(...curves.success.slice(60)))} at its lowest.`;
  return (
    `Updates ${last - 59} to ${last}. Success: ${spoken(curves.success)}. Share of groups with equal rewards: ${spoken(curves.equal)}. ` +
    `Std of rewards, as a share of 0.4: ${spoken(curves.std)}. Gradient norm, as a share of its scale: ${spoken(curves.gradient)}.${after}`
  );
}

/** The game, with a way to get the runs, and the site around it if there is one. */
export const viewFor = (load: () => Promise<Pool>, site?: Site): View<State> => ({
  render({ model, el }) {
    render(h(Forecast, { model, load, site }), el);
    return () => render(null, el);
  },
});
