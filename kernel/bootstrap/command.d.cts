export interface CommandResult {
  code: number;
  signal: NodeJS.Signals | null;
  output: string;
  timedOut: boolean;
}
export interface CommandOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  shell?: boolean;
  timeoutMs?: number;
  /** Hears each line of output; `stop` ends the command at once. */
  onLine?(line: string, stop: () => void): void;
}
export function run(file: string, args: string[], options?: CommandOptions): Promise<CommandResult>;
export function tail(output: string, count?: number): string;
