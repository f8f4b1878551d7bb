/** A check of the loss mask: how many of how many it concerns, or why it cannot be made. */
export type MaskCheck =
  | {
      readonly checked: number;
      readonly found: number;
      /** Id of the first trajectory in which it was found. */
      readonly example: string | undefined;
      /** Place in it, or distance. */
      readonly where?: string;
    }
  | { readonly why: string };
