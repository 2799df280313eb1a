import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inEnglish, type SpokenNode } from '../../testing/explained.ts';
import { encodeAsdu } from '../codec/asdu.ts';
import { encodeI } from '../link/apci.ts';
import { anyAsdu, SIZES } from '../testing/arbitraries.ts';
import { readVectors } from '../testing/captures.ts';
import { explainApdu as explainFrame } from './explain.ts';

const explainApdu = (...given: Parameters<typeof explainFrame>) => inEnglish(explainFrame(...given));

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

function expectCovered(bytes: Uint8Array, nodes: readonly SpokenNode[]): void {
  const covered = Array.from(bytes, () => false);
  mark(nodes, 0, bytes.length, covered);
  expect(covered.every(Boolean)).toBe(true);
}

function errors(nodes: readonly SpokenNode[]): string[] {
  return nodes.flatMap((node) => [...(node.severity === 'error' ? [`${node.name}: ${node.value}`] : []), ...errors(node.children)]);
}

const golden = readVectors().map((vector) => vector.bytes);
const mutated = fc
  .record({ base: fc.constantFrom(...golden), changes: fc.array(fc.tuple(fc.nat(60), fc.nat(255)), { maxLength: 4 }), cut: fc.nat(300) })
  .map(({ base, changes, cut }) => {
    const bytes = Uint8Array.from(base.subarray(0, cut));
    for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
    return bytes;
  });
const context = fc.record({ kind: fc.constantFrom('tx' as const, 'rx' as const, 'noise' as const, 'late' as const, 'note' as const) });

describe('explanation of any octets', () => {
  it('never throws, and its nodes cover every octet', () => {
    fc.assert(
      fc.property(fc.oneof(mutated, fc.uint8Array({ maxLength: 300 })), context, fc.constantFrom(...SIZES), (bytes, given, sizes) => {
        expectCovered(bytes, explainApdu(bytes, given, sizes).nodes);
      }),
      { numRuns: 300 },
    );
  });

  it('finds no error in what the codec encodes', () => {
    fc.assert(
      fc.property(anyAsdu, ({ asdu, sizes }) => {
        const bytes = encodeI(1, 2, encodeAsdu(asdu, sizes));
        const { nodes, summary } = explainApdu(bytes, { kind: 'rx' }, sizes);
        expectCovered(bytes, nodes);
        expect(errors(nodes)).toEqual([]);
        expect(summary).not.toContain('malformed');
      }),
      { numRuns: 300 },
    );
  });
});
