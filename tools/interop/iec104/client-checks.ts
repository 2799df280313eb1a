import { Channel, type EventRow } from '../channel.ts';
import type { Peer } from '../peer.ts';
import { expectEqual, expectSoon, type Report } from '../report.ts';
import type { Service } from '../service.ts';
import { checkLateConfirmation } from './confirmation-checks.ts';
import { asControl, asPoint, CA, CONTROLS, type Monitored, OTHER_CA, PLAIN, TIMED, TOTALS, tidy } from './plant.ts';

const SELECTED = { code: 'SBO', type: 'C_DC_NA_1', typeId: 46, address: 0x6031, frameType: 2, value: 1, wire: 2, hasSelect: true };
const RELATED = { code: 'RELATED', type: 'C_SC_NA_1', typeId: 45, address: 0x6032, frameType: 2, value: 1, wire: 1, hasSelect: true };
const MISSING = { ...RELATED, code: 'MISSING', address: 0x6099 };
const FOLLOWER: Monitored = {
  code: 'FOLLOWER',
  type: 'M_SP_NA_1',
  typeId: 1,
  station: CA,
  address: 50,
  wire: 0,
  frameType: 1,
  value: 0,
};
/** Time tags of this computer may differ by so much from the time they arrive. */
const MOST_DELAY_MS = 3000;

/** Added to the station alone. */
const UNKNOWN_ADDRESS = 500;
/** Types that the library leaves out of an interrogation. */
const UNASKED: readonly number[] = [20, 21];
const asked = [...PLAIN.filter((item) => !UNASKED.includes(item.typeId)), ...TOTALS];
const polled = [...PLAIN, ...TOTALS, FOLLOWER];

/** Time to a confirmation. */
const TIMEOUT_MS = 3000;

/** Our controlling station against a station of lib60870 that answers the commands of c104_peer.py. */
export async function checkClient(service: Service, report: Report, name: string, peer: Peer, port: number, tls = {}): Promise<void> {
  await fill(peer);
  const channel = await Channel.open(
    service,
    {
      name,
      protocol_type: 3,
      conn_type: 2,
      port,
      timeout_ms: TIMEOUT_MS,
      // the library terminates no command
      protocol: { originator_address: 5, time_zone: 'UTC', t3_s: 5, termination_timeout_s: 1, ...tls },
    },
    [
      ...[...polled, ...TIMED].map(asPoint),
      ...CONTROLS.map((item) => asControl(item)),
      asControl(SELECTED, { select_before_operate: true }),
      { ...asControl(RELATED), related_code: FOLLOWER.code },
      asControl(MISSING),
    ],
  );
  try {
    await checkMonitoring(report, name, channel, peer);
    await checkCommands(report, name, channel, peer);
    await checkLateConfirmation(report, name, channel, peer, TIMEOUT_MS);
    await checkOperations(report, name, channel, peer, service);
    // a station of the library does not come back with TLS after it was stopped
    if (Object.keys(tls).length === 0) await checkLoss(report, name, channel, peer);
  } finally {
    await channel.remove();
  }
}

async function fill(peer: Peer): Promise<void> {
  for (const item of [...polled, ...TIMED]) {
    await peer.numbers('add', item.station, item.address, item.type);
    await peer.numbers('set', item.station, item.address, item.wire);
  }
  for (const item of CONTROLS) await peer.numbers('add', CA, item.address, item.type);
  await peer.numbers('add', CA, SELECTED.address, SELECTED.type, 'select');
  await peer.numbers('add', CA, RELATED.address, RELATED.type, 'direct', FOLLOWER.address);
}

async function checkMonitoring(report: Report, name: string, channel: Channel, peer: Peer): Promise<void> {
  await report.check(`${name}: the interrogation after the start fills the table`, async () => {
    for (const item of asked.filter((one) => one.typeId !== 15))
      await expectSoon(item.code, () => shown(channel, item.code), [item.value, 'good']);
  });
  await report.check(`${name}: a batch round reads objects and counters of both stations`, async () => {
    const { state, success, fail } = await channel.readAll('batch', { point_types: [0, 1], slave_id: OTHER_CA });
    expectEqual('the round of one station', { state, success, fail }, { state: 'idle', success: 2, fail: 0 });
    await channel.readAll('batch');
    for (const item of asked) expectEqual(item.code, await shown(channel, item.code), [item.value, 'good']);
  });
  await report.check(`${name}: read commands one by one`, async () => {
    for (const item of PLAIN) {
      const { status, message } = await channel.readSingle(item.code);
      expectEqual(`status of ${item.code} (${message})`, status, 200);
      expectEqual(item.code, await shown(channel, item.code), [item.value, 'good']);
    }
    const { state, success, fail } = await channel.readAll('single', { slave_id: OTHER_CA });
    expectEqual('the round of one station', { state, success, fail }, { state: 'idle', success: 2, fail: 0 });
  });
  await report.check(`${name}: periodic, background and several objects in one message are values and no events`, () =>
    checkCyclic(channel, peer),
  );
  await report.check(`${name}: spontaneous objects of every type with time tag reach table and event log`, () => checkTimed(channel, peer));
  await report.check(`${name}: every quality letter`, async () => {
    for (const flag of ['IV', 'NT', 'SB', 'BL']) {
      await peer.numbers('set', CA, 1, 1, flag);
      await peer.numbers('send', CA, 1);
      await expectSoon(flag, async () => (await channel.rows()).get('M_SP_NA_1_1')?.flags, [flag]);
    }
    expectEqual('quality', (await channel.rows()).get('M_SP_NA_1_1')?.quality, 'good');
    await peer.numbers('set', CA, 0x4021, 1, 'OV', 'IV');
    await peer.numbers('send', CA, 0x4021);
    await expectSoon('OV', async () => (await channel.rows()).get('M_ME_NC_1_16417')?.flags, ['IV', 'OV']);
    expectEqual('quality', (await channel.rows()).get('M_ME_NC_1_16417')?.quality, 'invalid');
  });
}

async function checkCyclic(channel: Channel, peer: Peer): Promise<void> {
  const before = (await channel.events()).at(-1)?.seq ?? 0;
  await peer.numbers('set', CA, 0x4001, 0.125);
  await peer.numbers('report', CA, 0x4001, 100);
  await expectSoon('the periodic value', () => channel.value('M_ME_NA_1_16385').then(tidy), 0.125);
  await peer.numbers('report', CA, 0x4001, 0);
  await peer.numbers('set', CA, 1, 0);
  await peer.numbers('send', CA, 1, 'BACKGROUND_SCAN');
  await expectSoon('the value of the background scan', () => channel.value('M_SP_NA_1_1'), 0);
  await peer.numbers('set', CA, 0x4011, -7);
  await peer.numbers('set', CA, 0x4012, 7);
  expectEqual('sending both', await peer.numbers('batch', CA, 'PERIODIC', 0x4011, 0x4012), [1]);
  await expectSoon('the first of two', () => channel.value('M_ME_NB_1_16401'), -7);
  await expectSoon('the second of two', () => channel.value('M_ME_NB_1_16402'), 7);
  expectEqual('events', (await channel.events(before)).filter((event) => event.kind === 'change').length, 0);
  await peer.numbers('send', CA, 1, 'RETURN_INFO_REMOTE');
  const codes = async () => (await channel.events(before)).filter((event) => event.kind === 'change').map((event) => event.code);
  await expectSoon('the event of return information', codes, ['M_SP_NA_1_1']);
}

async function checkTimed(channel: Channel, peer: Peer): Promise<void> {
  const before = (await channel.events()).at(-1)?.seq ?? 0;
  for (const item of TIMED) {
    const since = Date.now();
    await peer.numbers('set', item.station, item.address, item.wire);
    expectEqual(`sending ${item.code}`, await peer.numbers('send', item.station, item.address), [1]);
    const isNew = async () => {
      const time = Date.parse((await channel.rows()).get(item.code)?.source_time ?? '');
      return time >= since && time <= Date.now();
    };
    await expectSoon(`${item.code} has the time at which it was set`, isNew, true);
    expectEqual(item.code, await shown(channel, item.code), [item.value, 'good']);
  }
  const entries = (await channel.events(before)).filter((event) => event.kind === 'change');
  for (const item of TIMED) {
    const entry = entries.find((event) => event.code === item.code);
    expectEqual(`the event of ${item.code}`, entry && [tidy(entry.value), isNear(entry)], [item.value, true]);
  }
}

async function checkCommands(report: Report, name: string, channel: Channel, peer: Peer): Promise<void> {
  await peer.ask('received');
  await report.check(`${name}: direct commands of every type`, async () => {
    const outcomes = await Promise.all(CONTROLS.map((item) => channel.command(item.code, 'operate', item.value)));
    const arrived = (await received(peer)).map(orderOf).sort();
    expectEqual('the outcomes', outcomes.map(({ outcome }) => outcome).join(), CONTROLS.map(() => 'accepted').join());
    expectEqual('the commands', arrived, CONTROLS.map(({ address, wire }) => `${address}/${wire}/execute`).sort());
  });
  await report.check(`${name}: the qualifier arrives`, async () => {
    const { outcome } = await channel.command('C_SC_NA_1', 'operate', 0, { qualifier: 2 });
    expectEqual('outcome', outcome, 'accepted');
    expectEqual('the command', await received(peer), [`${CA}/${0x6001}/0/execute/2`]);
  });
  await report.check(`${name}: select and execute as one command`, async () => {
    const { outcome, stages } = await channel.command(SELECTED.code, 'operate', SELECTED.value);
    expectEqual('the command', [outcome, stages.some((stage) => stage.name === 'selected')], ['accepted', true]);
    // the library tells its program of executions only; a selection is seen by its confirmation
    expectEqual('at the peer', (await received(peer)).map(orderOf), [`${SELECTED.address}/${SELECTED.wire}/execute`]);
  });
  await report.check(`${name}: select, then execute; select, then cancel`, async () => {
    expectEqual('select', (await channel.command('SBO', 'select', 0)).outcome, 'accepted');
    expectEqual('execute', (await channel.command('SBO', 'execute', 0)).outcome, 'accepted');
    expectEqual('select again', (await channel.command('SBO', 'select', 1)).outcome, 'accepted');
    // the library takes a cancellation for a selection and confirms it as one: nothing that could be taken for an end of the selection
    expectEqual('cancel', (await channel.command('SBO', 'cancel', 1)).outcome, 'unknown');
    expectEqual('execute behind it', await channel.statusOf('SBO', 'execute', 1), 409);
    // what the library took for one
    expectEqual('select a third time', (await channel.command('SBO', 'select', 1)).outcome, 'accepted');
    await channel.command('SBO', 'execute', 1);
    await peer.ask('received');
  });
  await report.check(`${name}: refusals are results`, async () => {
    expectEqual('status of an execute without select', await channel.statusOf('SBO', 'execute', 1), 409);
    await peer.numbers('refuse', CA, CONTROLS[0]?.address ?? 0);
    expectEqual('refused', (await channel.command('C_SC_NA_1', 'operate', 1)).outcome, 'rejected');
    await peer.numbers('accept', CA, CONTROLS[0]?.address ?? 0);
    const { outcome, stages } = await channel.command('MISSING', 'operate', 1);
    expectEqual('unknown object', [outcome, stages.some((stage) => /47/.test(stage.detail))], ['rejected', true]);
    expectEqual('status of a write that is refused', (await channel.write('MISSING', 1)).status, 502);
    await peer.ask('received');
  });
  await report.check(`${name}: the related point reacts, and it is measured`, async () => {
    await peer.numbers('set', CA, FOLLOWER.address, 1);
    const { reaction } = await channel.command('RELATED', 'operate', 1);
    expectEqual('the reaction', reaction && [reaction.code, reaction.after], ['FOLLOWER', 1]);
    await peer.ask('received');
  });
}

async function checkOperations(report: Report, name: string, channel: Channel, peer: Peer, service: Service): Promise<void> {
  await report.check(`${name}: operations by name`, async () => {
    for (const [operation, params] of [
      ['general_interrogation', {}],
      ['counter_interrogation', {}],
      ['counter_freeze', { action: 'freeze' }],
      ['counter_freeze', { action: 'freeze_reset' }],
      ['counter_freeze', { action: 'reset' }],
      ['test', {}],
      ['clock_synchronization', { common_address: CA }],
    ] as const) {
      const { outcome, stages } = await channel.operate(operation, params);
      expectEqual(`${operation} (${stages.map((stage) => stage.detail).join(' ')})`, outcome, 'accepted');
    }
    const [, offset] = await peer.ask('clock');
    expectEqual(`the clock of the station is set, ${offset} ms off`, Math.abs(Number(offset)) < MOST_DELAY_MS, true);
    const missing = await channel.operate('general_interrogation', { common_address: 99 });
    expectEqual('of a station that is not there', missing.outcome, 'rejected');
    // the library has no groups
    const group = await channel.operate('general_interrogation', { common_address: CA, group: 1 });
    expectEqual('of a group', group.outcome, 'rejected');
  });
  await report.check(`${name}: an interrogation of all stations is answered by each`, async () => {
    await peer.numbers('set', CA, 0x4021, 111.5);
    await peer.numbers('set', OTHER_CA, 0x4021, -1.5);
    expectEqual('outcome', (await channel.operate('general_interrogation', { common_address: 65_535 })).outcome, 'accepted');
    await expectSoon('a value of the first', () => channel.value('M_ME_NC_1_16417'), 111.5);
    await expectSoon('a value of the second', () => channel.value('OTHER_4021'), -1.5);
  });
  await report.check(`${name}: an object that is in no table is listed, ready to be added`, async () => {
    await peer.numbers('add', CA, UNKNOWN_ADDRESS, 'M_ME_TF_1');
    await peer.numbers('set', CA, UNKNOWN_ADDRESS, 3.5);
    await peer.numbers('send', CA, UNKNOWN_ADDRESS);
    const listed = async () => {
      const unknown = await service.ask<{ items: { slave_id: number; address: number; value: number }[] }>(
        'GET',
        `/api/channel/unknown_objects?channel_id=${channel.id}`,
      );
      return unknown.items.map((item) => [item.slave_id, item.address, item.value]);
    };
    await expectSoon('the list', listed, [[CA, UNKNOWN_ADDRESS, 3.5]]);
  });
  await report.check(`${name}: the end of an initialisation is told, and interrogated after`, async () => {
    await peer.numbers('set', CA, 2, 1);
    await peer.numbers('restart');
    await expectSoon('the value after it', () => channel.value('M_SP_NA_1_2'), 1);
    await expectSoon('the notice', async () => (await channel.events()).some((event) => /has started/.test(event.text)), true);
  });
}

async function checkLoss(report: Report, name: string, channel: Channel, peer: Peer): Promise<void> {
  await report.check(`${name}: a lost station is found again, and a command meanwhile is refused`, async () => {
    await peer.numbers('stop');
    await expectSoon('the status', () => channel.status(), 'reconnecting', 8000);
    expectEqual('status of a write', (await channel.write('C_SC_NA_1', 1)).status, 503);
    await peer.numbers('set', CA, 2, 0);
    await peer.numbers('start');
    await expectSoon('the status after it', () => channel.status(), 'running', 20_000);
    await expectSoon('the value after it', () => channel.value('M_SP_NA_1_2'), 0);
    expectEqual('commands that arrived', await received(peer), []);
  });
}

/** Address, value and step of a command as the peer tells it. */
function orderOf(word: string): string {
  const [, address, value, step] = word.split('/');
  return `${address}/${tidy(Number(value))}/${step}`;
}

async function received(peer: Peer): Promise<string[]> {
  const [state, ...words] = await peer.ask('received');
  if (state !== 'ok') throw new Error(words.join(' '));
  return words;
}

async function shown(channel: Channel, code: string) {
  const row = (await channel.rows()).get(code);
  return [tidy(row?.value), row?.quality];
}

function isNear({ device_time, received_at }: EventRow): boolean {
  return device_time !== null && Math.abs(Date.parse(device_time) - Date.parse(received_at)) < MOST_DELAY_MS;
}
