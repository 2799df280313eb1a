import { expectRange } from './checks.ts';

/** Bits of QDS that the standard defines: OV, BL, SB, NT, IV (IEC 60870-5-101, 7.2.6.3). */
export const QDS_FLAGS = 0xf1;

/** Writes a quality descriptor at `at`, without its reserved bits. */
export function putQds(quality: number, octets: Uint8Array, at: number): void {
  expectRange('quality octet', quality, 0, 0xff);
  octets[at] = quality & QDS_FLAGS;
}

/** Quality descriptor at `at`, without its reserved bits. */
export function qds(octets: Uint8Array, at: number): number {
  return (octets[at] ?? 0) & QDS_FLAGS;
}
