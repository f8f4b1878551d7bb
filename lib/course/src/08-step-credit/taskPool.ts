import type { Rng } from "turnwise/internal/base/rng";
import type { Sampler } from "turnwise/internal/env/curriculum/sampler";
import { acceptTask } from "./acceptTask";

/** A rewritten task that is tried instead of its own. */
interface Candidate {
  readonly level: number;
  readonly goal: "harder" | "easier";
  /** Share of solved trajectories on the task that it was made from. */
  readonly before: number;
}

interface Slot {
  level: number;
  candidate: Candidate | undefined;
}

/** Options of a `TaskPool`. */
export interface TaskPoolOptions {
  /** Number of levels of difficulty that a task may have, counted from 1; at first each level has equally many tasks. */
  readonly levels: number;
  readonly slots: number;
  /** Whether tasks are rewritten; otherwise each keeps its level. */
  readonly adapts: boolean;
}

/** From this share on a task is rewritten to be harder, and up to that one to be easier. */
const [HARDER_FROM, EASIER_TO] = [0.8, 0.2] as const;

/**
 * RLAnything's tasks as slots: each has a level of difficulty, and is rewritten one level up or down.
 *
 * A task that nearly always succeeds is made harder, one that nearly never does easier. The rewritten task is played in its place the
 * next time, and stays if `acceptTask` says so. `draw` numbers slot and level: `1 + slot * levels + level - 1`.
 *
 * @see RLAnything, arXiv 2602.02488; sample/alfworld_utils.py:694 and reward/alfworld_rl_reward.py:184 in Gen-Verse/Open-AgentRL at 1fe5dbd
 */
export class TaskPool implements Sampler {
  readonly #slots: Slot[];
  #played: { solved: number; episodes: number }[];

  constructor(private readonly o: TaskPoolOptions) {
    this.#slots = Array.from({ length: o.slots }, (_, s) => ({
      level: 1 + (s % o.levels),
      candidate: undefined,
    }));
    this.#played = this.#none();
  }

  /** One for each slot at each level. */
  get levels(): number {
    return this.o.slots * this.o.levels;
  }

  /** The level of each slot, as accepted. */
  get accepted(): readonly number[] {
    return this.#slots.map(({ level }) => level);
  }

  /** Nothing is known of a task beyond the last time that it was played. */
  estimate(): number {
    return 0;
  }

  probabilities(): number[] {
    const chances = new Array<number>(this.levels).fill(0);
    for (let s = 0; s < this.o.slots; s++) chances[this.#place(s) - 1] = 1 / this.o.slots;
    return chances;
  }

  draw(rng: Rng): number {
    return this.#place(rng.below(this.o.slots));
  }

  record(place: number, success: boolean): void {
    const own = this.#played[Math.floor((place - 1) / this.o.levels)]!;
    own.episodes += 1;
    if (success) own.solved += 1;
  }

  /** Candidates that were played are kept or dropped, and tasks that were too easy or too hard get one. */
  advance(): void {
    if (this.o.adapts) {
      this.#slots.forEach((slot, s) => {
        const { solved, episodes } = this.#played[s]!;
        if (episodes > 0) this.#judge(slot, solved / episodes);
      });
    }
    this.#played = this.#none();
  }

  #judge(slot: Slot, share: number): void {
    const { candidate } = slot;
    if (candidate) {
      if (acceptTask(candidate.goal, { before: candidate.before, after: share }))
        slot.level = candidate.level;
      slot.candidate = undefined;
      return;
    }
    const goal = share >= HARDER_FROM ? "harder" : share <= EASIER_TO ? "easier" : undefined;
    const level = slot.level + (goal === "harder" ? 1 : -1);
    if (goal && level >= 1 && level <= this.o.levels) slot.candidate = { level, goal, before: share };
  }

  #place(s: number): number {
    const { level, candidate } = this.#slots[s]!;
    return 1 + s * this.o.levels + (candidate?.level ?? level) - 1;
  }

  #none(): { solved: number; episodes: number }[] {
    return Array.from({ length: this.o.slots }, () => ({ solved: 0, episodes: 0 }));
  }

  state(): { slots: Slot[]; played: { solved: number; episodes: number }[] } {
    return {
      slots: this.#slots.map((slot) => ({ ...slot })),
      played: this.#played.map((one) => ({ ...one })),
    };
  }

  restore(state: unknown): void {
    const { slots, played } = state as ReturnType<TaskPool["state"]>;
    slots.forEach((slot, s) => (this.#slots[s] = { ...slot }));
    this.#played = played.map((one) => ({ ...one }));
  }
}
