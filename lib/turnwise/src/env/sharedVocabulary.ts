import { isEnumerable, type Action, type Env, type EnvSpec, type Outcome, type StepResult } from "./env";
import { ActionSpace, ObservationSpace } from "./space";
import { unwrapped, Wrapper } from "./wrapper";

/** Marks, in `info`, a turn in which the agent wrote one of the environment's own tokens. */
const FORGED = "forged";

class SharedVocabulary extends Wrapper {
  readonly #spec: EnvSpec;
  readonly #malformed: Action;
  readonly #own: number;

  constructor(inner: Env, malformed = malformedAction(inner)) {
    super(inner);
    const { vocabulary, observationVocabulary } = inner.spec;
    this.#malformed = malformed;
    this.#own = vocabulary.length;
    this.#spec = {
      ...inner.spec,
      vocabulary: [...vocabulary, ...observationVocabulary],
      observationVocabulary: [],
    };
    delete this.actionClasses;
    const { transition } = this;
    if (!transition) return;
    this.transition = (state, action) =>
      this.#forged(action)
        ? transition(state, malformed).map((outcome): Outcome<unknown> => ({
            ...outcome,
            info: { ...outcome.info, call: "malformed", [FORGED]: true },
          }))
        : transition(state, action);
  }

  override get spec(): EnvSpec {
    return this.#spec;
  }

  override get actionSpace(): ActionSpace {
    return new ActionSpace(this.#spec);
  }

  override get observationSpace(): ObservationSpace {
    return new ObservationSpace(this.#spec);
  }

  override step(action: Action): StepResult {
    if (!this.actionSpace.contains(action)) {
      throw new RangeError(
        `Cannot step ${this.spec.id}: the action must be in ${this.actionSpace.toString()}, got ${JSON.stringify(action)}.`,
      );
    }
    if (!this.#forged(action)) return super.step(action);
    const [observation, reward, terminated, truncated, info] = super.step(this.#malformed);
    return [observation, reward, terminated, truncated, { ...info, call: "malformed", [FORGED]: true }];
  }

  protected override rewrap(inner: Env): Env {
    return new SharedVocabulary(inner, this.#malformed);
  }

  #forged(action: Action): boolean {
    return action.some((token) => token >= this.#own);
  }
}

/**
 * The same environment for a model with one vocabulary, as a language model has: the agent can also write the tokens in
 * which the environment answers.
 *
 * A turn with such a token is answered as one that cannot be parsed, and `info.forged` is true.
 *
 * @throws {TypeError} if the environment cannot be enumerated
 * @throws {RangeError} if no turn is malformed at its start
 * @example
 * import { make, sharedVocabulary } from "turnwise";
 * const env = sharedVocabulary(make("LookUp-v0"));
 * [make("LookUp-v0").spec.vocabulary.length, env.spec.vocabulary.length]; // => [6, 13]
 */
export function sharedVocabulary(env: Env): Env {
  return new SharedVocabulary(env);
}

/** The first turn, in the order of tokens, that the environment's parser refuses at the start. */
function malformedAction(wrapped: Env): Action {
  const env = isEnumerable(wrapped) ? wrapped : unwrapped(wrapped);
  if (!isEnumerable(env)) {
    throw new TypeError(
      `Cannot share the vocabulary of ${env.spec.id}: the environment must list its outcomes, but start and transition are missing.`,
    );
  }
  const { vocabulary, maxTokens, endToken } = env.spec;
  const { state } = env.start()[0]!;
  const search = (prefix: Action): Action | undefined => {
    if (prefix.length === maxTokens || (prefix.length > 0 && prefix.at(-1) === endToken)) {
      return env.transition(state, prefix)[0]!.info?.call === "malformed" ? prefix : undefined;
    }
    for (let v = vocabulary.length - 1; v >= 0; v--) {
      const found = search([...prefix, v]);
      if (found) return found;
    }
    return undefined;
  };
  const found = search([]);
  if (found) return found;
  throw new RangeError(
    `Cannot share the vocabulary of ${env.spec.id}: there must be a malformed turn that stands for what it cannot parse.`,
  );
}
