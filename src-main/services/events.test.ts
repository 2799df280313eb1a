import { beforeEach, describe, expect, it } from 'vitest';
import type { EventEntry } from '#shared/contract/events.ts';
import { FrameType } from '#shared/domain/enums.ts';
import { say } from '#shared/messages/index.ts';
import { modbusTcpDriver } from '../drivers/modbus/driver.ts';
import type { EventBody, EventHead } from '../runtime/logs/event-record.ts';
import { eventHandlers } from './events.ts';
import type { CallContext } from './handlers.ts';
import { JobBench } from './jobs/testing/job-bench.ts';
import type { ProjectSession } from './ports.ts';

let session: ProjectSession;
let handlers: ReturnType<typeof eventHandlers>;
/** How the audit was asked. */
let asked: unknown[];
beforeEach(() => {
  const bench = new JobBench([modbusTcpDriver]);
  bench.client(502, [{ code: 'P', name: '有功', unit: 'kW' }]);
  bench.client(503);
  const audit = {
    list: (query: unknown) => {
      asked.push(query);
      return { items: [], total: 0 };
    },
  };
  session = Object.assign(bench.deps.projects.current(), { store: { audit } });
  handlers = eventHandlers(bench.deps);
  asked = [];
});

const context: CallContext<'query'> = { source: 'api', effect: 'query', warn() {} };
type Listed = { items: EventEntry[]; last_seq: number; dropped: number };
const list = (request: Parameters<typeof handlers.listEvents>[0] = {}) => handlers.listEvents(request, context) as Listed;
const AT = Date.UTC(2026, 0, 1);

function happen(head: Partial<EventHead> = {}, body: Partial<EventBody> = {}): number {
  return session.events.add(
    { channelId: 1, kind: 'change', pointId: 1000, frameType: FrameType.yc, code: 'P', ...head },
    { value: 5, flags: [], deviceTime: null, receivedAt: AT, text: '', said: null, detail: null, ...body },
  );
}

describe('an event', () => {
  it('of a point has its value, both times, and the name and unit that the point has now', () => {
    happen({}, { flags: ['IV'], deviceTime: AT - 1500 });
    expect(list().items).toEqual([
      {
        ...{ seq: 1, channel_id: 1, kind: 'change', point_id: 1000, frame_type: 0, code: 'P', name: '有功', unit: 'kW', value: 5 },
        ...{ flags: ['IV'], device_time: '2025-12-31T23:59:58.500Z', received_at: '2026-01-01T00:00:00.000Z', text: '' },
      },
    ]);
  });

  it.each<[string, Partial<EventHead>]>([
    ['a point that is gone', { pointId: 7 }],
    ['a channel that is gone', { channelId: 9 }],
    ['a channel itself', { pointId: null, frameType: null, code: '' }],
    ['the service', { channelId: null, pointId: null, frameType: null, code: '' }],
  ])('of %s has no name and no unit', (_, head) => {
    happen(head);
    expect(list().items[0]).not.toHaveProperty('name');
    expect(list().items[0]).not.toHaveProperty('unit');
  });

  it('says in words, with octets and with what kept it from being a value, only what there is to say', () => {
    happen();
    expect(Object.keys(list().items[0] ?? {}).filter((key) => /text_message|raw_hex|no_value|invalid|cause/.test(key))).toEqual([]);
    const said = say('common.text', { text: { en: 'lost', zh: '断开' } });
    const detail = { cause: { code: 3, name: 'spontaneous' } } as EventBody['detail'];
    happen({}, { said, text: 'lost', isNoValue: true, isInvalid: true, raw: Uint8Array.of(0x0a, 0xff), detail });
    expect(list().items[1]).toMatchObject({
      ...{ text: 'lost', text_message: said, no_value: true, invalid: true, raw_hex: '0AFF' },
      cause: { code: 3, name: 'spontaneous' },
    });
  });
});

describe('the list of events', () => {
  const seqs = (request?: Parameters<typeof list>[0]) => list(request).items.map(({ seq }) => seq);

  it('has the newest 200 of all, or as many as are asked for, oldest first', () => {
    for (let count = 0; count < 250; count++) happen();
    expect(seqs()).toEqual(Array.from({ length: 200 }, (_, at) => 51 + at));
    expect(seqs({ limit: 2 })).toEqual([249, 250]);
    expect(seqs({ after_seq: 3, limit: 2 })).toEqual([4, 5]);
    expect(list()).toMatchObject({ last_seq: 250, dropped: 0 });
  });

  it('of a channel has those of the service where they are wanted', () => {
    happen();
    happen({ channelId: 2 });
    happen({ channelId: null });
    expect([seqs(), seqs({ channel_id: 2 }), seqs({ channel_id: 2, system: 'true' }), seqs({ channel_id: 2, system: 'false' })]).toEqual([
      [1, 2, 3],
      [2],
      [2, 3],
      [2],
    ]);
  });

  it('of a channel that is not there is refused', () => {
    expect(() => list({ channel_id: 9 })).toThrow(expect.objectContaining({ code: 'CONFIG_NOT_FOUND' }));
  });

  it('says how many gave way', () => {
    session.events.resize(2);
    for (let count = 0; count < 5; count++) happen();
    expect(list()).toMatchObject({ last_seq: 5, dropped: 3 });
    expect(seqs()).toEqual([4, 5]);
  });
});

it('the audit is read page by page, 100 entries each where nothing else is said', () => {
  handlers.listAudit({}, context);
  handlers.listAudit({ channel_id: 2, page: 3 }, context);
  handlers.listAudit({ page: 2, page_size: 10 }, context);
  expect(asked).toEqual([
    { channelId: undefined, offset: 0, limit: 100 },
    { channelId: 2, offset: 200, limit: 100 },
    { channelId: undefined, offset: 10, limit: 10 },
  ]);
});
