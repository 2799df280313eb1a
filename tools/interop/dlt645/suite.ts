import { openPtyBus } from '../../../src-main/transport/testing/pty-bus.ts';
import { openPtyPair, whyNoPtys } from '../../../src-main/transport/testing/pty-pair.ts';
import { Channel, type PointFields } from '../channel.ts';
import { installPackages, Peer } from '../peer.ts';
import { findPython } from '../python.ts';
import { expectEqual, type Report, type Suite } from '../report.ts';
import { freePort, type Service } from '../service.ts';

const VERSION = '3.2.0';
const METER = '000012345678';
const BAUD_RATE = 9600;
const YC = 0;
const YT = 3;
/** A parameter both sides write. */
const PERIOD = 0x04000103;

type Line = Readonly<Record<string, unknown>>;

/** Values both sides exchange: signed and unsigned, of two to four octets. */
const VALUES: readonly (readonly [code: string, di: number, value: number])[] = [
  ['EP', 0x00010000, 123_456.78],
  ['EC', 0x00000000, -12.5],
  ['UA', 0x02010100, 220.5],
  ['UB', 0x02010200, 219.8],
  ['IA', 0x02020100, -5.123],
  ['P', 0x02030000, -1.2345],
  ['F', 0x02800002, 49.98],
];

/** DL/T 645 over TCP and over two joined pseudo terminals, both roles, against the PyPI package dlt645. */
export const dlt645Suite: Suite = async (service, report) => {
  const found = findPython({ name: 'dlt645', version: VERSION, script: 'tools/interop/dlt645/dlt645_peer.py' });
  if ('reason' in found) {
    report.skip('DL/T 645', found.reason);
    return;
  }
  const start = (...args: string[]) => new Peer(found.program, [...found.args, ...args]);
  await withMaster(service, report, 'DL/T 645 over TCP', start('server', METER), (port) => ({ conn_type: 2, port }));
  const port = await freePort();
  await withMeters(service, report, 'DL/T 645 over TCP', { conn_type: 1, port }, () => start('client', METER, String(port)));
  if (whyNoPtys !== null && !installPackages('socat')) {
    report.skip('DL/T 645 on a serial line', whyNoPtys);
    return;
  }
  const name = 'DL/T 645 on a serial line';
  const serial = (com_port: string) => ({ com_port, baud_rate: BAUD_RATE, parity: 'N' });
  const rate = String(BAUD_RATE);
  await onLine(({ a, b }) => withMaster(service, report, name, start('server', METER, b, rate), () => ({ conn_type: 0, ...serial(a) })));
  await onLine(({ a, b }) => withMeters(service, report, name, { conn_type: 3, ...serial(a) }, () => start('client', METER, b, rate)));
  await listen(service, report, start);
};

const LISTENER = 2;

/** A channel of ours that only listens, between the foreign master and the foreign meter on one bus of three pseudo terminals. */
async function listen(service: Service, report: Report, start: (...args: string[]) => Peer): Promise<void> {
  const bus = await openPtyBus('master', 'meter', 'listener');
  const [masterPath = '', meterPath = '', com_port = ''] = bus.ports;
  const meter = start('server', METER, meterPath, String(BAUD_RATE));
  await meter.line();
  for (const [, di, value] of VALUES) await meter.numbers('set', groupOf(di), textOf(di), value);
  const master = start('client', METER, masterPath, String(BAUD_RATE));
  await master.line();
  const settings = { name: 'listens to meters', protocol_type: 4, conn_type: 0, com_port, baud_rate: BAUD_RATE, parity: 'N' };
  const other = { code: 'OTHER', frame_type: YC, address: 0x02010300, slave_id: Number(METER) };
  const channel = await Channel.open(service, { ...settings, timeout_ms: 5000, protocol: { listen_only: 'on' } }, [
    ...VALUES.map(pointOf),
    other,
  ]);
  try {
    await report.check('listening between dlt645 and dlt645: what the master reads, and nothing else', async () => {
      for (const [, di] of VALUES) await master.ask('read', groupOf(di), textOf(di));
      const rows = await channel.until((now) => VALUES.every(([code]) => now.get(code)?.quality === 'good'));
      for (const [code, , value] of VALUES) expectEqual(code, [rows.get(code)?.value], [value]);
      expectEqual('what nobody read', [rows.get('OTHER')?.quality === 'good'], [false]);
      expectEqual('octets sent', [bus.sent[LISTENER]], [0]);
    });
  } finally {
    await channel.remove();
    await master.end();
    await meter.end();
    await bus.end();
  }
}

async function onLine(check: (line: { readonly a: string; readonly b: string }) => Promise<void>): Promise<void> {
  const line = await openPtyPair();
  try {
    await check(line);
  } finally {
    await line.end();
  }
}

const pointOf = ([code, address]: (typeof VALUES)[number]): PointFields => ({
  code,
  frame_type: YC,
  address,
  slave_id: Number(METER),
});

const period: PointFields = { code: 'PERIOD', frame_type: YT, address: PERIOD, slave_id: Number(METER) };

const groupOf = (di: number) => (di >>> 24).toString(16).padStart(2, '0');
const textOf = (di: number) => di.toString(16).padStart(8, '0');

/** Our master against the foreign meter. It has no blocks, so what they cover is read one by one. */
async function withMaster(service: Service, report: Report, name: string, peer: Peer, line: (port: number) => Line): Promise<void> {
  try {
    const [, port] = await peer.line();
    for (const [, di, value] of VALUES) await peer.numbers('set', groupOf(di), textOf(di), value);
    await peer.ask('set', '04', textOf(PERIOD), '15');
    const any = { code: 'ANY', frame_type: YC, address: 0x02010100, protocol: { meter_address: 'AAAAAAAAAAAA' } };
    const settings = { name: `master, ${name}`, protocol_type: 4, timeout_ms: 1000, ...line(Number(port)) };
    const channel = await Channel.open(service, settings, [...VALUES.map(pointOf), any, period]);
    for (const mode of ['batch', 'single'] as const) {
      await report.check(`${name}: a ${mode} round of our master reads every value`, async () => {
        const { success, fail } = await channel.readAll(mode);
        expectEqual('the round', { success, fail }, { success: VALUES.length + 2, fail: 0 });
        const rows = await channel.rows();
        for (const [code, , value] of VALUES) expectEqual(code, rows.get(code)?.value, value);
        expectEqual('the value through the wildcard', rows.get('ANY')?.value, 220.5);
      });
    }
    await masterWrites(report, name, peer, channel);
    await channel.remove();
  } finally {
    await peer.end();
  }
}

/** Writes of our master to the foreign meter, as far as it has them in the form of the standard. */
async function masterWrites(report: Report, name: string, peer: Peer, channel: Channel): Promise<void> {
  await report.check(`${name}: the foreign meter takes writes and commands of our master`, async () => {
    // the package keeps passwords in the order of the wire
    for (const password of ['02665544', '04332211']) expectEqual('setting a password', await peer.ask('password', password), ['ok']);
    await channel.setSecrets({ password_02: '445566', password_04: '112233', operator_code: '00000001' });
    expectEqual('the write', (await channel.write('PERIOD', 30)).status, 200);
    expectEqual('the parameter', await channel.value('PERIOD'), 30);
    const meter = METER;
    expectEqual('data', await channel.outcomeOf('write_data', { meter, identifier: textOf(PERIOD), value: 45 }), 'accepted');
    expectEqual('freeze', await channel.outcomeOf('freeze', { meter }), 'accepted');
    expectEqual('baud rate', await channel.outcomeOf('change_baud_rate', { meter, baud_rate: 1200 }), 'accepted');
    expectEqual('events', await channel.outcomeOf('clear_events', { meter }), 'accepted');
    expectEqual('a broadcast', await channel.outcomeOf('freeze', { meter: '999999999999' }), 'unknown');
    expectEqual('a function it has not', await channel.outcomeOf('relay_control', { meter, command: 'close' }), 'rejected');
    expectEqual('another number', await channel.outcomeOf('set_address', { new_meter: '000000000001' }), 'accepted');
    expectEqual('the number back', await channel.outcomeOf('set_address', { meter: '000000000001', new_meter: meter }), 'accepted');
    expectEqual('the number', await channel.outcomeOf('read_address'), 'accepted');
    await channel.setSecrets({ new_password: '778899' });
    expectEqual('a new password', await channel.outcomeOf('change_password', { meter, level: 4 }), 'accepted');
  });
  await report.check(`${name}: a refused password blocks writes of our master`, async () => {
    expectEqual(
      'the old password',
      await channel.outcomeOf('write_data', { meter: METER, identifier: textOf(PERIOD), value: 10 }),
      'rejected',
    );
    await channel.setSecrets({ password_04: '778899' });
    const blocked = await channel.outcomeOf('write_data', { meter: METER, identifier: textOf(PERIOD), value: 10 });
    expectEqual('the block', /are blocked since .* so nothing was sent/.test(blocked), true);
    await channel.outcomeOf('lift_write_block', { meter: METER });
    expectEqual('the new password', (await channel.write('PERIOD', 10)).status, 200);
  });
}

/** Our simulated meter against the foreign master. */
async function withMeters(service: Service, report: Report, name: string, line: Line, start: () => Peer): Promise<void> {
  const channel = await Channel.open(service, { name: `meter, ${name}`, protocol_type: 4, ...line }, [...VALUES.map(pointOf), period]);
  await channel.setSecrets({ password_02: '445566', password_04: '112233' });
  const peer = start();
  try {
    await peer.line();
    await report.check(`${name}: the foreign master reads every value of our meter`, async () => {
      for (const [code, di, value] of VALUES) {
        expectEqual(`setting ${code}`, (await channel.write(code, value)).status, 200);
        expectEqual(code, (await peer.numbers('read', groupOf(di), textOf(di)))[0], value);
      }
    });
    await report.check(`${name}: the foreign master finds the address of our meter`, async () => {
      // the package gives it in the order of the wire
      expectEqual('the address', await peer.ask('address'), ['ok', '785634120000']);
    });
    await report.check(`${name}: our meter refuses what it has not`, async () => {
      expectEqual('the answer', await peer.ask('read', '02', '02999900'), ['failed', 'nothing']);
    });
    await foreignWrites(report, name, peer, channel);
  } finally {
    await peer.end();
    await channel.remove();
  }
}

/** Writes of the foreign master to our meter. It does not say whether they were taken, so the table is asked. */
async function foreignWrites(report: Report, name: string, peer: Peer, channel: Channel): Promise<void> {
  const period = async () => {
    await channel.readSingle('PERIOD');
    return channel.value('PERIOD');
  };
  await report.check(`${name}: our meter takes writes of the foreign master, with the right password`, async () => {
    const write = (value: string, password: string) => peer.ask('write', textOf(PERIOD), value, password);
    await write('25', '04332211');
    expectEqual('the parameter', await period(), 25);
    await write('35', '04000000');
    expectEqual('after a wrong password', await period(), 25);
    await write('40', '02665544');
    expectEqual('with a better level', await period(), 40);
    await peer.ask('change', '04332211', '04998877');
    await write('50', '04998877');
    expectEqual('with the new password', await period(), 50);
    expectEqual('freeze', (await peer.ask('freeze'))[0], 'ok');
    expectEqual('baud rate', await peer.ask('rate', '1200'), ['ok', '1200']);
    expectEqual('events', (await peer.ask('events', '02665544'))[0], 'ok');
    expectEqual('events with a wrong password', (await peer.ask('events', '02000000'))[0], 'failed');
    expectEqual('another number', (await peer.ask('rename', '000000000001'))[0], 'ok');
    expectEqual('the other number', await peer.ask('address'), ['ok', '010000000000']);
    expectEqual('the number back', (await peer.ask('rename', METER))[0], 'ok');
  });
}
