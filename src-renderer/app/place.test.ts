import { describe, expect, it } from 'vitest';
import { parsePlace, placeHash } from './place.ts';

describe('the address of a place', () => {
  it.each([
    { selectedChannelId: null, showsPlant: true, tab: 'points' },
    { selectedChannelId: 7, showsPlant: false, tab: 'frames' },
    { selectedChannelId: null, showsPlant: false, tab: 'points', check: { sessionId: null, isGuided: false } },
    { selectedChannelId: null, showsPlant: false, tab: 'points', check: { sessionId: 4, isGuided: false } },
    { selectedChannelId: null, showsPlant: false, tab: 'points', check: { sessionId: 4, isGuided: true } },
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
    '#/check/guided',
    '#/check/4/other',
  ])('is no other text (%s)', (hash) => {
    expect(parsePlace(hash)).toBeNull();
  });
});
