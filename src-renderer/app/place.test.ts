import { describe, expect, it } from 'vitest';
import { parsePlace, placeHash, withoutRows } from './place.ts';

describe('the address of a place', () => {
  it.each([
    { selectedChannelId: null, showsPlant: true, tab: 'points' },
    { selectedChannelId: 7, showsPlant: false, tab: 'frames' },
    { selectedChannelId: 7, showsPlant: false, tab: 'points', row: 1200 },
    { selectedChannelId: 7, showsPlant: false, tab: 'frames', beside: { channelId: 3, tab: 'points', row: 40 } },
    { selectedChannelId: null, showsPlant: true, tab: 'points', beside: { channelId: 3, tab: 'line' } },
    { selectedChannelId: null, showsPlant: false, tab: 'points', check: { sessionId: null, showsRun: false } },
    { selectedChannelId: null, showsPlant: false, tab: 'points', check: { sessionId: 4, showsRun: false } },
    { selectedChannelId: null, showsPlant: false, tab: 'points', check: { sessionId: 4, showsRun: true } },
  ] as const)('leads back to it (%o)', (place) => {
    expect(parsePlace(placeHash(place))).toEqual(place);
  });

  it('has the points where it names no view', () => {
    expect(parsePlace('#/channel/12')).toEqual({ selectedChannelId: 12, showsPlant: false, tab: 'points' });
  });

  it('keeps the chosen channel out of sight while the plant is shown, and is empty without one', () => {
    expect(placeHash({ selectedChannelId: 7, showsPlant: true, tab: 'line' })).toBe('#/plant');
    expect(placeHash({ selectedChannelId: null, showsPlant: false, tab: 'line' })).toBe('');
  });

  it.each([
    'row=0',
    'row=-1',
    'row=1e3',
    'row=9999999999',
    'beside=3',
    'beside=0.points',
    'beside=3.secrets',
    'besideRow=4',
    'x=y',
    '?',
    '%',
  ])('passes over what it does not know behind it (%s)', (query) => {
    expect(parsePlace(`#/channel/12/points?${query}`)).toEqual({ selectedChannelId: 12, showsPlant: false, tab: 'points' });
  });

  it('has rows of point tables alone', () => {
    expect(placeHash({ selectedChannelId: 7, showsPlant: false, tab: 'line', row: 5 })).toBe('#/channel/7/line');
    expect(placeHash({ selectedChannelId: 7, showsPlant: true, tab: 'points', row: 5 })).toBe('#/plant');
    expect(withoutRows('#/channel/7/points?row=5&beside=3.points&besideRow=9')).toBe('#/channel/7/points?beside=3.points');
    expect(withoutRows('#/channel/7/points?row=5')).toBe(withoutRows('#/channel/7'));
  });

  it.each([
    '',
    '#',
    '#/',
    '#/kit',
    '#/channel',
    '#/channel/0',
    '#/channel/-1',
    '#/channel/1e3',
    '#/channel/1/',
    '#/channel/1/secrets',
    '#/channel/1/points/2',
    '#/plant/',
    '#/check/',
    '#/check/0',
    '#/check/run',
    '#/check/4/other',
  ])('is no other text (%s)', (hash) => {
    expect(parsePlace(hash)).toBeNull();
  });
});
