import { describe, expect, it } from 'vitest';
import { say } from '#shared/messages/index.ts';
import { ManualClock } from '../../platform/manual-clock.ts';
import { FrameLog } from './frame-log.ts';
import { LabelPool } from './frame-log-labels.ts';

const WALL = Date.UTC(2026, 4, 5, 6, 7, 8, 90);
const octets = (...values: number[]) => Uint8Array.from(values);

describe('FrameLog', () => {
  it('keeps octets, direction, both times, link, connection and peer', async () => {
    const clock = new ManualClock(WALL);
    const log = new FrameLog(clock, 65_536);
    await clock.advance(12.5);
    const request = log.record({ kind: 'tx', bytes: octets(1, 2, 3), connection: 4, peer: 'a → b' });
    await clock.advance(3);
    const answer = log.record({ kind: 'rx', bytes: octets(9), link: request, text: '3 registers', connection: 4, peer: 'a → b' });
    expect([request, answer]).toEqual([1, 2]);
    expect(log.list({ limit: 10 })).toEqual([
      {
        seq: 1,
        kind: 'tx',
        monotonicMs: 12.5,
        wallMs: WALL + 12.5,
        bytes: octets(1, 2, 3),
        length: 3,
        link: null,
        connection: 4,
        peer: 'a → b',
        text: '',
      },
      {
        seq: 2,
        kind: 'rx',
        monotonicMs: 15.5,
        wallMs: WALL + 15.5,
        bytes: octets(9),
        length: 1,
        link: 1,
        connection: 4,
        peer: 'a → b',
        text: '3 registers',
      },
    ]);
    expect(log.get(2)).toEqual(log.list({ limit: 10 })[1]);
  });

  it('keeps what is remarked as a message, and a text as it is', () => {
    const log = new FrameLog(new ManualClock(), 65_536);
    const said = say('frame.labelled', { label: say('frame.noise'), text: 'Größe “1”' });
    const long = say('frame.labelled', { label: 'x'.repeat(2000), text: 'end' });
    for (const text of [said, '{"code":"frame.noise","params":{}}', long]) {
      log.record({ kind: 'note', bytes: octets(5), text, connection: 1, peer: 'p' });
    }
    const kept = () => log.list({ limit: 10 }).map(({ bytes, text }) => [...bytes, text]);
    const all = [
      [5, said],
      [5, '{"code":"frame.noise","params":{}}'],
      [5, 'x'.repeat(1000)],
    ];
    expect(kept()).toEqual(all);
    log.resize(16_384);
    log.resize(8_192);
    expect(kept()).toEqual(all);
  });

  it('copies the octets, so that the caller may use its buffer again', () => {
    const log = new FrameLog(new ManualClock(), 65_536);
    const buffer = octets(1, 2, 3, 4);
    log.record({ kind: 'rx', bytes: buffer.subarray(1, 3), connection: 1, peer: 'p' });
    buffer.fill(0);
    const entry = log.get(1);
    expect(entry?.bytes).toEqual(octets(2, 3));
    entry?.bytes.fill(7);
    expect(log.get(1)?.bytes).toEqual(octets(2, 3));
  });

  it('is empty at first', () => {
    const log = new FrameLog(new ManualClock(), 65_536);
    expect({ first: log.firstSeq, last: log.lastSeq, dropped: log.dropped }).toEqual({ first: 1, last: 0, dropped: 0 });
    expect(log.list({ limit: 5 })).toEqual([]);
    expect([log.get(0), log.get(1), log.get(-1), log.get(0.5)]).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('lists the newest entries without afterSeq, and the following ones with it', () => {
    const log = new FrameLog(new ManualClock(), 65_536);
    for (let i = 0; i < 10; i++) log.event('note', `n${i}`, 1, 'p');
    const texts = (query: Parameters<FrameLog['list']>[0]) => log.list(query).map((entry) => entry.text);
    expect(texts({ limit: 3 })).toEqual(['n7', 'n8', 'n9']);
    expect(texts({ afterSeq: 0, limit: 3 })).toEqual(['n0', 'n1', 'n2']);
    expect(texts({ afterSeq: 8, limit: 3 })).toEqual(['n8', 'n9']);
    expect(texts({ afterSeq: 10, limit: 3 })).toEqual([]);
    expect(texts({ afterSeq: 99, limit: 3 })).toEqual([]);
  });

  it('lists the newest entries in front of one, down to the oldest that is kept', () => {
    const log = new FrameLog(new ManualClock(), 65_536);
    for (let i = 0; i < 10; i++) log.event('note', `n${i}`, 1, 'p');
    const texts = (query: Parameters<FrameLog['list']>[0]) => log.list(query).map((entry) => entry.text);
    expect(texts({ beforeSeq: 8, limit: 3 })).toEqual(['n4', 'n5', 'n6']);
    expect(texts({ beforeSeq: 3, limit: 3 })).toEqual(['n0', 'n1']);
    expect(texts({ beforeSeq: 1, limit: 3 })).toEqual([]);
    expect(texts({ beforeSeq: 99, limit: 2 })).toEqual(['n8', 'n9']);
    expect(texts({ afterSeq: 2, beforeSeq: 5, limit: 9 })).toEqual(['n2', 'n3']);
    expect(texts({ afterSeq: 7, beforeSeq: 5, limit: 9 })).toEqual([]);
  });

  it('keeps the first octets of an entry that is too long, and says how long it was', () => {
    const log = new FrameLog(new ManualClock(), 8_192);
    log.record({ kind: 'noise', bytes: new Uint8Array(100_000).fill(5), connection: 1, peer: 'p' });
    const entry = log.get(1);
    expect(entry?.length).toBe(100_000);
    expect(entry?.bytes.length).toBeGreaterThan(1_000);
    expect(entry?.bytes.every((octet) => octet === 5)).toBe(true);
    expect(log.allocatedBytes).toBeLessThanOrEqual(8_192);
  });

  it('clears without counting as dropped and without going back in numbers', () => {
    const log = new FrameLog(new ManualClock(), 65_536);
    for (let i = 0; i < 5; i++) log.event('opened', 'o', 1, 'p');
    expect(log.clear()).toBe(5);
    expect({ first: log.firstSeq, last: log.lastSeq, dropped: log.dropped }).toEqual({ first: 6, last: 5, dropped: 0 });
    expect(log.event('closed', 'c', 1, 'p')).toBe(6);
    expect(log.list({ limit: 9 }).map((entry) => entry.seq)).toEqual([6]);
  });

  it('keeps a link only to an earlier entry', () => {
    const log = new FrameLog(new ManualClock(), 65_536);
    log.record({ kind: 'rx', bytes: octets(1), link: 1, connection: 1, peer: 'p' });
    log.record({ kind: 'rx', bytes: octets(1), link: 7, connection: 1, peer: 'p' });
    expect([log.get(1)?.link, log.get(2)?.link]).toEqual([null, null]);
  });

  it('does not collect the labels of passing peers', () => {
    const log = new FrameLog(new ManualClock(), 65_536);
    for (let i = 0; i < 20_000; i++) {
      log.event('opened', '', i, `192.168.100.200:${i} → 192.168.100.1:502`);
      expect(log.allocatedBytes).toBeLessThanOrEqual(65_536);
    }
    expect(log.get(log.lastSeq)?.peer).toBe('192.168.100.200:19999 → 192.168.100.1:502');
    expect(log.get(log.firstSeq)?.peer).toBe(`192.168.100.200:${log.firstSeq - 1} → 192.168.100.1:502`);
    expect(log.lastSeq - log.firstSeq).toBeGreaterThan(20);
  });
});

describe('LabelPool', () => {
  it('forgets a label with its last use and uses the number again', () => {
    const pool = new LabelPool();
    const a = pool.use('a');
    const b = pool.use('b');
    expect(pool.use('a')).toBe(a);
    pool.release(a);
    expect(pool.text(a)).toBe('a');
    pool.release(a);
    expect([pool.size, pool.text(b)]).toEqual([1, 'b']);
    expect(pool.use('c')).toBe(a);
    pool.release(a);
    pool.release(b);
    expect([pool.size, pool.bytes]).toEqual([0, 0]);
  });
});
