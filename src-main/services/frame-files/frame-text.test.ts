import { describe, expect, it } from 'vitest';
import type { FrameEntry } from '#shared/contract/frames.ts';
import { csvLines, plainLines } from './frame-text.ts';

const ENTRY: FrameEntry = {
  seq: 7,
  at: '2026-01-01T00:00:00.123Z',
  monotonic_ms: 1,
  kind: 'rx',
  hex: '01 ** 03',
  length: 3,
  link: 6,
  connection: 2,
  peer: 'a → b',
  text: 'Read, 2 values',
  text_message: null,
};

describe('a line of CSV', () => {
  const { line, gap } = csvLines('en');

  it('has every column, quoted where a comma asks for it', () => {
    expect(line(ENTRY)).toBe('7,2026-01-01T00:00:00.123Z,RX,3,01 ** 03,"Read, 2 values",6,,,2,a → b\r\n');
  });

  it('has the answer to a request, and the time between to the microsecond', () => {
    expect(line({ ...ENTRY, link: null, answer: 9, latency_ms: 12.34567 })).toContain('values",,9,12.346,2,');
  });

  it.each(['=HYPERLINK("x")', '+1', '-1', '@SUM(1)', '\t=1', '＝1'])('gives a spreadsheet nothing to compute: %s', (text) => {
    const cell = line({ ...ENTRY, text })
      .split(',')
      .slice(5)
      .join(',');
    expect(cell).toMatch(/^"?'/);
  });

  it('tells what is missing in the column of explanations', () => {
    expect(gap(3)).toBe(',,,,,3 entries left the bounded log before they were written.,,,,,\r\n');
  });
});

describe('a line of text', () => {
  const { line, head, gap } = plainLines('en');

  it('is one line, whatever a device calls itself', () => {
    expect(line({ ...ENTRY, text: 'a\r\nb\u001b[2J\u2028c' })).toBe(
      '2026-01-01T00:00:00.123Z  RX          3  01 ** 03  a b [2J c  [a → b]\r\n',
    );
    expect(head('x\ny', { first: 3, last: 9, dropped: 2 })).toBe(
      '\uFEFF# Channel: x y\r\n# Entries 3 to 9; 2 older ones left the bounded log before. Times are UTC.\r\n',
    );
    expect(gap(1)).toBe('# 1 entries left the bounded log before they were written.\r\n');
  });

  it('of an event says once where it happened', () => {
    const opened = { ...ENTRY, kind: 'opened', hex: '', length: 0, text: 'a → b' } as const;
    expect(line(opened)).toBe('2026-01-01T00:00:00.123Z  OPENED  a → b\r\n');
    expect(line({ ...opened, text: 'closed by the peer' })).toBe('2026-01-01T00:00:00.123Z  OPENED  closed by the peer  [a → b]\r\n');
  });
});
