/** The facts of a rule that the map filters by, as its line in the table carries them. */
export interface Facts {
  /** Title, name, papers and source, group and year, in lower case. */
  readonly words: string;
  readonly group: string;
  readonly year: string;
  /** The choices, such as "gate clip". */
  readonly choices: readonly string[];
}

/** Menus and words of a reader's search; "any" filters nothing. */
export interface Wanted {
  readonly words: string;
  readonly group: string;
  readonly year: string;
  readonly choice: string;
}

const any = "any";

/** Whether a rule has all that is wanted: each word somewhere in its title, name, sources, group or year. */
export function matches(facts: Facts, { words, group, year, choice }: Wanted): boolean {
  return (
    (group === any || facts.group === group) &&
    (year === any || facts.year === year) &&
    (choice === any || facts.choices.includes(choice)) &&
    words
      .toLowerCase()
      .split(/\s+/)
      .every((word) => facts.words.includes(word))
  );
}
