/** The pages that show in a cell as well. */
export const viewNames = ["film", "play", "unlearn", "rules", "board", "forecast"] as const;

export type ViewName = (typeof viewNames)[number];
