import { findKnobs, type ButtonLook, type KnobPanel, type KnobValues } from "./knobs";
import { fastest, slowest } from "./pace";
import { Redraw, view } from "./redraw";
import { asInRule, settingKnobs, type SettingName } from "./settings";

/** A part of the screen, for pages and for terminals. */
export interface Shown {
  html(): string;
  text(): string;
}

/** Actions of the buttons and the controls. */
export interface Actions {
  run(): unknown;
  pause(): unknown;
  step(): unknown;
  back(): unknown;
  reset(): unknown;
  clear(): unknown;
  set(name: SettingName | "speed", value: number | string): void;
}

/** A picture that a notebook stores is renewed at a pause, and so often while training runs. */
const storeEveryMs = 10_000;

const button = (run: () => unknown, tooltip: string) =>
  ({ kind: "button", run: () => void run(), look: { tooltip } }) as const;

/** The controls of a playground on the page, with what is shown beside them. */
export class Deck {
  readonly #redraw = new Redraw();
  readonly #store = new Redraw();
  readonly #knobs: KnobPanel | undefined;
  /** The controls are moved by the playground itself, to the numbers of another rule. */
  #following = false;
  #storedAt = -Infinity;
  #lookOfRestart: (look: ButtonLook) => void = () => undefined;
  #lookOfClear: (look: ButtonLook) => void = () => undefined;

  /** @param views what is shown beside the controls, and what stands in their place where the kernel is gone */
  constructor(
    start: KnobValues,
    actions: Actions,
    { beside, stored }: { readonly beside: readonly Shown[]; readonly stored: Shown },
  ) {
    this.#knobs = findKnobs()?.(
      {
        run: button(() => actions.run(), "Trains until it is paused or done"),
        pause: button(() => actions.pause(), "Ends training after this update"),
        step: button(() => actions.step(), "One update as a film: each press shows its next picture"),
        back: button(() => actions.back(), "Shows the film's picture before"),
        restart: {
          ...button(() => actions.reset(), "Begins again with these settings; the chart keeps the curve"),
          follow: (change) => (this.#lookOfRestart = change),
        },
        [asInRule]: {
          ...button(() => actions.clear(), "Takes back every change of the rule"),
          follow: (change) => (this.#lookOfClear = change),
        },
        speed: { kind: "log", min: slowest, max: fastest },
        ...settingKnobs,
      },
      {
        start,
        beside: beside.map((one) => view(this.#redraw, one)),
        stored: view(this.#store, stored),
      },
    );
    this.#knobs?.onChange((values, changed) => {
      if (!this.#following) actions.set(changed as SettingName, values[changed]!);
    });
  }

  /** Moves the controls: another rule has changed those that nobody has touched, and some changes were refused. */
  show(values: KnobValues): void {
    if (!this.#knobs) return;
    this.#following = true;
    try {
      Object.assign(this.#knobs, values);
    } finally {
      this.#following = false;
    }
  }

  /** Marks the button that helps: to restart where something waits, to take back where something was refused. */
  mark(waits: boolean, refused: boolean): void {
    this.#lookOfRestart(waits ? { label: "restart to apply", marked: true } : {});
    this.#lookOfClear(refused ? { marked: true } : {});
  }

  draw(store = false): void {
    this.#redraw.now();
    const now = performance.now();
    if (!store && now - this.#storedAt < storeEveryMs) return;
    this.#storedAt = now;
    this.#store.now();
  }
}
