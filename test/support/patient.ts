/** A limit in milliseconds: in CI four times as long, as test/support/patience.cjs has it for tests and hooks. */
export function patient(ms: number): number {
  return process.env.CI ? 4 * ms : ms;
}
