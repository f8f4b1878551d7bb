/** A question with its choices, as Markdown. */
export interface Question {
  /** Its place, such as "04 The echo trap, section 2"; "" for a question of the command line. */
  readonly place: string;
  readonly question: string;
  readonly choices: readonly { readonly letter: string; readonly text: string }[];
  /** Letter of the right choice, where the lesson names it. */
  readonly answer?: string;
}

/** Outcome of a vote. `closed`: the question is not the present one, or its results are shown. `full`: nobody else can vote. */
export type Voted = "counted" | "closed" | "unknown choice" | "full";

/** A command of the presenter. */
export type Step = "reveal" | "answer" | "previous" | "next" | "again";

const steps: readonly string[] = ["reveal", "answer", "previous", "next", "again"] satisfies Step[];

export const isStep = (word: string): word is Step => steps.includes(word);

/** More browsers than any room holds: a script that votes forever must not fill the memory. */
const mostVoters = 5000;

/** Votes on one question. */
interface Standing {
  /** The letter that each browser has chosen. */
  readonly votes: Map<string, string>;
  shown: "nothing" | "results" | "answer";
}

/** The votes of a class: one for each browser and question, until the presenter shows the results. Everything is in memory. */
export class Poll {
  readonly questions: readonly Question[];
  #index = 0;
  readonly #standings: readonly Standing[];
  readonly #listeners = new Set<() => void>();

  constructor(questions: readonly Question[]) {
    this.questions = questions;
    this.#standings = questions.map(() => ({ votes: new Map<string, string>(), shown: "nothing" }));
  }

  get index(): number {
    return this.#index;
  }

  get question(): Question {
    return this.questions[this.#index]!;
  }

  get shown(): Standing["shown"] {
    return this.#standing.shown;
  }

  get total(): number {
    return this.#standing.votes.size;
  }

  get #standing(): Standing {
    return this.#standings[this.#index]!;
  }

  /** Votes for each choice of the present question, in their order. */
  get counts(): readonly number[] {
    const chosen = [...this.#standing.votes.values()];
    return this.question.choices.map(({ letter }) => chosen.filter((one) => one === letter).length);
  }

  choiceOf(voter: string): string | undefined {
    return this.#standing.votes.get(voter);
  }

  /** Counts a vote; a browser that votes again changes its vote. */
  vote(voter: string, index: number, letter: string): Voted {
    if (index !== this.#index || this.shown !== "nothing") return "closed";
    if (!this.question.choices.some((one) => one.letter === letter)) return "unknown choice";
    const { votes } = this.#standing;
    if (!votes.has(voter) && votes.size >= mostVoters) return "full";
    votes.set(voter, letter);
    this.#tell();
    return "counted";
  }

  /** A step of the presenter at a question; a second click on an old page does nothing. */
  step(step: Step, index: number): void {
    if (index !== this.#index) return;
    if (step === "reveal") this.#standing.shown = "results";
    else if (step === "answer") {
      if (this.question.answer !== undefined && this.shown === "results") this.#standing.shown = "answer";
    } else if (step === "again") {
      this.#standing.votes.clear();
      this.#standing.shown = "nothing";
    } else {
      const to = this.#index + (step === "next" ? 1 : -1);
      this.#index = Math.min(Math.max(to, 0), this.questions.length - 1);
    }
    this.#tell();
  }

  /** Calls back after every change, until the returned function is called. */
  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
