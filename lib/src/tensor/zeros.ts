/** An array of zeros: the spent one, if it has the length, which spares the collector a block per step. */
export function zeros(length: number, spent?: Float64Array): Float64Array {
  return spent?.length === length ? spent.fill(0) : new Float64Array(length);
}
