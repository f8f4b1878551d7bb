/** Writes every view as a page below `out`; gives each one's size in bytes. */
export function writeViews(root: string, out: string): Promise<Record<string, number>>;
