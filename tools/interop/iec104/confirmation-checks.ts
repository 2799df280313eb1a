/** Which confirmation our controlling station takes for which command: a late one of lib60870, and what only a raw socket sends. */
import { Channel } from '../channel.ts';
import type { Peer } from '../peer.ts';
import { expectEqual, expectSoon, type Report } from '../report.ts';
import type { Service } from '../service.ts';
import { CA } from './plant.ts';
import { carriedOut, openRawStation, type RawStation, type Script } from './raw-station.ts';

const CON = 0x07;
const TIMEOUT_MS = 400;
const yk = (code: string, address: number, protocol = {}) => ({
  frame_type: 2,
  code,
  address,
  slave_id: CA,
  protocol: { type_id: 45, ...protocol },
});

/** A command whose confirmation of lib60870 comes after `timeoutMs`, then the opposite one, which it refuses. */
export async function checkLateConfirmation(report: Report, name: string, channel: Channel, peer: Peer, timeoutMs: number): Promise<void> {
  await report.check(`${name}: a confirmation that came late is an event, and confirms no later command`, async () => {
    const address = 0x6001;
    const before = (await channel.events()).at(-1)?.seq ?? 0;
    await peer.numbers('delay', CA, address, timeoutMs + 500);
    const on = await channel.command('C_SC_NA_1', 'operate', 1);
    expectEqual('the outcome of ON', on.outcome, 'unknown');
    await peer.numbers('refuse', CA, address);
    const off = await channel.command('C_SC_NA_1', 'operate', 0);
    await peer.numbers('accept', CA, address);
    expectEqual('the outcome of OFF, which is refused', off.outcome, 'rejected');
    const told = async () => (await channel.events(before)).some((event) => /Late by its time: .* was confirmed/.test(event.text));
    await expectSoon('the event', told, true);
    const commands = await peer.ask('received');
    expectEqual('commands that arrived', commands.length - 1, 2);
  });
}

/** What a raw station answers, the step and the outcome it must have. */
interface Case {
  readonly what: string;
  readonly script: Script;
  readonly code: string;
  readonly outcome: string;
  readonly event: RegExp;
}

const CASES: readonly Case[] = [
  {
    what: 'a select that is confirmed twice is no confirmed execute',
    script: (asdu, mirror) => ((asdu[9] ?? 0) & 0x80 ? [mirror(CON), mirror(CON)] : []),
    code: 'SBO',
    outcome: 'unknown',
    event: /came again for the selection/,
  },
  {
    what: 'a confirmation with another value is none',
    script: (_asdu, mirror) => [mirror(CON, (octets) => void octets.set([(octets[9] ?? 0) ^ 1], 9))],
    code: 'DIRECT',
    outcome: 'unknown',
    event: /its element is 00, 01 was sent/,
  },
  {
    what: 'a confirmation with another qualifier is none',
    script: (_asdu, mirror) => [mirror(CON, (octets) => void octets.set([(octets[9] ?? 0) | 4], 9))],
    code: 'DIRECT',
    outcome: 'unknown',
    event: /its element is 05, 01 was sent/,
  },
  {
    what: 'a confirmation with another originator is none',
    script: (_asdu, mirror) => [mirror(CON, (octets) => void octets.set([77], 3))],
    code: 'DIRECT',
    outcome: 'unknown',
    event: /originator address 77, 5 was sent/,
  },
  { what: 'a command that is carried out', script: carriedOut, code: 'OTHER', outcome: 'accepted', event: /running/ },
];

/** Commands to a station that answers legally and unhelpfully. */
export async function checkRawStation(service: Service, report: Report): Promise<void> {
  const name = 'client of a raw station';
  const station = await openRawStation();
  const protocol = { originator_address: 5, general_interrogation: false, termination_timeout_s: 1 };
  const settings = { name, protocol_type: 3, conn_type: 2, port: station.port, timeout_ms: TIMEOUT_MS, protocol };
  const channel = await Channel.open(service, settings, [yk('DIRECT', 1), yk('SBO', 2, { select_before_operate: true }), yk('OTHER', 3)]);
  try {
    for (const item of CASES) await report.check(`${name}: ${item.what}`, () => checkCase(channel, station, item));
    await report.check(`${name}: execute without a selection is refused, and nothing leaves`, async () => {
      const sent = station.commands.length;
      expectEqual('the status', await channel.statusOf('SBO', 'execute', 1), 409);
      expectEqual('commands that arrived', station.commands.length, sent);
    });
  } finally {
    await channel.remove();
    await station.close();
  }
}

async function checkCase(channel: Channel, station: RawStation, { script, code, outcome, event }: Case): Promise<void> {
  station.script = script;
  expectEqual('the outcome', (await channel.command(code, 'operate', 1)).outcome, outcome);
  await expectSoon('the event', async () => (await channel.events()).some((entry) => event.test(entry.text)), true);
}
