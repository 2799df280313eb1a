/**
 * What the system whose tables are in use computes under a decode code, where that differs from its documents and so from ours
 * (its CDAB family is computed as BADC, and so on). `instead` is our code that computes the same; null where there is none.
 */
export interface OldDecode {
  readonly order: string;
  readonly instead: string | null;
}

const family = (order: string, codes: Readonly<Record<string, string | null>>): [string, OldDecode][] =>
  Object.entries(codes).map(([code, instead]) => [code, { order, instead }]);

const OLD: ReadonlyMap<string, OldDecode> = new Map([
  ...family('BADC', { '0x43': '0xD4', '0x44': '0xD5', '0x45': '0xD3' }),
  ...family('CDAB', { '0xD0': '0x43', '0xD1': '0x44', '0xD2': '0x45' }),
  ...family('DCBA', { '0xD3': '0xD2', '0xD4': '0xD0', '0xD5': '0xD1' }),
  ...family('GHEFCDAB', { '0xE0': null, '0xE1': null, '0xE2': null }),
  ...family('AB', { '0x22': '0x20', '0xB0': '0x20', '0xB1': '0x21' }),
]);

/** How old tables were computed under this code; undefined where nothing differs. */
export function oldDecode(code: string): OldDecode | undefined {
  return OLD.get(code);
}
