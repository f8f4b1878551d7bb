import { expectWhole } from "../base/expect";
import { createRng, type Rng } from "../base/rng";
import type { Action, Env, EnvSpec, Info, Observation, ResetOptions, StepResult } from "./env";
import { ObservationSpace } from "./space";
import { Wrapper } from "./wrapper";

export interface LongPagesOptions {
  /** Words that follow every answer of the environment. */
  readonly words: number;
  /** Number of different words. Default 4. */
  readonly different?: number;
}

class LongPages extends Wrapper {
  readonly #o: Required<LongPagesOptions>;
  readonly #spec: EnvSpec;
  #page: Rng = createRng(0);
  #turn = 0;

  constructor(inner: Env, o: Required<LongPagesOptions>) {
    super(inner);
    this.#o = o;
    const own = Array.from({ length: o.different }, (_, i) => `word-${i}`);
    this.#spec = {
      ...inner.spec,
      observationVocabulary: [...inner.spec.observationVocabulary, ...own],
      options: { ...inner.spec.options, ...o },
    };
    delete this.start;
    delete this.transition;
    delete this.actionClasses;
    delete this.returnBounds;
  }

  override get spec(): EnvSpec {
    return this.#spec;
  }

  override get observationSpace(): ObservationSpace {
    return new ObservationSpace(this.#spec);
  }

  override reset(options?: ResetOptions): [Observation, Info] {
    if (options?.seed !== undefined) this.#page = createRng(options.seed).split("longPages");
    this.#page = this.#page.split("episode", options?.member ?? 0);
    this.#turn = 0;
    return super.reset(options);
  }

  override step(action: Action): StepResult {
    const [observation, ...rest] = super.step(action);
    const rng = this.#page.split("turn", this.#turn++);
    const words = Array.from({ length: this.#o.words }, () => rng.below(this.#o.different));
    const first = this.#spec.vocabulary.length + this.inner.spec.observationVocabulary.length;
    const page = {
      ...observation,
      tokens: [...observation.tokens, ...words.map((word) => first + word)],
      text: `${observation.text} ${words.map((word) => `word-${word}`).join(" ")}`,
    };
    return [page, ...rest];
  }

  protected override rewrap(inner: Env): Env {
    return new LongPages(inner, this.#o);
  }
}

/**
 * The same environment, but every answer goes on with random words, as a retrieved page does.
 *
 * The words mean nothing. They are drawn from the episode's seed and member, and cannot be enumerated.
 *
 * @throws {RangeError} if `words` is below 0 or `different` below 1
 */
export function longPages(env: Env, { words, different = 4 }: LongPagesOptions): Env {
  for (const [name, value, least] of [
    ["words", words, 0],
    ["different", different, 1],
  ] as const) {
    expectWhole("make long pages", name, value, least);
  }
  return new LongPages(env, { words, different });
}
