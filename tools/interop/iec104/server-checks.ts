import { Channel, type PointFields } from '../channel.ts';
import type { Peer } from '../peer.ts';
import { expectEqual, expectSoon, type Report } from '../report.ts';
import { freePort, type Service } from '../service.ts';
import { asControl, asPoint, CA, CONTROLS, type Controlled, type Monitored, OTHER_CA, PLAIN, TOTALS, tidy } from './plant.ts';

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
const SELECTED: Controlled = { ...(CONTROLS[0] as Controlled), code: 'SBO', address: 0x6031 };
const LOCKED: Controlled = { ...SELECTED, code: 'LOCKED', address: 0x6032 };
/** Group of one measured value and of one counter. */
const GROUP = 3;
const GROUPED: readonly string[] = ['M_ME_NC_1_16417', 'M_IT_NA_1_25601'];
const FOLLOWER = { ...(PLAIN[0] as Monitored), code: 'FOLLOWER', address: 60, wire: 0, value: 0 };
const served = [...PLAIN, ...TOTALS, FOLLOWER];

/** A served object as a point of the table. */
function servedPoint(item: Monitored): PointFields {
  const point = asPoint(item);
  return GROUPED.includes(item.code) ? { ...point, protocol: { type_id: item.typeId, group: GROUP } } : point;
}

/** Our controlled station, with its port. */
export interface OurStation {
  readonly channel: Channel;
  readonly port: number;
}

/** With TLS nothing is waiting for the first client, because the library would leave it lying (see `checkServer`). */
export async function openStation(service: Service, name: string, changes = {}): Promise<OurStation> {
  const port = await freePort();
  const channel = await Channel.open(
    service,
    {
      name,
      protocol_type: 3,
      conn_type: 1,
      port,
      protocol: { time_zone: 'UTC', execution_ms: 50, reaction_ms: 100, select_timeout_s: 2, ...changes },
    },
    [
      ...served.map(servedPoint),
      asControl(SELECTED, { select_before_operate: true }),
      asControl(LOCKED, { locked: true }),
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

/** A controlling station of lib60870 against ours; `makePeer` starts another one for a fresh session. */
export async function checkServer(report: Report, name: string, makePeer: () => Peer, station: OurStation): Promise<void> {
  const { channel } = station;
  await report.check(`${name}: the start of both stations, then what changed before anybody was there`, () =>
    withCentre(makePeer, async (peer) => {
      await expectSoon('the starts', gathered(peer, 'initialized'), [`${CA}/0`, `${OTHER_CA}/0`]);
      await expectSoon('a value', async () => facts(await peer.ask('get', CA, 1)), ['M_SP_TB_1', 1]);
    }),
  );
  await withCentre(makePeer, (peer) => checkReading(report, name, peer), expectAll);
  await withCentre(makePeer, async (peer) => {
    await report.check(`${name}: direct commands of every type`, () => checkCommands(peer, channel, false));
    await report.check(`${name}: select and execute of every type that has it`, () => checkCommands(peer, channel, true));
    await report.check(`${name}: a command to an unknown object is refused`, async () => {
      expectEqual('the command', await peer.numbers('command', CA, 0x6099, 'C_SC_NA_1', 1), [0]);
    });
    await report.check(`${name}: a command without the selection that its point asks for is refused`, async () => {
      expectEqual('direct', await peer.numbers('command', CA, SELECTED.address, SELECTED.type, SELECTED.wire), [0]);
      expectEqual('with it', await peer.numbers('command', CA, SELECTED.address, SELECTED.type, SELECTED.wire, 'select'), [1]);
    });
    await report.check(`${name}: values that cannot be carried out are refused, and the connection stays`, async () => {
      for (const value of ['nan', 'inf', '-inf']) {
        expectEqual(value, await peer.numbers('command', CA, 0x6203, 'C_SE_NC_1', value), [0]);
      }
      expectEqual('a value that can', await peer.numbers('command', CA, 0x6203, 'C_SE_NC_1', 7.5), [1]);
    });
    await report.check(`${name}: a command to a locked point is refused`, async () => {
      expectEqual('the command', await peer.numbers('command', CA, LOCKED.address, LOCKED.type, LOCKED.wire), [0]);
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
    await report.check(`${name}: quality letters arrive`, async () => {
      for (const flag of ['IV', 'NT', 'SB', 'BL']) {
        expectEqual(flag, (await channel.command('M_SP_NA_1_2', 'operate', 1, { flags: [flag] })).outcome, 'accepted');
        await expectSoon(flag, async () => (await peer.ask('get', CA, 2))[3], flag);
      }
      await channel.command('M_ME_NC_1_16417', 'operate', 49.5, { flags: ['OV'] });
      await expectSoon('OV', async () => (await peer.ask('get', CA, 0x4021))[3], 'OV');
    });
    await report.check(`${name}: what changes while data transfer is stopped comes after its start`, async () => {
      await peer.numbers('stop');
      await channel.write('M_DP_NA_1_12', 0);
      await peer.numbers('start');
      await expectSoon('the change', async () => facts(await peer.ask('get', CA, 12)), ['M_DP_TB_1', 1]);
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

/** A station that sends by itself, with one redundancy group. */
export async function checkGroup(report: Report, name: string, makePeer: () => Peer, { channel }: OurStation): Promise<void> {
  await report.check(`${name}: periodic transmission and background scan`, () =>
    withCentre(makePeer, async (peer) => {
      const causes = new Set<string>();
      const isComplete = async () => {
        for (const word of await peer.ask('seen')) if (word.startsWith(`${CA}/13/`)) causes.add(word.split('/')[2] ?? '');
        return causes.has('1') && causes.has('2');
      };
      await expectSoon('both causes', isComplete, true, 5000);
    }),
  );
  await report.check(`${name}: the start of a second connection takes over, with what happened between`, () =>
    withCentre(makePeer, async (first) => {
      await withCentre(makePeer, async (second) => {
        const told = async () => (await channel.events()).some((event) => /another connection of its redundancy group/.test(event.text));
        await expectSoon('the notice', told, true);
        await first.end();
        await channel.write('M_SP_NA_1_2', 1);
        await expectWords('the change', second, [`${CA}/30/3/1`], (word) => word.startsWith(`${CA}/30/3/`));
      });
      await channel.write('M_SP_NA_1_2', 0);
      await withCentre(makePeer, async (third) => {
        // the change before comes once more where it was not acknowledged
        const isThere = async () => (await third.ask('seen')).some((word) => word.startsWith(`${CA}/30/3/`));
        await expectSoon('the change that waited', isThere, true);
      });
    }),
  );
}

async function checkReading(report: Report, name: string, peer: Peer): Promise<void> {
  await report.check(`${name}: interrogation brings every object of the asked station`, async () => {
    for (const station of [CA, OTHER_CA]) {
      await peer.numbers('interrogate', station);
      // changes of before may come first
      await expectWords('confirmation and termination', peer, ends(100, station), isOf(100));
      for (const item of PLAIN.filter((one) => one.station === station && one.bit === undefined)) await expectObject(peer, item);
    }
    await peer.numbers('interrogate', 99);
    await expectWords('of a station that is not there', peer, ['99/100/-46/1'], isOf(100));
  });
  await report.check(`${name}: interrogation of a group, of all stations, and its deactivation`, async () => {
    await peer.numbers('interrogate', CA, GROUP);
    const [confirmation = '', termination = ''] = ends(100);
    await expectWords('a group', peer, [confirmation, `${CA}/13/${20 + GROUP}/1`, termination]);
    await peer.numbers('interrogate', CA, GROUP + 1);
    await expectWords('a group without objects', peer, [`${CA}/100/-7/1`]);
    await peer.numbers('interrogate', 65_535);
    const isEnd = (word: string) => word.endsWith('/100/10/1');
    await expectWords('the ends of all stations', peer, [`${CA}/100/10/1`, `${OTHER_CA}/100/10/1`], isEnd);
    await peer.numbers('cancel', CA);
    await expectWords('a deactivation with nothing under way', peer, [`${CA}/100/-9/1`]);
  });
  await report.check(`${name}: counters are read, by groups and frozen`, async () => {
    const [confirmation = '', termination = ''] = ends(101);
    await peer.numbers('counters', CA);
    await expectWords('the counter interrogation', peer, [confirmation, `${CA}/15/37/${TOTALS.length}`, termination]);
    for (const item of TOTALS) await expectObject(peer, item);
    await peer.numbers('counters', CA, GROUP);
    await expectWords('a group', peer, [confirmation, `${CA}/15/${37 + GROUP}/1`, termination]);
    for (const mode of [1, 2, 3]) {
      await peer.numbers('freeze', CA, mode);
      await expectWords(`a freeze ${mode}`, peer, [confirmation]);
    }
  });
  await report.check(`${name}: read, clock and test commands`, async () => {
    for (const item of PLAIN.filter((one) => one.station === CA && one.bit === undefined)) {
      await peer.numbers('read', CA, item.address, item.type);
      await expectWords(`a read of ${item.code}`, peer, [`${CA}/${item.typeId}/5/1`]);
    }
    await peer.numbers('read', CA, 900, 'M_SP_NA_1');
    await expectWords('a read of an object that is not there', peer, [`${CA}/102/-47/1`]);
    await peer.numbers('clock', CA);
    await expectWords('a clock synchronization', peer, [`${CA}/103/7/1`]);
    await peer.numbers('test', CA);
    await expectWords('a test', peer, [`${CA}/107/7/1`]);
    await peer.numbers('test', CA, 'plain');
    await expectWords('a test of the serial profile', peer, [`${CA}/104/-44/1`]);
  });
}

/** Asks for the messages that came, again and again, until they are what is expected; only those that `isMeant` count. */
async function expectWords(what: string, peer: Peer, expected: readonly string[], isMeant = (_: string) => true): Promise<void> {
  await expectSoon(what, gathered(peer, 'seen', isMeant), expected);
}

/** Everything that the peer has told so far in answer to a question that tells each thing once. */
function gathered(peer: Peer, question: string, isMeant = (_: string) => true): () => Promise<string[]> {
  const words: string[] = [];
  return async () => {
    const [state, ...more] = await peer.ask(question);
    if (state !== 'ok') throw new Error(more.join(' '));
    words.push(...more.filter(isMeant));
    return words;
  };
}

/** Confirmation and termination of an inquiry as the peer tells them. */
function ends(type: number, station = CA): string[] {
  return [`${station}/${type}/7/1`, `${station}/${type}/10/1`];
}

function isOf(type: number): (word: string) => boolean {
  return (word) => word.split('/')[1] === String(type);
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

async function expectObject(peer: Peer, item: Monitored): Promise<void> {
  const ask = async () => {
    const answer = await peer.ask('get', item.station, item.address);
    return [...facts(answer), answer[3]];
  };
  await expectSoon(item.code, ask, [item.type, item.wire, '-']);
}

/** Type and value of an object as the peer has it. */
function facts([, type, value]: readonly string[]): unknown[] {
  return [type, tidy(Number(value))];
}
