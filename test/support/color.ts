type Triple = readonly [number, number, number];

/** Linear red, green and blue of #rrggbb, each in 0 to 1. */
function linear(color: string): Triple {
  const channel = (i: number): number => {
    const c = parseInt(color.slice(i, i + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

/** WCAG 2 contrast of two colors, 1 to 21. */
export function contrast(a: string, b: string): number {
  const luminance = (color: string): number => {
    const [red, green, blue] = linear(color);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** How linear colors look to people who lack one kind of cone: Machado, Oliveira, Fernandes 2009, severity 1. */
export const visions: Readonly<Record<string, readonly Triple[]>> = {
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** Distance in CIELAB (CIE 1976) of two colors as a kind of vision sees them; 2.3 is just noticeable. */
export function seenDifference(a: string, b: string, vision: readonly Triple[]): number {
  const [p, q] = [a, b].map((color) => {
    const rgb = linear(color);
    return lab(
      vision.map((row) => Math.min(1, Math.max(0, row[0] * rgb[0] + row[1] * rgb[1] + row[2] * rgb[2]))),
    );
  }) as [number[], number[]];
  return Math.hypot(...p.map((x, i) => x - q[i]!));
}

function lab([red, green, blue]: number[]): number[] {
  const f = (t: number): number => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const x = f((0.4124 * red! + 0.3576 * green! + 0.1805 * blue!) / 0.95047);
  const y = f(0.2126 * red! + 0.7152 * green! + 0.0722 * blue!);
  const z = f((0.0193 * red! + 0.1192 * green! + 0.9505 * blue!) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}
