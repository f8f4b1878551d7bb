export class Complaint extends Error {
  readonly advice: string;
  constructor(message: string, advice?: string);
}
export function step<T>(
  title: string,
  work: (progress: (note: string) => void) => Promise<T> | T,
  out?: NodeJS.WritableStream,
): Promise<T>;
export function report(error: unknown, out?: NodeJS.WritableStream): void;
