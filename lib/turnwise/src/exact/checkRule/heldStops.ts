import type { Recipe } from "../../rule";
import { Custom } from "../../rule/custom/custom";
import { doublesOf, doubleTensor } from "../../tensor/float64/backend";
import type { tf } from "../../tensor/backend";
import type { Rollout } from "./rollout";
import { tokenGradient, type Question, type TokenGradient } from "./tokenGradient";

interface Constant {
  readonly values: Float64Array;
  readonly shape: readonly number[];
}

/** Helpers that a custom function on tensors gets in addition to TensorFlow.js: it may stop gradients. */
interface Tensors {
  stopGradient?<X extends tf.Tensor>(x: X): X;
}

type OnTensors = (tensors: unknown, x: Tensors) => unknown;

/**
 * A rule whose own loss or gate can be asked again with all that it put behind a stop-gradient held as it was.
 *
 * The derivative of such a loss is that of the loss with those numbers as constants, and so must differences be taken.
 */
export class HeldStops {
  readonly #row: Recipe;
  readonly #calls: Constant[][] = [];
  #call = 0;
  #holding = false;

  constructor(rule: Recipe) {
    this.#row = this.#wrapped(rule);
  }

  /** The answer at a point, whose stop-gradients are kept. */
  at(rollout: Rollout, question: Question): TokenGradient {
    this.#holding = false;
    // The first call of a function may try it on other numbers as well; those of the second are the ones that count.
    this.#call = 0;
    tokenGradient(this.#row, rollout, question);
    this.#call = 0;
    this.#calls.length = 0;
    return tokenGradient(this.#row, rollout, question);
  }

  /** The answer near that point, with its stop-gradients. */
  near(rollout: Rollout, question: Question): TokenGradient {
    this.#holding = true;
    this.#call = 0;
    return tokenGradient(this.#row, rollout, question);
  }

  #wrapped(rule: Recipe): Recipe {
    const { loss, gate } = rule;
    if (loss !== null) return { ...rule, loss: this.#around(loss) };
    if (gate.kind !== "custom" || typeof gate.by.apply !== "function") return rule;
    return { ...rule, gate: { ...gate, by: this.#around(gate.by as Custom<OnTensors>) } } as Recipe;
  }

  #around<F extends (...args: never[]) => unknown>({ label, apply }: Custom<F>): Custom<F> {
    const own = apply as unknown as OnTensors;
    const watched: OnTensors = (tensors, x) => {
      const constants = (this.#calls[this.#call] ??= []);
      this.#call++;
      if (!this.#holding) constants.length = 0;
      return own(tensors, this.#watching(x, constants));
    };
    return new Custom(label, watched as unknown as F, {});
  }

  #watching(x: Tensors, constants: Constant[]): Tensors {
    let place = 0;
    const stopGradient = <X extends tf.Tensor>(value: X): X => {
      const kept = constants[place++];
      if (this.#holding && kept !== undefined) return doubleTensor(kept.values, kept.shape) as tf.Tensor as X;
      constants.push({ values: doublesOf(value), shape: value.shape });
      return x.stopGradient!(value);
    };
    return new Proxy(x, {
      get: (target, name) =>
        name === "stopGradient" ? stopGradient : (Reflect.get(target, name, target) as unknown),
    });
  }
}
