/** Colours with at least 3 : 1 beside the panel they lie on (WCAG 1.4.11). */
const COLORS = {
  light: ['#175b81', '#b33638', '#126540', '#7a4800', '#6b3fa0', '#0e6f7d', '#9d174d', '#4e565d'],
  dark: ['#78b6de', '#fa8882', '#78c097', '#d7a268', '#b79be0', '#5cc9d6', '#f08bb8', '#b8c0c8'],
} as const;
const DASHES: readonly (readonly number[])[] = [[], [8, 4], [2, 3], [10, 3, 2, 3]];

/** How a curve is drawn. */
export interface CurveLook {
  readonly color: string;
  readonly dash: number[];
}

/** Each curve has a dash of its own beside its colour, and a number beside its name: colour is never alone. */
export function lookOf(index: number, scheme: 'light' | 'dark'): CurveLook {
  const colors = COLORS[scheme];
  const color = colors[index % colors.length] ?? colors[0];
  return { color, dash: [...(DASHES[(index + Math.floor(index / colors.length)) % DASHES.length] ?? [])] };
}
