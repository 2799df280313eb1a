import { describe, expect, it } from 'vitest';
import type { DriverConnection, PointReading } from '../../../drivers/spi/index.ts';
import { testPoint } from '../../../drivers/testing/points.ts';
import { exchangeContext } from '../../../drivers/testing/sinks.ts';
import { type PassLine, passOver, SilentSlaves } from './table-pass.ts';

const POINTS = [1, 2, 3].map((id) => testPoint({ id }));

/** A connection that plans a request a point, in steps, and answers every one; `reads` are its name and the points it was asked for. */
function connection(name: string, reads: string[]): DriverConnection {
  const plan = () => ({
    batches: POINTS.map(({ id }) => ({ slaveId: null, pointIds: [id] })),
    excluded: [],
    predictedMs: null,
  });
  return {
    plan,
    *planSteps() {
      yield;
      return plan();
    },
    read: async ({ pointIds }: { readonly pointIds: readonly number[] }) => {
      reads.push(`${name} ${pointIds.join()}`);
      return { readings: pointIds.map((pointId) => ({ kind: 'value', pointId }) as PointReading), next: [] };
    },
  } as unknown as DriverConnection;
}

describe('a pass whose connection is another one by now', () => {
  /** The pass, with another connection from here on. */
  async function passed(changesAt: 'planning' | 'second request') {
    const reads: string[] = [];
    const [first, other] = [connection('first', reads), connection('other', reads)];
    let standing = first;
    const line: PassLine = {
      ask: (exchange) => exchange(standing, exchangeContext()),
      breathe: async () => {
        if (changesAt === 'planning') standing = other;
      },
      signal: new AbortController().signal,
      isHalved: false,
    };
    let begun = 0;
    const sink = {
      begin: () => {
        begun += 1;
        if (changesAt === 'second request' && begun === 2) standing = other;
      },
      asking: () => undefined,
      take: () => undefined,
    };
    const end = await passOver(POINTS, line, new SilentSlaves(), sink).then(
      () => 'done',
      (error: { code: string }) => error.code,
    );
    return { reads, end };
  }

  it('ends: what one connection planned is not asked for on another, whose device may be another', async () => {
    expect(await passed('planning')).toEqual({ reads: [], end: 'TRANSPORT_LOST' });
    expect(await passed('second request')).toEqual({ reads: ['first 1'], end: 'TRANSPORT_LOST' });
  });
});
