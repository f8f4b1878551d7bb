/** Writes every view as a page below `out`; gives each one's size in bytes. */
export function writeViews(root: string, out: string): Promise<Record<string, number>>;
/** Every page without a cell, by its address. */
export const views: Readonly<Record<string, { readonly title: string; readonly text: string }>>;
