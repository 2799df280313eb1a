import { describe, expect, it } from 'vitest';
import type { ExplainNode } from '#shared/contract/frames.ts';
import { ANY_METER, encodeAddress } from './codec/address.ts';
import { encodeFrame } from './codec/frame.ts';
import { explainDlt645 } from './explain.ts';
import { testSettings } from './testing/bench.ts';
import { allVectors, octets } from './vectors/load.ts';

const context = { kind: 'rx', isRequest: false, request: null, settings: testSettings } as const;
const explain = (bytes: Uint8Array) => explainDlt645(bytes, context);

const summaryOf = (name: string, side: 'request_hex' | 'response_hex') => {
  const vector = allVectors.find((each) => each.name === name);
  return explain(octets(vector?.[side] ?? '')).summary;
};

function texts(nodes: readonly ExplainNode[]): string[] {
  return nodes.flatMap((node) => [`${node.name}: ${node.value}`, ...texts(node.children)]);
}

describe('frames in words', () => {
  it('name the meter, the item in both languages, its value and unit', () => {
    expect(summaryOf('cap_var_02060100', 'request_hex')).toBe('meter 000012345678, read: 02060100 Power factor phase A');
    expect(summaryOf('cap_demand_01010000', 'response_hex')).toBe(
      'meter 000012345678, read: 01010000 Forward active maximum demand total with time, current = 12.3456 2026-02-28 14:45 kW',
    );
    expect(summaryOf('tp_kts_97_constant', 'response_hex')).toMatch(/^meter 201708176934, read \(1997\): C030 .* = 1600 imp\/kWh$/);
    const vector = allVectors.find((each) => each.name === 'cap_var_02060100');
    expect(texts(explain(octets(vector?.response_hex ?? '')).nodes).join('\n')).toMatch(
      /identifier: 02060100 \(A相功率因数 \/ Power factor phase A, X\.XXX\)/,
    );
  });

  it('say errors, wildcards and absent phases', () => {
    expect(summaryOf('cap_error_no_data_02019900', 'response_hex')).toMatch(/error word 02 \(no requested data\)$/);
    expect(summaryOf('std_phase_absent', 'response_hex')).toMatch(/= 225\.6, no value, no value V$/);
    expect(summaryOf('mst_non_bcd', 'response_hex')).toMatch(/is no pair of decimal digits/);
    const any = explain(encodeFrame({ address: encodeAddress(ANY_METER), control: 0x13, data: new Uint8Array(0) }));
    expect(texts(any.nodes)).toContain('address: AAAAAAAAAAAA (AA means any digits)');
  });
});

describe('passwords and operator codes', () => {
  const secretTexts = (name: string, side: 'request_hex' | 'response_hex' = 'request_hex') => {
    const bytes = octets(allVectors.find((each) => each.name === name)?.[side] ?? '');
    return explain(bytes).secrets.map(({ start, end }) => end - start);
  };

  it.each([
    ['std_write_time', [3, 4]],
    ['std_control_trip', [3, 4]],
    ['std_clear_demand', [3, 4]],
    ['std_clear_meter', [3, 4]],
    ['std_clear_events_all', [3, 4]],
    ['std_change_password_level4', [3, 3]],
    ['std97_write_time', [3]],
  ])('%s hides them', (name, lengths) => {
    expect(secretTexts(name)).toEqual(lengths);
  });

  it('are hidden in the answer that repeats a new password', () => {
    expect(secretTexts('std_change_password_level4', 'response_hex')).toEqual([3]);
  });

  it('are hidden where the frame is broken', () => {
    const bytes = octets(allVectors.find((each) => each.name === 'std_write_time')?.request_hex ?? '');
    bytes[bytes.length - 2] = 0;
    const { secrets } = explain(bytes);
    expect(secrets).toEqual([{ start: bytes.indexOf(0x14) + 2, end: bytes.length }]);
  });

  it('never stand in the texts of a write', () => {
    for (const vector of allVectors) {
      if (vector.category !== 'write' && vector.category !== 'command') continue;
      for (const text of texts(explain(octets(vector.request_hex ?? '')).nodes)) {
        if (/^(?:password|operator code|new password): /.test(text)) expect(text).toMatch(/\(hidden\)$/);
      }
    }
  });
});

describe('whatever comes', () => {
  it('is covered by nodes without a gap', () => {
    for (const { request_hex, response_hex } of allVectors) {
      for (const hex of [request_hex, response_hex]) {
        const bytes = octets(hex ?? '');
        const { nodes } = explain(bytes);
        let at = 0;
        for (const node of nodes) {
          expect(node.start).toBe(at);
          at = node.end;
        }
        expect(at).toBe(bytes.length);
      }
    }
  });

  it('is said to be no frame, and why', () => {
    expect(explain(octets('68 11 22')).summary).toMatch(/unfinished/);
    expect(explain(octets('00 FF')).summary).toMatch(/no second 68|no frame/);
  });
});
