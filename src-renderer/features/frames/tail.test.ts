import { describe, expect, it } from 'vitest';
import type { FrameEntry } from '#shared/contract/frames.ts';
import type { Message } from '#shared/messages/message.ts';
import { EMPTY_TAIL, extendBack, extendTail, FRAME_FILTERS, filterRows, kept, MAX_ROWS } from './tail.ts';

function entry(seq: number, change: Partial<FrameEntry> = {}): FrameEntry {
  return {
    seq,
    at: '2026-03-01T08:00:00.000Z',
    monotonic_ms: seq,
    kind: 'tx',
    hex: '00 01 00 00',
    length: 4,
    link: null,
    connection: 1,
    peer: '127.0.0.1:502',
    text: `frame ${seq}`,
    text_message: null,
    ...change,
  };
}

function page(seqs: readonly number[], lastSeq = seqs.at(-1) ?? 0) {
  return { items: seqs.map((seq) => entry(seq)), first_seq: seqs[0] ?? 0, last_seq: lastSeq, looked_to: lastSeq, dropped: 0 };
}

/** Words of a page in another language. */
const foreign = (message: Message | null, text: string) => (message ? `fremd ${message.code}` : text);
const english = (_: Message | null, text: string) => text;

const seqs = (rows: readonly { seq: number; kind: string }[]) => rows.map((row) => (row.kind === 'gap' ? `gap ${row.seq}` : row.seq));

describe('tail of the frame log', () => {
  it('adds what is new and ignores what it has', () => {
    const first = extendTail(EMPTY_TAIL, page([5, 6]));
    const second = extendTail(first, page([6, 7]));
    expect(seqs(second.rows)).toEqual([5, 6, 7]);
    expect(extendTail(second, page([], 7))).toBe(second);
  });

  it('tells how many entries are missing where the log dropped them', () => {
    const tail = extendTail(extendTail(EMPTY_TAIL, page([1, 2])), page([6, 7]));
    expect(seqs(tail.rows)).toEqual([1, 2, 'gap 3', 6, 7]);
    expect(tail.rows[2]).toEqual({ kind: 'gap', seq: 3, missing: 3 });
  });

  it('does not call missing what a filter left out', () => {
    const tail = extendTail(extendTail(EMPTY_TAIL, page([1, 2]), 10, true), page([6, 7]), 10, true);
    expect(seqs(tail.rows)).toEqual([1, 2, 6, 7]);
  });

  it('does not call the start of the log a gap', () => {
    expect(seqs(extendTail(EMPTY_TAIL, page([900, 901])).rows)).toEqual([900, 901]);
  });

  it('goes back in front of its first row, as far as the service keeps entries', () => {
    const begun = extendTail(EMPTY_TAIL, { ...page([7, 8]), first_seq: 3 });
    expect(begun.hasOlder).toBe(true);
    const back = extendBack(begun, { ...page([5, 6]), first_seq: 3 });
    expect(seqs(back.rows)).toEqual([5, 6, 7, 8]);
    expect(back.hasOlder).toBe(true);
    const whole = extendBack(back, { ...page([3, 4]), first_seq: 3 });
    expect([seqs(whole.rows), whole.hasOlder]).toEqual([[3, 4, 5, 6, 7, 8], false]);
    expect(extendBack(whole, { ...page([]), first_seq: 3 }).hasOlder).toBe(false);
  });

  it('takes no row twice where an answer reaches into what it has', () => {
    const tail = extendBack(extendTail(EMPTY_TAIL, page([7, 8])), page([5, 6, 7, 8]));
    expect(seqs(tail.rows)).toEqual([5, 6, 7, 8]);
  });

  it('lets older rows go again, which the service still has', () => {
    const tail = kept(extendBack(extendTail(EMPTY_TAIL, page([7, 8])), page([5, 6])), 2);
    expect(tail).toMatchObject({ forgotten: 2, hasOlder: true });
    expect(seqs(tail.rows)).toEqual([7, 8]);
    expect(extendBack(tail, page([5, 6])).forgotten).toBe(0);
  });

  it('knows by a full answer that a filter has not reached the beginning', () => {
    const full = Array.from({ length: MAX_ROWS }, (_, at) => 10 + 2 * at);
    const tail = extendTail(EMPTY_TAIL, { ...page(full), first_seq: 1 }, MAX_ROWS, true);
    expect(tail.hasOlder).toBe(true);
    expect(extendBack(tail, { ...page([4, 6]), first_seq: 1 }, true).hasOlder).toBe(false);
  });

  it('starts anew when the log did', () => {
    const tail = extendTail(extendTail(EMPTY_TAIL, page([500, 501])), page([1, 2]));
    expect(seqs(tail.rows)).toEqual([1, 2]);
  });

  it('keeps the newest rows within its bound and says how many left', () => {
    const tail = extendTail(EMPTY_TAIL, page(Array.from({ length: 25 }, (_, index) => index + 1)), 10);
    expect(tail.rows).toHaveLength(10);
    expect(tail.rows[0]?.seq).toBe(16);
    expect(tail.forgotten).toBe(15);
  });

  it('filters by kind, by explanation and by octets with or without spaces, and leaves gaps in sight', () => {
    const rows = [
      entry(1, { kind: 'tx', hex: 'AB CD 01', text: 'read holding registers' }),
      { kind: 'gap' as const, seq: 2, missing: 1 },
      entry(3, { kind: 'closed', hex: '', text: 'connection lost' }),
      entry(4, { kind: 'rx', hex: 'AB 00', text: 'answer' }),
    ];
    expect(filterRows(rows, FRAME_FILTERS, '', english)).toBe(rows);
    expect(seqs(filterRows(rows, ['events'], '', english))).toEqual(['gap 2', 3]);
    expect(seqs(filterRows(rows, FRAME_FILTERS, 'abcd', english))).toEqual([1, 'gap 2']);
    expect(seqs(filterRows(rows, FRAME_FILTERS, 'AB 00', english))).toEqual(['gap 2', 4]);
    expect(seqs(filterRows(rows, FRAME_FILTERS, 'HOLDING', english))).toEqual([1, 'gap 2']);
  });

  it('finds an explanation by the words of the page as well as by its English', () => {
    const rows = [entry(1, { text: 'noise', text_message: { code: 'frame.noise', params: {} } }), entry(2)];
    expect(seqs(filterRows(rows, FRAME_FILTERS, 'Fremd FRAME.noise', foreign))).toEqual([1]);
    expect(seqs(filterRows(rows, FRAME_FILTERS, 'noise', foreign))).toEqual([1]);
    expect(seqs(filterRows(rows, FRAME_FILTERS, 'fremd', english))).toEqual([]);
  });
});
