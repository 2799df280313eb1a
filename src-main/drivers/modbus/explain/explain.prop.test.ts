import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ExplainContext } from '../../spi/index.ts';
import { inEnglish, type SpokenNode } from '../../testing/explained.ts';
import { clientSettings } from '../../testing/settings.ts';
import { encodeMbap } from '../link/mbap.ts';
import { malformedVectors, pduVectors } from '../vectors/load.ts';
import { explainMbap as explainFrame } from './explain.ts';

const explainMbap = (...given: Parameters<typeof explainFrame>) => inEnglish(explainFrame(...given));

/** Marks the octets that some leaf explains; checks that children lie inside their parent. */
function mark(nodes: readonly SpokenNode[], from: number, to: number, covered: boolean[]): void {
  for (const node of nodes) {
    expect(node.start).toBeGreaterThanOrEqual(from);
    expect(node.end).toBeLessThanOrEqual(to);
    expect(node.end).toBeGreaterThanOrEqual(node.start);
    if (node.children.length > 0) mark(node.children, node.start, node.end, covered);
    else covered.fill(true, node.start, node.end);
  }
}

const pdus = [
  ...pduVectors.flatMap((vector) => [vector.request?.bytes, vector.response?.bytes].filter((bytes) => bytes !== undefined)),
  ...malformedVectors.map((vector) => vector.bytes),
];
const mutated = fc
  .record({
    pdu: fc.constantFrom(...pdus),
    changes: fc.array(fc.tuple(fc.nat(40), fc.nat(255)), { maxLength: 4 }),
    cut: fc.nat(300),
  })
  .map(({ pdu, changes, cut }) => {
    const bytes = Uint8Array.from(encodeMbap(1, 1, pdu));
    for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
    return bytes.subarray(0, Math.min(cut, bytes.length));
  });
const octets = fc.oneof(mutated, fc.uint8Array({ maxLength: 300 }));

const context: fc.Arbitrary<ExplainContext> = fc.record({
  kind: fc.constantFrom('tx' as const, 'rx' as const, 'noise' as const, 'late' as const, 'note' as const),
  isRequest: fc.boolean(),
  request: fc.option(octets),
  settings: fc.nat(65_535).map((addressBase) => clientSettings({ addressBase })),
});

describe('explanation of any octets', () => {
  it('never throws, and its nodes cover every octet', () => {
    fc.assert(
      fc.property(octets, context, (bytes, given) => {
        const covered = Array.from(bytes, () => false);
        mark(explainMbap(bytes, given).nodes, 0, bytes.length, covered);
        expect(covered.every(Boolean)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
