import type { LineFaultSettings, Simulation } from '#shared/contract/simulation.ts';

/** Faults that are a number, in the order they are offered, with what counts them. */
export const NUMBER_FAULTS = [
  { name: 'delay_ms', made: null, most: 60_000 },
  { name: 'jitter_ms', made: null, most: 60_000 },
  { name: 'silent_percent', made: 'silent', most: 100 },
  { name: 'half_percent', made: 'half', most: 100 },
  { name: 'wrong_check_percent', made: 'wrong_check', most: 100 },
  { name: 'no_end_percent', made: 'no_end', most: 100 },
  { name: 'hang_up_percent', made: 'hang_up', most: 100 },
] as const satisfies readonly {
  readonly name: keyof LineFaultSettings;
  readonly made: keyof Simulation['made'] | null;
  readonly most: number;
}[];

export type NumberFault = (typeof NUMBER_FAULTS)[number]['name'];

/** A line without faults. */
export const NO_LINE_FAULTS: LineFaultSettings = {
  delay_ms: 0,
  jitter_ms: 0,
  silent_percent: 0,
  half_percent: 0,
  wrong_check_percent: 0,
  no_end_percent: 0,
  hang_up_percent: 0,
  refuse_connections: false,
  exceptions: [],
};

/** Exceptions as a person writes them: `100-105: 2, 200: 6`. */
export function exceptionsText(exceptions: LineFaultSettings['exceptions']): string {
  return exceptions.map(({ from, to, code }) => `${from === to ? from : `${from}-${to}`}: ${code}`).join(', ');
}

/** What was written, as a list; null for what is none. */
export function parseExceptions(text: string): LineFaultSettings['exceptions'] | null {
  const parts = text
    .split(/[,;，；]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const read = parts.map((part) => {
    const [, from, to, code] = /^(\d{1,5})(?:\s*[-–]\s*(\d{1,5}))?\s*[:：]\s*(\d{1,3})$/.exec(part) ?? [];
    if (from === undefined || code === undefined) return null;
    return { from: Number(from), to: Number(to ?? from), code: Number(code) };
  });
  return read.every((each) => each !== null && each.from <= each.to && each.to <= 65_535 && each.code >= 1 && each.code <= 255)
    ? read.filter((each) => each !== null)
    : null;
}
