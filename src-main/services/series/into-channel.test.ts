import { describe, expect, it } from 'vitest';
import type { NewPoint } from '#shared/contract/points.ts';
import { ConnType, FrameType } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { modbusTcpDriver } from '../../drivers/modbus/driver.ts';
import type { PointConfig } from '../../drivers/spi/index.ts';
import { testPoint } from '../../drivers/testing/points.ts';
import { Turns } from '../../platform/turns.ts';
import { channelSettings } from '../../runtime/testing/harness.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import type { CallContext } from '../handlers.ts';
import type { ChangeRequest, PointOp } from '../point-changes/change-plan.ts';
import type { PointChanger } from '../point-changes/point-changer.ts';
import { placedIn, putInto, requireServing } from './into-channel.ts';

/** A channel with these points. */
function channel(settings: object = {}, points: readonly PointConfig[] = [], driver: object = modbusTcpDriver): ChannelRuntime {
  const table = {
    byCode: (code: string) => points.find((each) => each.code === code)?.id,
    config: (id: number) => points.find((each) => each.id === id),
  };
  return {
    settings: { ...channelSettings({ name: 'Replay', conn_type: ConnType.tcpServer }), ...settings },
    driver,
    points: table,
  } as unknown as ChannelRuntime;
}
const found = (changes: Partial<NewPoint> = {}): NewPoint =>
  ({
    frame_type: FrameType.yc,
    code: 'P',
    address: 10,
    slave_id: 1,
    func_code: 3,
    protocol: { simulate: 'series("a")' },
    ...changes,
  }) as NewPoint;

describe('a channel that serves recorded values', () => {
  it('is one of the protocol they were found by, on the side that serves', () => {
    expect(() => requireServing(channel(), modbusTcpDriver)).not.toThrow();
    expect(() => requireServing(channel({ conn_type: ConnType.tcpClient }), modbusTcpDriver)).toThrow(
      expect.objectContaining({ code: 'STATE_CONFLICT', said: expect.objectContaining({ params: { channel: 'Replay' } }) }),
    );
    expect(() => requireServing(channel({ protocol_type: 3 }), modbusTcpDriver)).toThrow(
      expect.objectContaining({
        status: 422,
        data: [expect.objectContaining({ path: 'channel_id', params: { channel: 'Replay', serves: 'IEC 104', protocol: 'Modbus TCP' } })],
      }),
    );
  });

  it('has their points at its own addresses, where these may begin at another number', () => {
    expect(placedIn(channel({ address_base: 1 }), found())).toEqual({ ...found(), address: 11 });
    expect(placedIn(channel({ address_base: 1 }), found({ address: undefined as never })).address).toBe(1);
    const driver = { descriptor: { channelFields: [] } };
    expect(placedIn(channel({ address_base: 1 }, [], driver), found()).address).toBe(10);
  });
});

describe('points that follow recorded values', () => {
  const context = {} as CallContext;
  const series = { name: 'line', rows: 1, seconds: 0, columns: [] };
  /** Puts points into a table whose change goes as `make` says. */
  async function put(of: ChannelRuntime, points: readonly NewPoint[], make: (request: ChangeRequest) => Promise<void>) {
    const made: ChangeRequest[] = [];
    const order: string[] = [];
    const changer = {
      async make<Result>(request: ChangeRequest, _: unknown, answer: () => Promise<Result>): Promise<Result> {
        made.push(request);
        await make(request);
        order.push('points');
        return answer();
      },
    } as unknown as PointChanger;
    const store = async () => {
      order.push('values');
      return { series, takeBack: () => void order.push('taken back') };
    };
    const done = putInto(changer, { channel: of, points, file: 'line.pcap', context, store });
    return { answer: await done.catch((thrown: unknown) => thrown), ops: made[0]?.ops as PointOp[], order, request: made[0] };
  }
  const inOrder = (request: ChangeRequest) => Promise.resolve(request.beforeMade?.(new Turns()));

  it('are added, or changed in nothing but what they serve where they are there with their code and place', async () => {
    const known = testPoint({ id: 7, code: 'P', address: 10, name: 'Own name', protocol: { start_value: 3, simulate: 'old' } });
    const { answer, ops, order, request } = await put(channel({}, [known]), [found(), found({ code: 'Q' })], inOrder);
    expect(answer).toEqual({ series, added: 1, changed: 1 });
    expect(ops).toEqual([
      { op: 'edit', id: 7, frameType: FrameType.yc, changes: { protocol: { start_value: 3, simulate: 'series("a")' } } },
      { op: 'add', point: found({ code: 'Q' }) },
    ]);
    expect(order).toEqual(['values', 'points']);
    expect([request?.pathOf(3), request?.placeOfAll]).toEqual(['points.3', 'points']);
  });

  it.each<[string, Partial<PointConfig>, Partial<NewPoint>, PointOp['op']]>([
    ['in another place', { address: 11 }, {}, 'add'],
    ['of another type', { frame_type: FrameType.yx }, {}, 'add'],
    ['of another slave', { slave_id: 2 }, {}, 'add'],
    ['of another function', { func_code: 4 }, {}, 'add'],
    ['at another bit', { bit: 3 }, { bit: 2 }, 'add'],
    ['where nothing is said of the function', { func_code: 4 }, { func_code: undefined as never }, 'edit'],
    ['with the same name in the device, whatever its number', { reference: 'A.b', address: 1 }, { reference: 'A.b' }, 'edit'],
    ['with another name in the device', { reference: 'A.c' }, { reference: 'A.b' }, 'add'],
    ['with the same name, of another type', { reference: 'A.b', frame_type: FrameType.yx }, { reference: 'A.b' }, 'add'],
  ])('%s: a point with the code is there', async (_, known, point, op) => {
    const { ops } = await put(channel({}, [testPoint({ id: 7, code: 'P', address: 10, ...known })]), [found(point)], inOrder);
    expect(ops.map((each) => each.op)).toEqual([op]);
  });

  it('that cannot be made leave the values as they were', async () => {
    const refused = new AppError('STATE_CONFLICT', quoted('the code is taken'));
    const early = await put(channel(), [found()], () => Promise.reject(refused));
    expect([early.answer, early.order]).toEqual([refused, []]);
    const late = await put(channel(), [found()], async (request) => {
      await inOrder(request);
      throw refused;
    });
    expect([late.answer, late.order]).toEqual([refused, ['values', 'taken back']]);
  });
});
