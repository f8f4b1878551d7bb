/** The part of Node's `path` that this library uses. */
export interface Paths {
  readonly sep: string;
  join(...parts: string[]): string;
  resolve(...parts: string[]): string;
  relative(from: string, to: string): string;
  dirname(path: string): string;
  basename(path: string, ending?: string): string;
  isAbsolute(path: string): boolean;
}
