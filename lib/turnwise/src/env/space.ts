import type { Rng } from "../base/rng";
import type { Action, EnvSpec, Observation, Space } from "./env";

/** Turns that an agent may take: 1 to `maxTokens` tokens of the vocabulary, ended by `endToken` where there is one. */
export class ActionSpace implements Space<Action> {
  readonly #vocabulary: number;
  readonly #maxTokens: number;
  readonly #endToken: number | undefined;

  constructor(spec: Pick<EnvSpec, "vocabulary" | "maxTokens" | "endToken">) {
    this.#vocabulary = spec.vocabulary.length;
    this.#maxTokens = spec.maxTokens;
    this.#endToken = spec.endToken;
  }

  contains(x: unknown): x is Action {
    if (!Array.isArray(x) || x.length < 1 || x.length > this.#maxTokens) return false;
    for (const token of x) {
      if (!(Number.isInteger(token) && token >= 0 && token < this.#vocabulary)) return false;
    }
    if (this.#endToken === undefined) return x.length === this.#maxTokens;
    const end = x.indexOf(this.#endToken);
    return end === -1 ? x.length === this.#maxTokens : end === x.length - 1;
  }

  /** Uniform over tokens, one after the other: the random agent. */
  sample(rng: Rng): Action {
    const action: number[] = [];
    while (action.length < this.#maxTokens) {
      action.push(rng.below(this.#vocabulary));
      if (action.at(-1) === this.#endToken) break;
    }
    return action;
  }

  toString(): string {
    const end = this.#endToken === undefined ? "" : `, endToken=${this.#endToken}`;
    return `TokenSequence(vocabulary=${this.#vocabulary}, maxLength=${this.#maxTokens}${end})`;
  }
}

/** Observations: any number of tokens of either vocabulary, and a text. */
export class ObservationSpace implements Space<Observation> {
  readonly #size: number;

  constructor(spec: Pick<EnvSpec, "vocabulary" | "observationVocabulary">) {
    this.#size = spec.vocabulary.length + spec.observationVocabulary.length;
  }

  contains(x: unknown): x is Observation {
    if (typeof x !== "object" || x === null) return false;
    const { tokens, text } = x as Partial<Observation>;
    return (
      typeof text === "string" &&
      Array.isArray(tokens) &&
      tokens.every(
        (token: unknown) => Number.isInteger(token) && Number(token) >= 0 && Number(token) < this.#size,
      )
    );
  }

  sample(rng: Rng): Observation {
    const token = rng.below(this.#size);
    return { tokens: [token], text: `token ${token}` };
  }

  toString(): string {
    return `Observation(vocabulary=${this.#size})`;
  }
}
