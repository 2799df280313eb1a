import { mkdirSync } from 'node:fs';
import { openPtyBus } from '../../../src-main/transport/testing/pty-bus.ts';
import { whyNoPtys } from '../../../src-main/transport/testing/pty-pair.ts';
import { inRoot } from '../../lib/paths.ts';
import { Channel } from '../channel.ts';
import { installPackages, Peer } from '../peer.ts';
import { expectEqual, type Report, type Suite } from '../report.ts';
import type { Service } from '../service.ts';
import { findLibmodbus, findPymodbus } from './programs.ts';

const BAUD_RATE = 19_200;
const LISTENER = 2;

/** A channel of ours that only listens, between a foreign master and a foreign slave on one bus of three pseudo terminals. */
export const listenSuite: Suite = async (service, report) => {
  mkdirSync(inRoot('.interop'), { recursive: true });
  if (whyNoPtys !== null && !installPackages('socat')) {
    report.skip('listening', whyNoPtys);
    return;
  }
  const [pymodbus, libmodbus] = [findPymodbus(), findLibmodbus()];
  for (const [found, name] of [
    [pymodbus, 'pymodbus'],
    [libmodbus, 'libmodbus'],
  ] as const) {
    if ('reason' in found) {
      report.skip(`listening between ${name} and ${name}`, found.reason);
      continue;
    }
    for (const delivery of ['paced', 'burst'] as const) await listen(service, report, { name, found, delivery });
  }
};

interface Peers {
  readonly name: string;
  readonly found: { readonly program: string; readonly args: readonly string[] };
  readonly delivery: 'paced' | 'burst';
}

async function listen(service: Service, report: Report, { name, found, delivery }: Peers): Promise<void> {
  const bus = await openPtyBus('master', 'slave', 'listener');
  const [masterPath = '', slavePath = '', listenerPath = ''] = bus.ports;
  const slave = new Peer(found.program, [...found.args, 'serial-server', slavePath, String(BAUD_RATE)]);
  await slave.line();
  const master = new Peer(found.program, [...found.args, 'serial-client', masterPath, String(BAUD_RATE)]);
  await master.line();
  const settings = {
    name: `listens between ${name}, ${delivery}`,
    protocol_type: 2,
    conn_type: 0,
    com_port: listenerPath,
    baud_rate: BAUD_RATE,
  };
  const points = Array.from({ length: 20 }, (_, at) => ({ code: `R${at}`, frame_type: 0, address: 100 + at, decode: '0x20', slave_id: 1 }));
  const coils = Array.from({ length: 20 }, (_, at) => ({ code: `C${at}`, frame_type: 1, address: at, slave_id: 1 }));
  const channel = await Channel.open(service, { ...settings, timeout_ms: 5000, protocol: { listen_only: 'on' } }, [...points, ...coils]);
  try {
    await report.check(`listening between ${name}, ${delivery}: registers and coils that the master reads`, async () => {
      const values = points.map((_, at) => 1000 + at * 7);
      const bits = coils.map((_, at) => (at % 3 === 0 ? 1 : 0));
      await slave.numbers('set', 3, 100, ...values);
      await slave.numbers('set', 1, 0, ...bits);
      const round = async () => {
        if (delivery === 'burst') bus.hold(LISTENER, true);
        for (let at = 0; at < points.length; at++) await master.numbers('read', 3, 100 + at, 1);
        await master.numbers('read', 3, 100, points.length);
        await master.numbers('read', 1, 0, coils.length);
        await master.numbers('read', 3, 100, 2);
        bus.hold(LISTENER, false);
      };
      const rows = await channel.until((now) => [...now.values()].every(({ quality }) => quality === 'good'), round);
      expectEqual(
        'registers',
        points.map(({ code }) => rows.get(code)?.value),
        values,
      );
      expectEqual(
        'coils',
        coils.map(({ code }) => rows.get(code)?.value),
        bits,
      );
    });
    await report.check(`listening between ${name}, ${delivery}: a command of the master is an event, and nothing was sent`, async () => {
      await master.numbers('write', 6, 100, 4711);
      await channel.until(
        (rows) => rows.get('R0')?.value === 4711,
        () => master.numbers('read', 3, 100, 2),
      );
      const { items } = await service.ask<{ items: { text: string }[] }>('GET', `/api/events/list?channel_id=${channel.id}`);
      if (!items.some(({ text }) => text.includes('another master'))) throw new Error('no event tells the command');
      const refused = await service.call('POST', '/api/job/doctor', { channel_id: channel.id });
      if (refused.status < 400) throw new Error(`the doctor answers ${refused.status}`);
      expectEqual('octets sent', [bus.sent[LISTENER]], [0]);
    });
  } finally {
    await channel.remove();
    await master.end();
    await slave.end();
    await bus.end();
  }
}
