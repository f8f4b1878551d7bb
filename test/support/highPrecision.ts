/** Elementary functions in whole numbers of 2^-bits: slow, and right to far more digits than a double holds. */
export class HighPrecision {
  readonly one: bigint;
  readonly #bits: bigint;
  readonly #ln2: bigint;
  readonly #halfPi: bigint;

  constructor(bits: number) {
    this.#bits = BigInt(bits);
    this.one = 1n << this.#bits;
    this.#ln2 = this.#logOfFraction(2n, 1n);
    this.#halfPi = 8n * this.#smallAtan(this.one / 5n) - 2n * this.#smallAtan(this.one / 239n);
  }

  of(x: number): bigint {
    if (!Number.isFinite(x)) throw new RangeError(`Cannot make a fixed-point number of ${x}.`);
    let [y, shift] = [x, 0n];
    for (; !Number.isInteger(y); y *= 2) shift += 1n;
    return (BigInt(y) << this.#bits) >> shift;
  }

  times = (a: bigint, b: bigint): bigint => (a * b) >> this.#bits;
  over = (a: bigint, b: bigint): bigint => (a << this.#bits) / b;

  exp(x: bigint): bigint {
    const m = x / this.#ln2;
    const r = (x - m * this.#ln2) >> 8n;
    let [sum, term] = [this.one, this.one];
    for (let n = 1n; term !== 0n && term !== -1n; n++) sum += term = this.times(term, r) / n;
    for (let i = 0; i < 8; i++) sum = this.times(sum, sum);
    return m >= 0n ? sum << m : sum >> -m;
  }

  log(x: bigint): bigint {
    const m = BigInt(x.toString(2).length) - 1n - this.#bits;
    return m * this.#ln2 + this.#logOfFraction(x, m >= 0n ? this.one << m : this.one >> -m);
  }

  sin(x: bigint): bigint {
    const turns = (x + (x < 0n ? -this.#halfPi : this.#halfPi)) / (2n * this.#halfPi);
    const r = x - 2n * turns * this.#halfPi;
    let [sum, term] = [r, r];
    for (let n = 2n; term !== 0n && term !== -1n; n += 2n) {
      sum += term = -this.times(this.times(term, r), r) / (n * (n + 1n));
    }
    return turns % 2n === 0n ? sum : -sum;
  }

  cos = (x: bigint): bigint => this.sin(x + this.#halfPi);

  atan(x: bigint): bigint {
    let y = x;
    for (let i = 0; i < 8; i++) y = this.over(y, this.one + this.root(this.one + this.times(y, y)));
    return this.#smallAtan(y) << 8n;
  }

  root(x: bigint): bigint {
    const target = x << this.#bits;
    for (let root = target > this.one ? target : this.one; ;) {
      const next = (root + target / root) >> 1n;
      if (next >= root) return root;
      root = next;
    }
  }

  /** How many units in the last place of the true value a double is away. */
  error(got: number, truth: bigint): number {
    if (!Number.isFinite(got)) return Infinity;
    const size = truth < 0n ? -truth : truth;
    const exponent = size.toString(2).length - 1 - Number(this.#bits);
    const unit = BigInt(Math.max(exponent - 52, -1074)) + this.#bits;
    return Math.abs(Number(((this.of(got) - truth) << 20n) >> unit)) / 2 ** 20;
  }

  #smallAtan(x: bigint): bigint {
    let [sum, power] = [0n, x];
    for (let n = 1n; power !== 0n && power !== -1n; n += 2n) {
      sum += power / n;
      power = -this.times(this.times(power, x), x);
    }
    return sum;
  }

  #logOfFraction(p: bigint, q: bigint): bigint {
    const z = this.over(p - q, p + q);
    let [sum, power] = [0n, z];
    for (let n = 1n; power !== 0n && power !== -1n; n += 2n) {
      sum += power / n;
      power = this.times(this.times(power, z), z);
    }
    return 2n * sum;
  }
}
