/** An array of zeros, which reuses the spent one if its length fits and so spares the garbage collector a block per step. */
export function zeros(length: number, spent?: Float64Array): Float64Array {
  return spent?.length === length ? spent.fill(0) : new Float64Array(length);
}
