import { describe, expect, it } from 'vitest';
import type { CheckVerdict } from '#shared/domain/check.ts';
import { goneOf, noCounts, pointOfItem, stateOfItem, statesOfItems } from './states.ts';
import { ITEM, Site } from './testing/site.ts';

const ELSEWHERE = { ...ITEM, service: 'Cabinet 7', channelId: 0, pointId: 0 };

describe('where an item stands', () => {
  it.each<[CheckVerdict | null, string, string]>([
    [null, 'not_checked', 'not_checked'],
    ['passed', 'passed', 'check_again'],
    ['accepted', 'accepted', 'check_again'],
    ['failed', 'failed', 'failed'],
    ['blocked', 'blocked', 'blocked'],
  ])('by its result %s is %s, and %s once its point is another one', (verdict, state, edited) => {
    const site = new Site();
    const mark = verdict === null ? undefined : site.mark(verdict);
    expect(stateOfItem(site.session, ITEM, mark)).toMatchObject({ state, changed: [], found: { point: { code: 'P' } } });
    site.edit({ address: 6 });
    const changed = edited === 'check_again' ? ['address'] : [];
    expect(stateOfItem(site.session, ITEM, mark)).toMatchObject({ state: edited, changed });
  });

  it('follows each edit of point and channel, and is as before when it is taken back', () => {
    const site = new Site();
    const mark = site.mark('passed');
    const states = () => stateOfItem(site.session, ITEM, mark);
    expect(states().state).toBe('passed');
    site.edit({ name: 'shown otherwise' });
    expect(states().state).toBe('passed');
    const { settings } = site;
    site.settings = { ...settings, port: 503 };
    expect(states()).toMatchObject({ state: 'check_again', changed: ['channel.port'] });
    site.settings = { ...settings };
    expect(states().state).toBe('passed');
    site.edit({ mul_coe: 10 });
    expect(states().changed).toEqual(['mul_coe']);
  });

  it('is by its result alone where its point is gone or of another type', () => {
    const site = new Site();
    const mark = site.mark('passed');
    expect(stateOfItem(site.session, { ...ITEM, frameType: 1 }, mark)).toEqual({ state: 'passed', changed: [], found: undefined });
    site.point = undefined;
    expect(stateOfItem(site.session, ITEM, mark).found).toBeUndefined();
    expect(goneOf(site.session, ITEM)).toMatchObject({ code: 'check.point_gone', params: { code: 'P' } });
    site.isChannelThere = false;
    expect(pointOfItem(site.session, ITEM)).toBeUndefined();
  });

  it('is not known of another service that nobody asked', () => {
    const { session } = new Site();
    expect(pointOfItem(session, ELSEWHERE), 'the numbers are of that project').toBeUndefined();
    expect(goneOf(session, ELSEWHERE)).toMatchObject({
      code: 'check.elsewhere_trouble',
      params: { service: 'Cabinet 7', code: 'P', reason: { code: 'check.elsewhere_not_asked' } },
    });
  });
});

it('states of many items are in their order', async () => {
  const site = new Site();
  const items = Array.from({ length: 450 }, (_, at) => ({ ...ITEM, uuid: `${at}` }));
  const marks = new Map(items.filter((_, at) => at % 2 === 0).map(({ uuid }) => [uuid, site.mark('failed')]));
  const states = await statesOfItems(site.session, items, marks);
  expect(states.map(({ state }) => state)).toEqual(items.map((_, at) => (at % 2 === 0 ? 'failed' : 'not_checked')));
  expect(noCounts()).toEqual({ not_checked: 0, passed: 0, failed: 0, blocked: 0, check_again: 0, accepted: 0 });
});
