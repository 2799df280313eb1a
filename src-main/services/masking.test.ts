import { describe, expect, it } from 'vitest';
import type { ExplainedNode } from '../drivers/spi/index.ts';
import { maskedHex, maskedNodes } from './masking.ts';

const frame = Uint8Array.of(0x68, 0x01, 0x12, 0x34, 0x56, 0x16);
const password = [{ start: 2, end: 5 }];

function node(name: string, start: number, end: number, children: readonly ExplainedNode[] = []): ExplainedNode {
  return { name, value: `value of ${name}`, start, end, severity: 'info', children };
}

describe('secrets of a frame', () => {
  it('stand as ** among the octets', () => {
    expect(maskedHex(frame, password)).toBe('68 01 ** ** ** 16');
    expect(maskedHex(frame, [])).toBe('68 01 12 34 56 16');
  });

  it('are hidden as well where a frame was kept in part, or a range goes beyond it', () => {
    expect(maskedHex(frame.subarray(0, 4), password)).toBe('68 01 ** **');
    expect(maskedHex(frame, [{ start: -3, end: 2 }])).toBe('** ** 12 34 56 16');
  });

  it('are hidden in the explanation, with all that lies inside them; what holds them keeps its value', () => {
    const tree = [node('frame', 0, 6, [node('control', 1, 2), node('password', 2, 5, [node('level', 2, 3), node('digits', 3, 5)])])];
    const [masked] = maskedNodes({ nodes: tree, secrets: password });
    expect(masked).toMatchObject({
      value: 'value of frame',
      children: [
        { value: 'value of control' },
        { name: 'password', value: '**', children: [{ name: 'level', value: '**' }, { value: '**' }] },
      ],
    });
  });

  it('are hidden each where there are two, and not what lies beside them', () => {
    const secrets = [
      { start: 1, end: 2 },
      { start: 4, end: 5 },
    ];
    const fields = ['before', 'operator', 'between', 'password', 'behind'].map((name, at) =>
      node(name, ...(([0, 1, 2, 4, 5, 6] as const).slice(at, at + 2) as [number, number])),
    );
    const holder = node('both', 0, 6, [node('first', 1, 2, [node('digit', 1, 2)])]);
    const shown = maskedNodes({ nodes: [...fields, holder], secrets }).map(({ value }) => value);
    expect(shown).toEqual(['value of before', '**', 'value of between', '**', 'value of behind', 'value of both']);
    expect(maskedNodes({ nodes: [holder], secrets })[0]?.children[0]).toMatchObject({ value: '**', children: [{ value: '**' }] });
    expect(maskedHex(frame, secrets)).toBe('68 ** 12 34 ** 16');
  });

  it('are hidden in a field that reaches into them', () => {
    expect(maskedNodes({ nodes: [node('field', 1, 3)], secrets: password })[0]?.value).toBe('**');
  });
});
