import { z } from 'zod';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { isTimeZone, LOCAL_ZONE } from '../ui/time-zone.ts';

/** Height of a row in pixels; `global.css` has the same by the word. */
export const ROW_PIXELS = { dense: 24, compact: 26, normal: 28, wide: 34 } as const;
export type Density = keyof typeof ROW_PIXELS;
export const DENSITIES = ['dense', 'compact', 'normal', 'wide'] as const satisfies readonly Density[];
export const ADDRESS_NOTATIONS = ['decimal', 'hexadecimal', 'reference'] as const;
export type AddressNotation = (typeof ADDRESS_NOTATIONS)[number];
export const DECIMAL_SIGNS = ['point', 'comma'] as const;
/** Most decimals that somebody may ask for. */
export const MOST_DECIMALS = 6;

/** What belongs to the person in front of the screen; kept in this browser. What is not valid there has its default. */
const Preferences = z.object({
  density: z.enum(DENSITIES).catch('dense'),
  addresses: z.enum(ADDRESS_NOTATIONS).catch('decimal'),
  timeZone: z.string().refine(isTimeZone).catch(LOCAL_ZONE),
  /** Decimals at most; null: as many as the point can resolve. */
  decimals: z.int().min(0).max(MOST_DECIMALS).nullable().catch(null),
  decimalSign: z.enum(DECIMAL_SIGNS).catch('point'),
  isGrouped: z.boolean().catch(false),
  /** Keys of commands by their id, where they are not the usual ones; an empty text is none. */
  keys: z.record(z.string(), z.string()).catch({}),
});
export type Preferences = Readonly<z.infer<typeof Preferences>>;

export const DEFAULT_PREFERENCES: Preferences = Preferences.parse({});

export const usePreferences = create<Preferences>()(
  persist(() => DEFAULT_PREFERENCES, {
    name: 'loopcheck.preferences',
    version: 1,
    merge: (stored) => {
      const read = Preferences.safeParse(stored ?? {});
      return read.success ? read.data : DEFAULT_PREFERENCES;
    },
  }),
);

/** Changes what somebody prefers, at once and on every screen. */
export function prefer(change: Partial<Preferences>): void {
  usePreferences.setState(change);
}

/** What decides how times, numbers and addresses are written: what is drawn with another one is drawn anew. */
export function writingOf({ addresses, timeZone, decimals, decimalSign, isGrouped }: Preferences): string {
  return JSON.stringify([addresses, timeZone, decimals, decimalSign, isGrouped]);
}

/** Height of the rows of a table now, in pixels. */
export function useRowPixels(): number {
  return usePreferences(({ density }) => ROW_PIXELS[density]);
}
