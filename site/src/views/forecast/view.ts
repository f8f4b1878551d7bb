import { h, render, type ComponentChild } from "preact";
import { useEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import type { Model, View } from "../shared/contract";
import type { Values } from "../shared/settings";
import { areaOf } from "./area";
import { drawn, ROUNDS } from "./draw";
import { unpackedPool, type PackedPool } from "./packedPool";
import { picture } from "./picture";
import type { Area, Pool, PoolRun } from "./run";
import { DRAWS, type settings } from "./settings";
import { signalNames, signals } from "./signals";
import {
  areaInWords,
  bets,
  digits,
  isWrong,
  movesInWords,
  movesOf,
  outcomeInWords,
  type Move,
} from "./words";

type State = Values<typeof settings>;

async function loadPool(): Promise<Pool> {
  const answer = await fetch(new URL("runs.json", document.baseURI));
  if (!answer.ok) throw new RangeError(`status ${answer.status}`);
  return unpackedPool((await answer.json()) as PackedPool);
}

function Forecast({ model }: { model: Model<State> }): ComponentChild {
  const [, refresh] = useReducer((n: number) => n + 1, 0);
  const [pool, setPool] = useState<Pool>();
  const [failure, setFailure] = useState("");
  useEffect(() => {
    const changed = (): void => refresh(undefined);
    model.on("change", changed);
    loadPool().then(setPool, (error: Error) => setFailure(error.message));
    return () => model.off("change", changed);
  }, [model]);
  const draw = model.get("draw");
  const again = (): void => {
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
    pool && h(Game, { key: draw, pool, draw, again }),
  ]);
}

interface GameProps {
  readonly pool: Pool;
  readonly draw: number;
  readonly again: () => void;
}

function Game({ pool, draw, again }: GameProps): ComponentChild {
  const rounds = useMemo(() => drawn(draw, pool.runs.length).map((i) => pool.runs[i]!), [pool, draw]);
  const [made, setMade] = useState<readonly number[]>([]);
  const [round, setRound] = useState(0);
  const focus = useRef<HTMLButtonElement>(null);
  const asked = useRef<HTMLParagraphElement>(null);
  const isAnswered = made.length > round;
  useEffect(() => {
    if (isAnswered) focus.current?.focus();
    // The button that was pressed is gone: the keyboard goes on from the next question.
    else if (round > 0) asked.current?.focus();
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
          `whether you read the curves better than the alarms do. Of all ${pool.runs.length} runs, ${fell} fell.`,
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
      `Draw ${draw}: ten of ${pool.runs.length} runs, at random. The link holds the draw, so whoever gets it sees the same ten.`,
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

interface ScoreProps extends GameProps {
  readonly rounds: readonly PoolRun[];
  readonly made: readonly number[];
}

interface Line {
  readonly title: string;
  readonly ten: Area | undefined;
  readonly all: Area | undefined;
}

function Score({ pool, rounds, made, draw, again }: ScoreProps): ComponentChild {
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => head.current?.focus(), []);
  const ofTen = (betOf: (run: PoolRun, i: number) => number): Area | undefined =>
    areaOf(rounds.map((run, i) => ({ bet: betOf(run, i), fell: run.onset !== null })));
  const own = ofTen((_, i) => made[i]!);
  const lines: readonly Line[] = [
    { title: "you", ten: own, all: undefined },
    ...signalNames.map((name) => ({
      title: signals[name].title,
      ten: ofTen(({ level }) => level[name]),
      all: pool.areas[name],
    })),
  ];
  const fell = rounds.filter(({ onset }) => onset !== null).length;
  const wrong = rounds.flatMap((run, i) => (isWrong(run, made[i]!) ? [{ run, i }] : []));
  return h("section", { "aria-label": "Your score" }, [
    h("h2", { ref: head, tabIndex: -1 }, headline(lines)),
    own
      ? h(
          "p",
          null,
          `${fell} of your ten runs fell and ${ROUNDS - fell} held. The area under the ROC curve is the share of pairs, one that fell and one that held, in ` +
            `which the bet on the first is higher, ties counted half; 0.5 is guessing. Ten rounds say little: yours is ${areaInWords(own)}.`,
        )
      : h("p", null, `All ten ${fell > 0 ? "fell" : "held"}, so no two can be told apart: draw ten others.`),
    own &&
      h("div", { class: "scroll", tabIndex: 0, role: "region", "aria-label": "Areas under the ROC curve" }, [
        h("table", null, [
          h("thead", null, [
            h("tr", null, [
              h("td", null),
              h("th", { scope: "col" }, "on these ten"),
              h("th", { scope: "col" }, `on all ${pool.runs.length}`),
            ]),
          ]),
          h(
            "tbody",
            null,
            lines.map(({ title, ten, all }) =>
              h("tr", { class: title === "you" ? "you" : "" }, [
                h("th", { scope: "row" }, title),
                h("td", null, ten ? [bar(ten), digits(ten.mean)] : "–"),
                h("td", null, all ? [bar(all), digits(all.mean)] : "–"),
              ]),
            ),
          ),
        ]),
      ]),
    h(
      "h3",
      null,
      wrong.length === 0 ? "None of your bets was wrong" : "Where you were wrong, and what moved",
    ),
    wrong.length > 0 &&
      h(
        "ul",
        null,
        wrong.map(({ run, i }) =>
          h(
            "li",
            null,
            `Run ${i + 1}. ${outcomeInWords(run, made[i]!)} ${movesInWords(movesOf(run, pool), run)}`,
          ),
        ),
      ),
    h("div", { class: "bar" }, [
      h("button", { type: "button", class: "go", onClick: again }, "Ten other runs"),
    ]),
    h(
      "p",
      { class: "soft small" },
      `Draw ${draw}. The runs are those of lesson 04’s study of alarms, trap A in three settings; all that rose, with at least sixty updates before a fall, are in the ` +
        `pool, and a run that held is shown up to an age at which another of its setting fell. A signal bets by the highest level of its alarm in the last 25 ` +
        `updates. Areas here are over all pairs; the lesson compares within a setting, on its confirming half.`,
    ),
  ]);
}

function headline(lines: readonly Line[]): string {
  const [you, ...others] = lines;
  if (!you?.ten) return "No score";
  const best = others.reduce((a, b) => ((b.ten?.mean ?? 0) > (a.ten?.mean ?? 0) ? b : a));
  const mine = you.ten.mean;
  const theirs = best.ten!.mean;
  if (mine > theirs)
    return `You beat every signal on these ten: ${digits(mine)}, and ${best.title} ${digits(theirs)}`;
  if (mine === theirs) return `You are level with ${best.title} on these ten: ${digits(mine)}`;
  return `You lost to ${best.title} on these ten: ${digits(mine)} against ${digits(theirs)}`;
}

/** An interval with its mean, from 0 to 1, and chance in the middle; the number beside it says the same. */
const bar = ({ mean, low, high }: Area): ComponentChild =>
  h(
    "svg",
    {
      class: "interval",
      viewBox: "0 0 120 16",
      role: "img",
      "aria-label": `95% interval ${digits(low)} to ${digits(high)}`,
    },
    [
      h("line", { class: "chance", x1: 60, x2: 60, y1: 0, y2: 16 }),
      h("line", { class: "between", x1: 120 * low, x2: 120 * high, y1: 8, y2: 8 }),
      h("circle", { cx: 120 * mean, cy: 8, r: 4 }),
    ],
  );

const view: View<State> = {
  render({ model, el }) {
    render(h(Forecast, { model }), el);
    return () => render(null, el);
  },
};

export default view;
