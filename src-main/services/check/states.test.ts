import { describe, expect, it } from 'vitest';
import type { CheckVerdict } from '#shared/domain/check.ts';
import { modbusTcpDriver } from '../../drivers/modbus/driver.ts';
import type { PointConfig } from '../../drivers/spi/index.ts';
import { testPoint } from '../../drivers/testing/points.ts';
import type { StoredCheckItem } from '../../persistence/check-repositories.ts';
import { channelSettings } from '../../runtime/testing/harness.ts';
import type { ProjectSession } from '../ports.ts';
import { canonical } from './chain.ts';
import type { Mark } from './check-book.ts';
import { mappingOf } from './mapping.ts';
import { goneOf, noCounts, pointOfItem, stateOfItem, statesOfItems } from './states.ts';

/** A project of one channel with one point; both can be edited or go. */
class Site {
  point: PointConfig | undefined = testPoint({ id: 7, code: 'P', address: 5 });
  settings = channelSettings();
  isChannelThere = true;
  #configRevision = 1;
  readonly session: ProjectSession;

  constructor() {
    const site = this;
    const points = {
      config: (id: number) => (id === 7 ? this.point : undefined),
      get configRevision() {
        return site.#configRevision;
      },
    };
    const channel = {
      ...{ id: 1, points, driver: modbusTcpDriver },
      get settings() {
        return site.settings;
      },
    };
    this.session = { channels: { get: (id: number) => (this.isChannelThere && id === 1 ? channel : undefined) } } as unknown as ProjectSession;
  }

  edit(change: Partial<PointConfig>): void {
    this.point = this.point && { ...this.point, ...change };
    this.#configRevision += 1;
  }

  /** A result of the point as it is now. */
  mark(verdict: CheckVerdict): Mark {
    const { settings, point = expect.fail() } = this;
    const mapping = canonical(mappingOf({ channel: { settings, driver: modbusTcpDriver, service: null }, point }));
    return { part: 'p', seq: 1, orderAt: '', verdict, mapping };
  }
}

const ITEM: StoredCheckItem = {
  ...{ uuid: 'u', place: 1, service: '', channelId: 1, pointId: 7, frameType: 0, channel: 'C', code: 'P', name: '', group: '' },
  expectation: { kind: 'values', references: [] },
};
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
