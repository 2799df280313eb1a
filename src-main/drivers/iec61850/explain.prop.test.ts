import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inEnglish, type SpokenNode } from '../testing/explained.ts';
import { explainTpkt as explainFrame } from './explain.ts';
import { readCaptures } from './testing/captures.ts';

const explainTpkt = (...given: Parameters<typeof explainFrame>) => inEnglish(explainFrame(...given));

/** Marks the octets that a node explains; checks that children lie inside their parent, in order. */
function mark(nodes: readonly SpokenNode[], from: number, to: number, covered: boolean[]): void {
  for (const node of nodes) {
    expect(node.start).toBeGreaterThanOrEqual(from);
    expect(node.end).toBeLessThanOrEqual(to);
    expect(node.end).toBeGreaterThanOrEqual(node.start);
    covered.fill(true, node.start, node.end);
    mark(node.children, node.start, node.end, covered);
  }
}

const golden = readCaptures().flatMap((capture) =>
  capture.events.filter((event) => event.kind === 'tpkt' && event.bytes.length < 1500).map((event) => event.bytes),
);
const mutated = fc
  .record({
    base: fc.constantFrom(...golden),
    changes: fc.array(fc.tuple(fc.nat(120), fc.nat(255)), { maxLength: 4 }),
    cut: fc.oneof(fc.constant(65_536), fc.nat(300)),
  })
  .map(({ base, changes, cut }) => {
    const bytes = Uint8Array.from(base.subarray(0, cut));
    for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
    return bytes;
  });
const context = fc.record({
  kind: fc.constantFrom('tx' as const, 'rx' as const, 'noise' as const, 'late' as const, 'note' as const),
  request: fc.oneof(fc.constant(null), mutated),
});

describe('explanation of any octets', () => {
  it('never throws, and its nodes cover every octet', () => {
    fc.assert(
      fc.property(fc.oneof(mutated, fc.uint8Array({ maxLength: 300 })), context, (bytes, given) => {
        const { nodes, secrets } = explainTpkt(bytes, given);
        const covered = Array.from(bytes, () => false);
        mark(nodes, 0, bytes.length, covered);
        expect(covered.every(Boolean)).toBe(true);
        for (const { start, end } of secrets) expect(start >= 0 && start <= end && end <= bytes.length).toBe(true);
      }),
      { numRuns: 400 },
    );
  });
});
