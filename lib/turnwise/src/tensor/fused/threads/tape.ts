import type { Operations, Part } from "../kernels";

type Operation = (...args: number[]) => void;

/** Records calls of operations as numbers, to be made later: [operation, count, ...arguments], call after call. */
export class Tape {
  /** Count of numbers on it. */
  #end = 0;
  readonly #recorder: Operations;

  constructor(
    public numbers: Float64Array,
    names: readonly string[],
  ) {
    const record = (index: number): Operation => {
      return (...args) => {
        const at = this.#end;
        this.#end = at + 2 + args.length;
        // What does not fit is dropped; `record` notices.
        this.numbers[at] = index;
        this.numbers[at + 1] = args.length;
        for (let i = 0; i < args.length; i++) this.numbers[at + 2 + i] = args[i]!;
      };
    };
    this.#recorder = Object.fromEntries(
      names.map((name, index) => [name, record(index)]),
    ) as unknown as Operations;
  }

  clear(): void {
    this.#end = 0;
  }

  /** Moves what is recorded to a tape of twice the length. */
  grow(): void {
    const more = new Float64Array(2 * this.numbers.length);
    more.set(this.numbers);
    this.numbers = more;
  }

  /** Begin and end of the calls of a part, or undefined if there is no room for them. */
  record(part: Part, index: number): readonly [begin: number, end: number] | undefined {
    const begin = this.#end;
    part(this.#recorder, index);
    if (this.#end <= this.numbers.length) return [begin, this.#end];
    this.#end = begin;
    return undefined;
  }
}

/** Makes the calls from `begin` to `end`. */
export function play(
  numbers: Float64Array,
  begin: number,
  end: number,
  operations: readonly Operation[],
): void {
  for (let at = begin; at < end; at += 2 + numbers[at + 1]!) {
    const from = at + 2;
    operations[numbers[at]!]!(...numbers.subarray(from, from + numbers[at + 1]!));
  }
}
