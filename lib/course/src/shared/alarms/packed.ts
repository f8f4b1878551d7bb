/** Levels as text, equal ones as their number: "0x12 3 0x40". */
export function packed(level_u: readonly number[]): string {
  const pieces: { level: number; count: number }[] = [];
  for (const level of level_u) {
    const last = pieces.at(-1);
    if (last?.level === level) last.count += 1;
    else pieces.push({ level, count: 1 });
  }
  return pieces.map(({ level, count }) => (count === 1 ? `${level}` : `${level}x${count}`)).join(" ");
}

/** The levels of such a text. */
export function unpacked(text: string): number[] {
  return text
    .split(" ")
    .filter((piece) => piece !== "")
    .flatMap((piece) => {
      const [level, count = "1"] = piece.split("x");
      return Array<number>(Number(count)).fill(Number(level));
    });
}
