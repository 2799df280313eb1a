import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import type { PointConfig } from '../../../spi/index.ts';
import { ask, context, float, point } from '../testing/asking.ts';
import { type Asked, boolean, Controller } from '../testing/controlling.ts';
import { named, ServedChannel } from '../testing/served-channel.ts';

const { yx, yk, yt } = FrameType;
const ON = boolean(true);
const OFF = boolean(false);
const NODE = 'BAY1LD0/GGIO1';
const key = (model: number) => `${NODE}$CO$SPCSO${model}`;
const state = (model: number) => `${NODE}$ST$SPCSO${model}$stVal`;

/** An object of every control model with its status, and a setpoint. */
const TABLE: readonly PointConfig[] = [
  ...[0, 1, 2, 3, 4].flatMap((model) => [
    point(10 + model, yk, `${NODE}.SPCSO${model}[CO]`, { protocol: { control_model: model } }),
    point(20 + model, yx, `${NODE}.SPCSO${model}.stVal[ST]`),
  ]),
  point(30, yt, `${NODE}.AnOut1[CO]`, { protocol: { control_model: 1 } }),
  point(31, FrameType.yc, `${NODE}.AnOut1.mxVal.f[MX]`),
];

async function bay(options: ConstructorParameters<typeof ServedChannel>[0] = {}) {
  const channel = new ServedChannel({ points: TABLE, ...options });
  return { channel, client: await Controller.open(channel) };
}

describe('control models', () => {
  it('1: Oper alone moves the object, and nothing follows', async () => {
    const { client, channel } = await bay();
    expect(await client.send(key(1), 'Oper', ON)).toBeNull();
    expect(await client.read(state(1))).toEqual(ON);
    await channel.clock.advance(60_000);
    expect(client.told).toEqual(['Oper null']);
  });

  it('2: a read of SBO selects, Oper operates once', async () => {
    const { client } = await bay();
    expect(await client.send(key(2), 'Oper', ON)).toBe(3);
    expect(await client.select(key(2))).toBe(key(2));
    expect(await client.send(key(2), 'Oper', ON)).toBeNull();
    expect(await client.read(state(2))).toEqual(ON);
    expect(await client.send(key(2), 'Oper', OFF)).toBe(3);
    expect(client.told).toEqual(['refusal 18', 'Oper 3', 'Oper null', 'refusal 18', 'Oper 3']);
    expect(await client.read(state(2))).toEqual(ON);
  });

  it('3: Oper is answered, then terminated', async () => {
    const { client } = await bay();
    expect(await client.send(key(3), 'Oper', ON)).toBeNull();
    expect(client.told).toEqual(['Oper null', 'termination +']);
    expect(await client.read(state(3))).toEqual(ON);
  });

  it('4: SBOw, Oper, termination', async () => {
    const { client } = await bay();
    expect(await client.send(key(4), 'Oper', ON)).toBe(3);
    expect(await client.send(key(4), 'SBOw', ON)).toBeNull();
    expect(await client.read(state(4))).toEqual(OFF);
    expect(await client.send(key(4), 'Oper', ON)).toBeNull();
    expect(await client.read(state(4))).toEqual(ON);
    expect(client.told).toContain('termination +');
    expect(await client.send(key(4), 'Oper', OFF)).toBe(3);
  });

  it('a setpoint moves mxVal; NaN and infinity do not', async () => {
    const { client } = await bay();
    const setpoint = (value: number) => ({ kind: 'structure', items: [float(value)] }) as const;
    expect(await client.send(`${NODE}$CO$AnOut1`, 'Oper', setpoint(33.5))).toBeNull();
    expect(await client.read(`${NODE}$MX$AnOut1$mxVal$f`)).toEqual(float(33.5));
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      expect(await client.send(`${NODE}$CO$AnOut1`, 'Oper', setpoint(value))).toBe(11);
    }
    expect(await client.read(`${NODE}$MX$AnOut1$mxVal$f`)).toEqual(float(33.5));
  });

  it('the end is told behind the answer to the Oper, the reason of a refusal before it', async () => {
    const { client, channel } = await bay();
    const other = await Controller.open(channel);
    await client.send(key(3), 'Oper', ON);
    expect(other.told).toEqual([]);
    expect(client.told).toEqual(['Oper null', 'termination +']);
    await client.send(key(4), 'Oper', ON);
    expect(client.told.slice(2)).toEqual(['refusal 18', 'Oper 3']);
  });
});

describe('a selection', () => {
  it('is of one association: others are refused until it ends', async () => {
    const { client, channel } = await bay();
    const other = await Controller.open(channel);
    await client.send(key(4), 'SBOw', ON);
    expect(await other.send(key(4), 'SBOw', ON)).toBe(2);
    expect(await other.send(key(4), 'Oper', ON)).toBe(2);
    expect(await other.send(key(4), 'Cancel', ON)).toBe(2);
    expect(other.told).toEqual(['refusal 19', 'SBOw 2', 'refusal 27', 'Oper 2', 'refusal 27', 'Cancel 2']);
    expect(await client.select(key(2))).toBe(key(2));
    expect(await client.select(key(2))).toBe(key(2));
    expect(await other.select(key(2))).toBe('');
    expect(await client.send(key(4), 'Oper', ON)).toBeNull();
    expect(await other.send(key(4), 'SBOw', OFF)).toBeNull();
  });

  it('ends by Cancel, by the loss of its association, and behind its time', async () => {
    const { client, channel } = await bay({ protocol: { select_timeout_s: 15 } });
    await client.send(key(4), 'SBOw', ON);
    expect(await client.send(key(4), 'Cancel', ON)).toBeNull();
    expect(await client.send(key(4), 'Oper', ON)).toBe(3);
    expect(await client.send(key(4), 'Cancel', ON)).toBe(3);
    const other = await Controller.open(channel);
    await other.send(key(4), 'SBOw', ON);
    expect(await client.send(key(4), 'SBOw', ON)).toBe(2);
    await other.client.close();
    await client.send(key(4), 'SBOw', ON);
    await channel.clock.advance(14_999);
    expect(await client.send(key(4), 'SBOw', ON)).toBe(2);
    await channel.clock.advance(1);
    expect(await client.send(key(4), 'Oper', ON)).toBe(3);
    expect(await client.select(key(2))).toBe(key(2));
    await channel.clock.advance(14_000);
    await client.select(key(2));
    await channel.clock.advance(14_000);
    expect(await client.send(key(2), 'Oper', ON)).toBeNull();
    expect(await client.read(state(4))).toEqual(OFF);
  });

  it.each<[string, Asked]>([
    ['the value', { value: OFF }],
    ['the number', { number: 2 }],
    ['the category', { category: 3 }],
    ['the name of the originator', { identifier: new Uint8Array([1]) }],
    ['the test bit', { isTest: true }],
    ['the interlock check', { checksInterlocking: true }],
    ['the synchro check', { checksSynchronism: true }],
  ])('does not cover an Oper that differs in %s, and has ended then', async (_, change) => {
    const { client } = await bay();
    await client.send(key(4), 'SBOw', ON);
    expect(await client.send(key(4), 'Oper', change.value ?? ON, change)).toBe(3);
    expect(await client.send(key(4), 'Oper', ON)).toBe(3);
    expect(client.told).toEqual(['SBOw null', 'refusal 26', 'Oper 3', 'refusal 18', 'Oper 3']);
    expect(await client.read(state(4))).toEqual(OFF);
  });

  it('covers an Oper of a later time', async () => {
    const { client, channel } = await bay();
    await client.send(key(4), 'SBOw', ON);
    await channel.clock.advance(500);
    expect(await client.send(key(4), 'Oper', ON)).toBeNull();
  });

  it('is not made by reading more than SBO, a data set, or the channel itself', async () => {
    const { client, channel } = await bay();
    await client.read(key(2));
    await client.read('BAY1LD0/GGIO1');
    const name = { scope: 'association', item: 'mine' } as const;
    const items = [{ name: named(`${key(2)}$SBO`), access: null }];
    await ask(client.client, { service: 'define-named-variable-list', name, items });
    const spec = { kind: 'list', name } as const;
    const { results } = await ask(client.client, { service: 'read', spec, withSpecification: false });
    expect(results).toEqual([{ kind: 'visible-string', text: '' }]);
    const other = await Controller.open(channel);
    expect(await other.select(key(2))).toBe(key(2));
  });

  it('is refused by the models that have none, and by the other way of selecting', async () => {
    const { client } = await bay();
    for (const model of [1, 3]) await expect(client.read(`${key(model)}$SBO`)).resolves.toEqual({ kind: 'failure', code: 10 });
    expect(await client.read(`${key(4)}$SBO`)).toEqual({ kind: 'failure', code: 10 });
  });
});

describe('a command', () => {
  const rules = { protocol: { execution_ms: 800 } };
  const DOUBLE: readonly PointConfig[] = [
    point(1, yk, 'BAY1LD0/CSWI1.Pos[CO]', { protocol: { control_model: 4 } }),
    point(2, yx, 'BAY1LD0/CSWI1.Pos.stVal[ST]'),
    point(3, yx, 'BAY1LD0/XCBR1.Pos.stVal[ST]'),
  ];
  const POS = 'BAY1LD0/CSWI1$CO$Pos';
  const position = async (client: Controller, node = 'CSWI1') => {
    const value = await client.read(`BAY1LD0/${node}$ST$Pos$stVal`);
    return value.kind === 'bit-string' ? (value.octets[0] ?? 0) >> 6 : null;
  };

  it('takes a double point through the intermediate state, with the switch behind its controller', async () => {
    const { client, channel } = await bay({ points: DOUBLE, ...rules });
    await client.send(POS, 'SBOw', ON);
    expect(await client.send(POS, 'Oper', ON)).toBeNull();
    expect([await position(client), await position(client, 'XCBR1')]).toEqual([0, 0]);
    await channel.clock.advance(799);
    expect(client.told).not.toContain('termination +');
    await channel.clock.advance(1);
    expect([await position(client), await position(client, 'XCBR1')]).toEqual([2, 2]);
    expect(client.told.at(-1)).toBe('termination +');
    const values = channel.passed.filter(({ event }) => event === true).flatMap(({ readings }) => readings);
    const shown = values.map((each) => (each.kind === 'value' ? [each.pointId, each.value, each.sourceTime] : []));
    const end = channel.clock.wallMs();
    expect(shown).toEqual([
      [2, 2, end - 800],
      [3, 2, end - 800],
      [2, 1, end],
      [3, 1, end],
      [1, 1, end],
    ]);
  });

  it('is refused while another is under way, and may be cancelled by its owner alone', async () => {
    const { client, channel } = await bay({ points: DOUBLE, ...rules });
    const other = await Controller.open(channel);
    await client.send(POS, 'SBOw', ON);
    await client.send(POS, 'Oper', ON);
    expect(await client.send(POS, 'Oper', ON)).toBe(2);
    expect(await other.send(POS, 'SBOw', ON)).toBe(2);
    expect(await other.send(POS, 'Cancel', ON)).toBe(2);
    expect(other.told).toEqual(['refusal 12', 'SBOw 2', 'refusal 27', 'Cancel 2']);
    expect(await client.send(POS, 'Cancel', ON)).toBeNull();
    expect(client.told.slice(-2)).toEqual(['Cancel null', 'termination 15']);
    await channel.clock.advance(5000);
    expect(await position(client)).toBe(0);
    expect(client.told.filter((each) => each.startsWith('termination'))).toEqual(['termination 15']);
  });

  it('goes on when its client goes, and ends with the channel', async () => {
    const { client, channel } = await bay(rules);
    await client.send(key(3), 'Oper', ON);
    await client.client.close();
    await channel.clock.advance(800);
    const other = await Controller.open(channel);
    expect(await other.read(state(3))).toEqual(ON);
    await other.send(key(3), 'Oper', OFF);
    await other.send(key(4), 'SBOw', ON);
    const passed = channel.passed.length;
    await channel.connection.close();
    expect(channel.clock.pending).toBe(0);
    await channel.clock.advance(60_000);
    expect(channel.passed).toHaveLength(passed);
  });

  it('twice in a row is carried out twice, with its own numbers', async () => {
    const { client, channel } = await bay();
    await client.send(key(1), 'Oper', ON, { number: 255 });
    await client.send(key(1), 'Oper', ON, { number: 0 });
    const values = channel.passed.filter(({ event }) => event === true).flatMap(({ readings }) => readings);
    expect(values.filter(({ pointId }) => pointId === 11)).toHaveLength(2);
  });

  it('moves as the faults of its object say: refused, not moved, never ended, ended late', async () => {
    const fault = (id: number, model: number, protocol: Readonly<Record<string, unknown>>) =>
      point(id, yk, `${NODE}.SPCSO${model}[CO]`, { protocol: { control_model: model, ...protocol } });
    const { client, channel } = await bay({
      points: [
        fault(1, 1, { control_fault: 'operate_refused', add_cause: 10 }),
        fault(2, 2, { control_fault: 'select_refused' }),
        fault(3, 3, { control_fault: 'not_moved' }),
        fault(4, 4, { control_fault: 'not_terminated' }),
      ],
    });
    expect(await client.send(key(1), 'Oper', ON)).toBe(3);
    expect(await client.select(key(2))).toBe('');
    expect(await client.send(key(3), 'Oper', ON)).toBeNull();
    await client.send(key(4), 'SBOw', ON);
    await client.send(key(4), 'Oper', ON);
    await channel.clock.advance(60_000);
    expect(client.told).toEqual(['refusal 10', 'Oper 3', 'Oper null', 'termination 16', 'SBOw null', 'Oper null']);
    expect([await client.read(state(3)), await client.read(state(4))]).toEqual([OFF, ON]);
    channel.connection.pointsChanged([fault(4, 4, { termination_delay_ms: 2000 })]);
    await client.send(key(4), 'SBOw', OFF);
    await client.send(key(4), 'Oper', OFF);
    expect(await client.read(state(4))).toEqual(OFF);
    await channel.clock.advance(1999);
    expect(await client.send(key(4), 'SBOw', ON)).toBe(2);
    expect(await client.send(key(4), 'Cancel', OFF)).toBe(2);
    expect(client.told.slice(-4)).toEqual(['refusal 12', 'SBOw 2', 'refusal 12', 'Cancel 2']);
    await channel.clock.advance(1);
    expect(client.told.at(-1)).toBe('termination +');
  });

  it('to where a switch stands is refused, unless the channel says otherwise', async () => {
    const { client, channel } = await bay({ points: DOUBLE });
    const [, status] = DOUBLE;
    if (!status) throw new Error('no status');
    await channel.connection.execute({ point: status, step: 'operate', value: 1, options: {} }, context());
    expect(await client.send(POS, 'SBOw', ON)).toBe(3);
    expect(client.told).toEqual(['refusal 5', 'SBOw 3']);
    const lenient = await bay({ points: DOUBLE, protocol: { refuse_reached_position: false } });
    await lenient.client.send(POS, 'SBOw', ON);
    await lenient.client.send(POS, 'Oper', ON);
    await lenient.client.send(POS, 'SBOw', ON);
    expect(await lenient.client.send(POS, 'Oper', ON)).toBeNull();
  });
});

describe('what is no control', () => {
  it('under CO is not written: the object, SBO, a part of Oper; and a structure of another type', async () => {
    const { client } = await bay();
    expect(await client.write(key(2), 'SBO', { kind: 'visible-string', text: 'x' })).toBe(3);
    expect(await client.write(key(1), 'Oper$ctlVal', ON)).toBe(3);
    expect(await client.write(`${NODE}$CO`, 'SPCSO1', ON)).toBe(3);
    expect(await client.write(key(1), 'Oper', ON)).toBe(7);
    expect(await client.write(key(0), 'Oper', ON)).toBe(10);
    expect(client.told.filter((each) => each.startsWith('refusal'))).toEqual([]);
  });

  it('status and measured values are not written by clients; settings as the channel says', async () => {
    const { client } = await bay({
      protocol: { writable_constraints: ['SP'] },
      points: [...TABLE, point(90, yt, `${NODE}.Lim.setMag.f[SP]`)],
    });
    const write = (item: string, value: Parameters<Controller['write']>[2]) => client.write(NODE, item, value);
    expect(await write('ST$SPCSO1$stVal', ON)).toBe(3);
    expect(await write('MX$AnOut1$mxVal$f', float(1))).toBe(3);
    expect(await write('SP$Lim$setMag$f', float(1))).toBeNull();
    expect(await write('CF$SPCSO1$ctlModel', { kind: 'integer', value: 1 })).toBe(3);
    const open = await bay({ points: [point(1, yx, 'BAY1LD0/GGIO1.Ind1.stVal[ST]', { name: 'door' })] });
    const text = { kind: 'mms-string', text: 'gate' } as const;
    expect(await open.client.write(NODE, 'DC$Ind1$dU', text)).toBeNull();
    const closed = await bay({
      points: [point(1, yx, 'BAY1LD0/GGIO1.Ind1.stVal[ST]', { name: 'door' })],
      protocol: { writable_constraints: [] },
    });
    expect(await closed.client.write(NODE, 'DC$Ind1$dU', text)).toBe(3);
  });
});
