/** Which confirmation belongs to which command: stations that are legal and unhelpful, late, twice, with something else. */
import { describe, expect, it } from 'vitest';
import type { CommandStep } from '#shared/domain/enums.ts';
import { settle } from '../../../platform/manual-clock.ts';
import type { DriverCommandResult, PointConfig } from '../../spi/index.ts';
import { exchangeContext } from '../../testing/sinks.ts';
import { mirrorAsdu } from '../codec/asdu.ts';
import { Cause } from '../codec/causes.ts';
import { ClientBench, codeOf, floats, yk, yt } from '../testing/client-bench.ts';

const OFF = 0;
const ON = 1;

const execute = (bench: ClientBench, point: PointConfig, step: CommandStep, value?: number) =>
  bench.client.execute({ point, step, value, options: {} });
const stages = (result: DriverCommandResult) => result.stages.map((stage) => stage.name);

/** A request of the client as the station mirrors it, with some octets changed. */
function changed(bench: ClientBench, request: number, cause: number, alter: (octets: Uint8Array) => void): Uint8Array {
  const octets = mirrorAsdu(bench.requestOctets[request] ?? new Uint8Array(10), cause, false);
  alter(octets);
  return octets;
}

/** Changes one octet. */
const change = (at: number, to: (octet: number) => number) => (octets: Uint8Array) => {
  octets[at] = to(octets[at] ?? 0);
};

/** The command was given up, unanswered. */
async function givenUp(bench: ClientBench, point: PointConfig, value: number): Promise<void> {
  const result = execute(bench, point, 'operate', value);
  await bench.clock.advance(1000);
  expect((await result).outcome).toBe('unknown');
}

describe.each([
  ['single command', yk(1, 5, 45)],
  ['double command', yk(1, 5, 46)],
  ['step command', yk(1, 5, 47)],
  ['single command with time tag', yk(1, 5, 58)],
  ['double command with time tag', yk(1, 5, 59)],
  ['step command with time tag', yk(1, 5, 60)],
  ['normalized set point', yt(1, 5, 48)],
  ['scaled set point', yt(1, 5, 49)],
  ['float set point', yt(1, 5, 50)],
  ['bitstring', yt(1, 5, 51)],
  ['normalized set point with time tag', yt(1, 5, 61)],
  ['scaled set point with time tag', yt(1, 5, 62)],
  ['float set point with time tag', yt(1, 5, 63)],
  ['bitstring with time tag', yt(1, 5, 64)],
])('%s', (_name, point) => {
  it('ON confirmed late: an event, and a later OFF that nobody confirms is unknown', async () => {
    const bench = await ClientBench.started({ points: [point] });
    await givenUp(bench, point, ON);
    const off = execute(bench, point, 'operate', OFF);
    await bench.mirror(0, Cause.activationCon);
    await bench.mirror(0, Cause.activationTermination);
    await bench.clock.advance(1000);
    expect([(await off).outcome, stages(await off)]).toEqual(['unknown', ['sent', 'unanswered']]);
    expect(bench.notices[0]).toMatch(/^Late by its time: the command .* to P1 .* was confirmed 1\.0 s after it was sent/);
    expect(bench.notices[1]).toContain('was terminated');
    expect(bench.values()).toEqual([]);
  });

  it('ON refused late: an event, and a later OFF that is confirmed is accepted', async () => {
    const bench = await ClientBench.started({ points: [point] });
    await givenUp(bench, point, ON);
    const off = execute(bench, point, 'operate', OFF);
    await bench.mirror(0, Cause.activationCon, true);
    await bench.mirror(1, Cause.activationCon);
    await bench.mirror(1, Cause.activationTermination);
    expect((await off).outcome).toBe('accepted');
    expect(bench.notices).toHaveLength(1);
    expect(bench.notices[0]).toContain('refused (cause 7');
  });

  it('the same command pressed twice, and only one confirmation: accepted is said of none', async () => {
    const bench = await ClientBench.started({ points: [point] });
    await givenUp(bench, point, ON);
    const again = execute(bench, point, 'operate', ON);
    await bench.mirror(0, Cause.activationCon);
    await bench.clock.advance(1000);
    expect((await again).outcome).toBe('unknown');
    expect(bench.notices).toHaveLength(1);
  });

  it('the same command pressed twice, and both are confirmed late: the second one counts', async () => {
    const bench = await ClientBench.started({ points: [point] });
    await givenUp(bench, point, ON);
    const again = execute(bench, point, 'operate', ON);
    await bench.mirror(0, Cause.activationCon);
    await bench.mirror(1, Cause.activationCon);
    await bench.mirror(1, Cause.activationTermination);
    expect((await again).outcome).toBe('accepted');
  });

  it.each([
    ['another value', change(9, (octet) => octet ^ 3)],
    ['another common address', change(4, () => 2)],
    ['another object address', change(6, () => 9)],
    ['another originator address', change(3, () => 9)],
    ['the test bit', change(2, (octet) => octet | 0x80)],
    ['cause 6', change(2, () => Cause.activation)],
    ['cause 9', change(2, () => Cause.deactivationCon)],
    ['cause 3', change(2, () => Cause.spontaneous)],
  ])('a confirmation with %s is not its confirmation', async (_what, alter) => {
    const bench = await ClientBench.started({ points: [point] });
    const result = execute(bench, point, 'operate', ON);
    await settle();
    await bench.send(changed(bench, 0, Cause.activationCon, alter));
    await bench.clock.advance(1000);
    expect([(await result).outcome, bench.health.lates, bench.notices.length]).toEqual(['unknown', 1, 1]);
  });

  it('a confirmation that comes twice is not the termination', async () => {
    const bench = await ClientBench.started({ points: [point] });
    const result = execute(bench, point, 'operate', ON);
    await bench.mirror(0, Cause.activationCon);
    await bench.mirror(0, Cause.activationCon);
    await bench.clock.advance(10_000);
    expect(stages(await result)).toEqual(['sent', 'confirmed', 'not_terminated']);
    expect(bench.notices[0]).toContain('came again');
  });
});

describe('time tags', () => {
  const point = yk(1, 5, 58);

  it('a confirmation with another time tag belongs to another command', async () => {
    const bench = await ClientBench.started({ points: [point] });
    const result = execute(bench, point, 'operate', ON);
    await settle();
    await bench.send(
      changed(
        bench,
        0,
        Cause.activationCon,
        change(10, () => 1),
      ),
    );
    await bench.clock.advance(1000);
    expect((await result).outcome).toBe('unknown');
  });

  it('reserved bits of the time tag and a missing day of week do not matter', async () => {
    const bench = await ClientBench.started({ points: [point] });
    const result = execute(bench, point, 'operate', ON);
    await settle();
    const alter = (octets: Uint8Array) => {
      // hour, day with its day of week, month, year
      octets[13] = (octets[13] ?? 0) | 0x60;
      octets[14] = (octets[14] ?? 0) & 0x1f;
      octets[15] = (octets[15] ?? 0) | 0xf0;
      octets[16] = (octets[16] ?? 0) | 0x80;
    };
    await bench.send(changed(bench, 0, Cause.activationCon, alter), changed(bench, 0, Cause.activationTermination, alter));
    expect((await result).outcome).toBe('accepted');
  });
});

describe('selection', () => {
  const point = yk(1, 5, 45, { protocol: { type_id: 45, select_before_operate: true } });

  it('a select that is confirmed twice never counts as the execute', async () => {
    const bench = await ClientBench.started({ points: [point] });
    const result = execute(bench, point, 'operate', ON);
    await bench.mirror(0, Cause.activationCon);
    await bench.mirror(0, Cause.activationCon);
    await bench.clock.advance(1000);
    expect([(await result).outcome, stages(await result)]).toEqual(['unknown', ['select_sent', 'selected', 'sent', 'unanswered']]);
    expect(bench.notices[0]).toContain('came again for the selection');
  });

  it.each(['without a select', 'after a select that was refused', 'after a select that was confirmed late', 'after its execute'])(
    'execute %s: 409, nothing sent',
    async (before) => {
      const bench = await ClientBench.started({ points: [point] });
      if (before !== 'without a select') {
        const selected = execute(bench, point, 'select', ON);
        if (before.endsWith('late')) await bench.clock.advance(1000);
        await bench.mirror(0, Cause.activationCon, before.endsWith('refused'));
        await selected;
      }
      if (before === 'after its execute') {
        const executed = execute(bench, point, 'execute', ON);
        await bench.clock.advance(1000);
        expect((await executed).outcome).toBe('unknown');
      }
      const sent = bench.requests.length;
      expect(await codeOf(execute(bench, point, 'execute', ON))).toBe('STATE_CONFLICT');
      expect(bench.requests).toHaveLength(sent);
    },
  );

  it('execute with another value than selected: 409, and the selection still stands', async () => {
    const bench = await ClientBench.started({ points: [point] });
    const selected = execute(bench, point, 'select', ON);
    await bench.mirror(0, Cause.activationCon);
    await selected;
    expect(await codeOf(execute(bench, point, 'execute', OFF))).toBe('STATE_CONFLICT');
    const executed = execute(bench, point, 'execute', ON);
    await bench.mirror(1, Cause.activationCon);
    await bench.mirror(1, Cause.activationTermination);
    expect((await executed).outcome).toBe('accepted');
  });

  it('a selection ends with its connection', async () => {
    const memory = new Map<string, unknown>();
    const first = await ClientBench.started({ points: [point], memory });
    const selected = execute(first, point, 'select', ON);
    await first.mirror(0, Cause.activationCon);
    await selected;
    await first.lose();
    const second = await ClientBench.started({ points: [point], memory });
    expect(await codeOf(execute(second, point, 'execute', ON))).toBe('STATE_CONFLICT');
    expect(second.requests).toEqual([]);
  });

  it('the time tags of select and execute may differ', async () => {
    const timed = yk(1, 5, 58);
    const bench = await ClientBench.started({ points: [timed] });
    const selected = execute(bench, timed, 'select', ON);
    await bench.mirror(0, Cause.activationCon);
    await selected;
    await bench.clock.advance(5000);
    const executed = execute(bench, timed, 'execute', ON);
    await bench.mirror(1, Cause.activationCon);
    await bench.mirror(1, Cause.activationTermination);
    expect((await executed).outcome).toBe('accepted');
  });
});

describe('a station acknowledges what it answers', () => {
  const point = yk(1, 5);

  it('a confirmation that was sent before the command had reached the station is of an equal one before', async () => {
    const bench = await ClientBench.started({ points: [point] });
    const first = execute(bench, point, 'operate', ON);
    await bench.mirror(0, Cause.activationCon);
    await bench.mirror(0, Cause.activationTermination);
    await first;
    // the second one is on its way while the station repeats what it said
    bench.isStationUp = false;
    const second = execute(bench, point, 'operate', ON);
    await bench.mirror(0, Cause.activationCon);
    await bench.clock.advance(1000);
    expect((await second).outcome).toBe('unknown');
    expect(bench.notices[0]).toContain('came again');
  });

  it('what is owed for longer than the time of a termination is not waited for', async () => {
    const bench = await ClientBench.started({ points: [point], protocol: { termination_timeout_s: 2 } });
    await givenUp(bench, point, ON);
    await bench.clock.advance(2001);
    const again = execute(bench, point, 'operate', ON);
    await bench.mirror(1, Cause.activationCon);
    await bench.mirror(1, Cause.activationTermination);
    expect((await again).outcome).toBe('accepted');
  });

  it('a late termination is an event, and ends the next equal command only when nothing else is owed', async () => {
    const bench = await ClientBench.started({ points: [point], protocol: { termination_timeout_s: 2 } });
    const first = execute(bench, point, 'operate', ON);
    await bench.mirror(0, Cause.activationCon);
    await bench.clock.advance(2000);
    expect(stages(await first)).toEqual(['sent', 'confirmed', 'not_terminated']);
    await bench.mirror(0, Cause.activationTermination);
    expect(bench.notices[0]).toContain('was terminated 2.0 s after it was sent');
  });
});

describe('questions and other requests', () => {
  it('a clock synchronization that is confirmed late does not confirm the next one', async () => {
    const bench = await ClientBench.started();
    const sync = () => bench.client.operate('clock_synchronization', { common_address: 1 }, exchangeContext());
    const first = sync();
    await bench.clock.advance(1000);
    expect((await first).outcome).toBe('unknown');
    const second = sync();
    await bench.mirror(0, Cause.activationCon);
    await bench.clock.advance(1000);
    expect((await second).outcome).toBe('unknown');
    expect(bench.notices[0]).toContain('the clock synchronization of common address 1 was confirmed');
  });

  it('a test command is confirmed by its own counter only', async () => {
    const bench = await ClientBench.started();
    const test = () => bench.client.operate('test', { common_address: 1 }, exchangeContext());
    const first = test();
    await bench.clock.advance(1000);
    await first;
    const second = test();
    await bench.mirror(0, Cause.activationCon);
    await bench.clock.advance(1000);
    expect((await second).outcome).toBe('unknown');
  });

  it('the termination of an interrogation that was given up does not end the next one', async () => {
    const bench = await ClientBench.started({ protocol: { termination_timeout_s: 1 } });
    const ask = () => bench.client.operate('general_interrogation', { common_address: 1, group: 0 }, exchangeContext());
    const first = ask();
    await bench.mirror(0, Cause.activationCon);
    await bench.clock.advance(1000);
    expect((await first).outcome).toBe('unknown');
    const second = ask();
    await bench.mirror(0, Cause.activationTermination);
    await bench.mirror(1, Cause.activationCon);
    await bench.send(floats(Cause.stationInterrogation, { 1: 1 }));
    await bench.mirror(1, Cause.activationTermination);
    expect((await second).outcome).toBe('accepted');
    expect(bench.notices).toHaveLength(1);
  });

  it('a station that is always late by more than the timeout is read by its second answer', async () => {
    const bench = await ClientBench.started();
    const ask = () => bench.client.operate('general_interrogation', { common_address: 1, group: 0 }, exchangeContext());
    const first = ask();
    await bench.clock.advance(1000);
    await first;
    const second = ask();
    await bench.mirror(0, Cause.activationCon);
    await bench.mirror(0, Cause.activationTermination);
    expect((await second).outcome).toBe('accepted');
  });

  it('a station without originator addresses is read, and its confirmation of a command is told', async () => {
    const point = yk(1, 5);
    const bench = await ClientBench.started({ points: [point], protocol: { originator_address: 7 } });
    const asked = bench.client.operate('general_interrogation', { common_address: 1, group: 0 }, exchangeContext());
    await settle();
    const forget = change(3, () => 0);
    await bench.send(changed(bench, 0, Cause.activationCon, forget), changed(bench, 0, Cause.activationTermination, forget));
    expect((await asked).outcome).toBe('accepted');
    const result = execute(bench, point, 'operate', ON);
    await settle();
    await bench.send(changed(bench, 1, Cause.activationCon, forget));
    await bench.clock.advance(1000);
    expect((await result).outcome).toBe('unknown');
    expect(bench.notices[0]).toContain('it has originator address 0, 7 was sent');
  });

  it('a flood of messages that answer nothing is told fifty times and counted', async () => {
    const bench = await ClientBench.started();
    const asdu = Uint8Array.from([45, 1, 7, 0, 1, 0, 5, 0, 0, 1]);
    await bench.send(...Array.from({ length: 200 }, () => asdu));
    expect([bench.notices.length, bench.health.lates]).toEqual([50, 200]);
  });
});

describe('the frame log', () => {
  it('names the request of a late answer, and marks it as late', async () => {
    const point = yk(1, 5);
    const bench = await ClientBench.started({ points: [point] });
    await givenUp(bench, point, ON);
    await bench.mirror(0, Cause.activationCon);
    const isI = ({ bytes }: { bytes: Uint8Array }) => bytes[6] === 45;
    const sent = bench.frames.all.find((frame) => frame.kind === 'tx' && isI(frame));
    expect(bench.frames.all.find((frame) => frame.kind === 'late')).toMatchObject({ link: sent?.seq });
  });
});
