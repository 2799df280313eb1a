import { Channel } from '../channel.ts';
import type { Peer } from '../peer.ts';
import { expectEqual, expectSoon, type Report } from '../report.ts';
import { freePort, type Service } from '../service.ts';
import { asControl, asPoint, CA, CONTROLS, type Monitored, OTHER_CA, PLAIN, TOTALS, tidy } from './plant.ts';

/** Sent with time tag as they change: type without tag, type with it. */
const CHANGING: readonly (readonly [code: string, type: string, value: number, wire: number])[] = [
  ['M_SP_NA_1_2', 'M_SP_TB_1', 1, 1],
  ['M_DP_NA_1_11', 'M_DP_TB_1', 1, 2],
  ['M_ST_NA_1_21', 'M_ST_TB_1', -7, -7],
  ['M_BO_NA_1_30', 'M_BO_TB_1', 5, 5],
  ['M_ME_NA_1_16385', 'M_ME_TD_1', -0.5, -0.5],
  ['M_ME_NB_1_16401', 'M_ME_TE_1', 77, 77],
  ['M_ME_NC_1_16417', 'M_ME_TF_1', 49.5, 49.5],
];
const FOLLOWER = { ...(PLAIN[0] as Monitored), code: 'FOLLOWER', address: 60, wire: 0, value: 0 };
const served = [...PLAIN, ...TOTALS, FOLLOWER];

/** Our controlled station, with its port. */
export interface OurStation {
  readonly channel: Channel;
  readonly port: number;
}

/** With TLS nothing is waiting for the first client, because the library would leave it lying (see `checkServer`). */
export async function openStation(service: Service, name: string, tls = {}): Promise<OurStation> {
  const port = await freePort();
  const channel = await Channel.open(
    service,
    {
      name,
      protocol_type: 3,
      conn_type: 1,
      port,
      protocol: { time_zone: 'UTC', execution_ms: 50, reaction_ms: 100, select_timeout_s: 2, ...tls },
    },
    [
      ...served.map(asPoint),
      ...CONTROLS.map((item) => ({ ...asControl(item), ...(item.code === 'C_SC_NA_1' ? { related_code: FOLLOWER.code } : {}) })),
    ],
  );
  for (const item of served) {
    // a point that shows one bit sets that bit
    const answer = await channel.write(item.code, item.value);
    if (answer.status !== 200) throw new Error(`${item.code} answers ${answer.status} ${answer.message}`);
  }
  return { channel, port };
}

/**
 * A controlling station of lib60870 against ours; `makePeer` starts another one for a fresh session. With TLS the library reads one message
 * for each arrival of octets and leaves the rest lying, so that answers of many messages at once are left out then.
 */
export async function checkServer(report: Report, name: string, makePeer: () => Peer, station: OurStation): Promise<void> {
  const { channel } = station;
  // what changed before anybody was there is sent to the first one that comes
  await withCentre(makePeer, async (peer) => {
    await expectSoon('the events of the start', async () => (await peer.numbers('objects', CA))[0] !== 0, true);
  });
  await withCentre(makePeer, (peer) => checkReading(report, name, peer), expectAll);
  await withCentre(makePeer, async (peer) => {
    await report.check(`${name}: direct commands of every type`, () => checkCommands(peer, channel, false));
    await report.check(`${name}: select and execute of every type that has it`, () => checkCommands(peer, channel, true));
    await report.check(`${name}: a command to an unknown object is refused`, async () => {
      expectEqual('the command', await peer.numbers('command', CA, 0x6099, 'C_SC_NA_1', 1), [0]);
    });
    await report.check(`${name}: the related point follows a command`, async () => {
      await peer.numbers('command', CA, 0x6001, 'C_SC_NA_1', 0);
      await expectSoon('before', () => channel.value('FOLLOWER'), 0);
      await peer.numbers('command', CA, 0x6001, 'C_SC_NA_1', 1);
      await expectSoon('after', () => channel.value('FOLLOWER'), 1);
    });
  });
  await withCentre(makePeer, async (peer) => {
    await report.check(`${name}: changes are sent at once with their time`, async () => {
      for (const [code, type, value, wire] of CHANGING) {
        const item = PLAIN.find((one) => one.code === code);
        if (!item) throw new Error(`there is no ${code}`);
        await channel.write(code, value);
        await expectSoon(code, async () => facts(await peer.ask('get', CA, item.address)), [type, wire]);
        const [, , , , at] = await peer.ask('get', CA, item.address);
        expectEqual(`the time of ${code} is near`, Math.abs(Number(at) - Date.now()) < 3000, true);
      }
    });
    await report.check(`${name}: two controlling stations at once`, () =>
      withCentre(makePeer, async (second) => {
        await channel.write('M_SP_NA_1_1', 0);
        for (const one of [peer, second]) {
          await expectSoon('the change', async () => facts(await one.ask('get', CA, 1)), ['M_SP_TB_1', 0]);
        }
      }),
    );
  });
}

async function checkReading(report: Report, name: string, peer: Peer): Promise<void> {
  await report.check(`${name}: interrogation brings every object of the asked station`, async () => {
    expectEqual('the interrogation', await peer.numbers('interrogate', CA), [1]);
    for (const item of PLAIN.filter(isPlain)) await expectObject(peer, item, item.type);
    expectEqual('the interrogation of the other station', await peer.numbers('interrogate', OTHER_CA), [1]);
    for (const item of PLAIN.filter((one) => one.station === OTHER_CA)) await expectObject(peer, item, item.type);
    expectEqual('of a station that is not there', await peer.numbers('interrogate', 99), [0]);
  });
  await report.check(`${name}: counters are read and frozen`, async () => {
    expectEqual('the counter interrogation', await peer.numbers('counters', CA), [1]);
    for (const item of TOTALS) await expectObject(peer, item, item.type);
    // the library waits for a termination, which a freeze does not have
    for (const freeze of [1, 2, 3]) await peer.numbers('counters', CA, freeze);
    expectEqual('the counter interrogation after it', await peer.numbers('counters', CA), [1]);
  });
  await report.check(`${name}: read, clock and test commands`, async () => {
    for (const item of PLAIN.filter(isPlain)) {
      expectEqual(`read ${item.code}`, await peer.numbers('read', CA, item.address), [1]);
    }
    expectEqual('read of an object that is not there', await peer.numbers('read', CA, 900, 'M_SP_NA_1'), [0]);
    expectEqual('clock', await peer.numbers('clock', CA), [1]);
    expectEqual('test', await peer.numbers('test', CA), [1]);
  });
}

/** Objects of the first station whose value is that of one point. */
function isPlain(item: Monitored): boolean {
  return item.station === CA && item.bit === undefined;
}

async function checkCommands(peer: Peer, channel: Channel, isSelected: boolean): Promise<void> {
  for (const item of CONTROLS.filter((one) => one.hasSelect || !isSelected)) {
    const mode = isSelected ? ['select'] : [];
    await channel.write(item.code, item.frameType === 2 ? 1 - item.value : 0);
    expectEqual(item.code, await peer.numbers('command', CA, item.address, item.type, item.wire, ...mode), [1]);
    await expectSoon(`${item.code} at the station`, async () => tidy(await channel.value(item.code)), item.value);
  }
}

/** The library loses some of several new objects that come in one message, so that all are named before. */
async function expectAll(peer: Peer): Promise<void> {
  for (const item of [...PLAIN, ...TOTALS]) await peer.numbers('expect', item.station, item.address, item.type);
}

async function withCentre(
  makePeer: () => Peer,
  body: (peer: Peer) => Promise<void>,
  prepare: (peer: Peer) => Promise<void> = async () => {},
): Promise<void> {
  const peer = makePeer();
  try {
    await peer.line();
    await prepare(peer);
    await peer.numbers('connect');
    await body(peer);
  } finally {
    await peer.end();
  }
}

async function expectObject(peer: Peer, item: Monitored, type: string): Promise<void> {
  const answer = await peer.ask('get', item.station, item.address);
  expectEqual(item.code, [...facts(answer), answer[3]], [type, item.wire, '-']);
}

/** Type and value of an object as the peer has it. */
function facts([, type, value]: readonly string[]): unknown[] {
  return [type, tidy(Number(value))];
}
