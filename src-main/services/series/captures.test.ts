/** A take into a channel that fails leaves the recorded values as they are. */
import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { interfaceBlock, LINK_ETHERNET, packetBlock, sectionHeader } from '../../capture/pcapng.ts';
import { TcpStreams } from '../../capture/tcp-streams.ts';
import { modbusTcpDriver } from '../../drivers/modbus/driver.ts';
import type { SeriesNumbers } from '../../persistence/repositories.ts';
import { Turns } from '../../platform/turns.ts';
import type { ChangeRequest } from '../point-changes/change-plan.ts';
import type { PointChanger } from '../point-changes/point-changer.ts';
import type { ServiceDeps } from '../ports.ts';
import { captureHandlers } from './captures.ts';

/** A register that is read once. */
function aCapture(): File {
  const streams = new TcpStreams(502);
  const frames: [boolean, string][] = [
    [true, '000100000006010300070001'],
    [false, '000100000005010302002a'],
  ];
  const packets = frames.flatMap(([isToServer, hex], at) => {
    const payload = Uint8Array.from(Buffer.from(hex, 'hex'));
    const [packet] = streams.packets({ connection: 1, isToServer, payload, length: payload.length });
    return packet ? [packetBlock({ link: 0, timeUs: 1e15 + at, ...packet, isSent: true, dropped: 0, comments: [] })] : [];
  });
  return new File([Buffer.concat([sectionHeader('', ''), interfaceBlock(LINK_ETHERNET, ''), ...packets])], 'line.pcapng');
}

/** The take of a project whose recorded values are `kept`, into a channel whose table does with the points what `make` does. */
function aTake(kept: Map<string, SeriesNumbers>, make: (request: ChangeRequest, leave: () => void) => Promise<never>) {
  const written: string[] = [];
  const book = {
    find: (name: string) => kept.get(name),
    write(name: string, numbers: SeriesNumbers) {
      written.push(name);
      kept.set(name, numbers);
    },
    remove: (name: string) => kept.delete(name),
  };
  const settings = { name: 'Replay', conn_type: 1, protocol_type: 1, address_base: 0 };
  const channel = { id: 1, settings, driver: modbusTcpDriver, points: { byCode: () => undefined } };
  const session = { id: 'first', series: book, channels: { get: () => channel } };
  let open: unknown = session;
  const projects = {
    current() {
      if (!open) throw new AppError('STATE_CONFLICT', quoted('another one is being opened'));
      return open;
    },
  };
  const changer = { make: (request: ChangeRequest) => make(request, () => (open = null)) } as unknown as PointChanger;
  const deps = { projects, drivers: { all: [modbusTcpDriver] } } as unknown as ServiceDeps;
  const { takeCapture } = captureHandlers(deps, changer, (_, name, numbers) => {
    book.write(name, numbers);
    return { name, rows: 0, seconds: 0, columns: [] };
  });
  const done = Promise.resolve(takeCapture({ file: aCapture(), channel_id: 1 }, {} as Parameters<typeof takeCapture>[1]));
  return { done, written };
}

describe('a take into a channel', () => {
  const before: SeriesNumbers = { times: Float64Array.of(0), columns: new Map([['a', Float64Array.of(7)]]) };
  const refused = new AppError('STATE_CONFLICT', quoted('the code is taken'));
  const full = new AppError('STATE_STORE_FULL', quoted('no room'));

  it('whose points are refused stores nothing', async () => {
    const kept = new Map([['line', before]]);
    const { done, written } = aTake(kept, async () => Promise.reject(refused));
    await expect(done).rejects.toBe(refused);
    expect([written, kept.get('line')]).toEqual([[], before]);
  });

  it.each([[new Map([['line', before]])], [new Map<string, SeriesNumbers>()]])(
    'whose points could not be made has the values again that were there',
    async (kept) => {
      const was = kept.get('line');
      const { done, written } = aTake(kept, async ({ beforeMade }) => {
        await beforeMade?.(new Turns());
        throw full;
      });
      await expect(done).rejects.toBe(full);
      expect(written[0]).toBe('line');
      expect(kept.get('line')).toBe(was);
    },
  );

  it('puts nothing back into a project that was left, nor over the values of another take', async () => {
    const left = new Map([['line', before]]);
    const gone = aTake(left, async ({ beforeMade }, leave) => {
      await beforeMade?.(new Turns());
      leave();
      throw full;
    });
    await expect(gone.done).rejects.toBe(full);
    expect(gone.written).toEqual(['line']);
    const taken = new Map([['line', before]]);
    const others: SeriesNumbers = { times: Float64Array.of(0), columns: new Map() };
    const second = aTake(taken, async ({ beforeMade }) => {
      await beforeMade?.(new Turns());
      taken.set('line', others);
      throw full;
    });
    await expect(second.done).rejects.toBe(full);
    expect(taken.get('line')).toBe(others);
  });
});
