export const names: readonly string[];
export function complete(root: string): boolean;
export function install(
  root: string,
  more: readonly string[],
  progress: (note: string) => void,
): Promise<string>;
