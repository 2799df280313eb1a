import { describe, expect, it } from 'vitest';
import { UsualLatency } from './usual-latency.ts';

describe('how long answers usually take', () => {
  it('is not known at first: only what comes soon is usual', () => {
    const usual = new UsualLatency();
    expect([usual.isUsual('a', 49), usual.isUsual('a', 50)]).toEqual([true, false]);
    usual.answered('a', 400);
    expect(usual.isUsual('a', 400)).toBe(false);
  });

  it('is known from two answers in a row, each request by itself, until one is not answered', () => {
    const usual = new UsualLatency();
    for (const latency of [400, 420, 380]) usual.answered('a', latency);
    expect([usual.isUsual('a', 1200), usual.isUsual('a', 1201), usual.isUsual('b', 400)]).toEqual([true, false, false]);
    usual.unanswered('a');
    usual.answered('a', 400);
    expect(usual.isUsual('a', 400)).toBe(false);
  });

  it('is that of the last five answers, by their middle one', () => {
    const usual = new UsualLatency();
    for (const latency of [900, 900, 900, 10, 20, 30, 4000, 10]) usual.answered('a', latency);
    expect([usual.isUsual('a', 60), usual.isUsual('a', 61)]).toEqual([true, false]);
  });

  it('is kept of 512 requests, those that were heard last', () => {
    const usual = new UsualLatency();
    for (let round = 0; round < 2; round++) usual.answered('first', 400);
    for (let other = 0; other < 511; other++) usual.answered(String(other), 400);
    expect(usual.isUsual('first', 400)).toBe(true);
    usual.answered('one more', 400);
    expect(usual.isUsual('first', 400)).toBe(false);
  });
});
