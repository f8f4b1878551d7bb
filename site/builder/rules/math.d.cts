/** The parts of an equation, divided by the commas of its top level. */
export function partsOf(equation: string): string[];
