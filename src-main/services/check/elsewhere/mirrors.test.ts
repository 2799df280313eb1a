import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordDevices } from '../record-facts.ts';
import { Mirrors, troubleOf } from './mirrors.ts';
import { anItem, CheckBench } from './testing/check-bench.ts';
import { FakeService } from './testing/fake-service.ts';

let bench: CheckBench;

beforeEach(() => {
  bench = new CheckBench();
});
afterEach(() => bench.session.endings.settle(1000));

const itemOf = (number: number) => anItem({ channel: `Feeder ${number}` });
const troubleAt = (number: number) => troubleOf(bench.session, itemOf(number))?.code;

describe('the channels of other services that a project checks', () => {
  it('are 50; one more has room once nobody looked at others for a minute, and has a number of its own', async () => {
    const { clock, deps, session, there } = bench;
    there.channels = Array.from({ length: 51 }, (_, at) => FakeService.channel({ id: at + 1, name: `Feeder ${at + 1}` }));
    const all = Array.from({ length: 50 }, (_, at) => itemOf(at + 1));
    const mirrors = Mirrors.of(deps);
    const held = await mirrors.hold([itemOf(1)]);
    await mirrors.look(all);
    const ids = mirrors.list().map(({ id }) => id);
    await mirrors.look([itemOf(51)]);
    expect([troubleAt(50), troubleAt(51)]).toEqual([undefined, 'check.elsewhere_full']);
    there.channels = there.channels.filter(({ id }) => id === 1 || id === 51);
    await clock.advance(61_000);
    expect(troubleAt(51)).toBe('check.elsewhere_not_asked');
    await mirrors.look([itemOf(51)]);
    expect([troubleAt(51), troubleAt(50)]).toEqual([undefined, 'check.elsewhere_not_asked']);
    // a check is at it
    expect([troubleAt(1), mirrors.list().length]).toEqual([undefined, 2]);
    expect(ids).not.toContain(Mirrors.find(session, itemOf(51))?.id);
    held.release();
  });

  it('hold nobody up who adds points of one whose table comes bit by bit', async () => {
    const { clock, deps, there } = bench;
    const [row = {}] = there.points;
    there.total = 25_000;
    there.onPage = () => Array.from({ length: 1000 }, () => row);
    there.onItsWay = async (path) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      clock.after(path.includes('table') ? 2900 : 0, resolve);
      await promise;
    };
    const refused = expect(Mirrors.of(deps).open(1, 4)).rejects.toMatchObject({
      code: 'TIMEOUT_RESPONSE',
      said: { code: 'remote.silent' },
    });
    await clock.advance(61_000);
    await refused;
  });

  it('stand in a record the same, whatever the clock of the service says', async () => {
    const { deps, session, there } = bench;
    const { channelId: _, pointId: __, ...item } = anItem();
    const devices = () => recordDevices(session, [{ ...item, changed: [], isThere: true }]);
    await Mirrors.of(deps).look([anItem()]);
    const before = await devices();
    there.date = 'Thu, 01 Jan 2026 01:00:00 GMT';
    await Mirrors.of(deps).look([anItem()]);
    expect(await devices()).toEqual(before);
    expect(before).toMatchObject([{ name: 'Feeder 1', settings: { service: 'Cabinet 7', service_version: '1.0.0' } }]);
  });
});
