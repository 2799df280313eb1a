import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import { testPoint } from '../../testing/points.ts';
import type { MmsClient } from '../association/mms-client.ts';
import type { MmsRequest } from '../mms/pdu.ts';
import type { MmsValue } from '../mms/types.ts';
import { ask, context, float, names, point, type Response, TABLE, value, write, writing } from './testing/asking.ts';
import { named, outcome, ServedChannel } from './testing/served-channel.ts';

const { yc, yx } = FrameType;

describe('variables', () => {
  const array = [point(1, yc, 'LD0/MHAI1.HA.phsAHar(3).cVal.mag.f[MX]')];
  const selecting = (
    access: NonNullable<Extract<MmsRequest, { service: 'read' }>['spec'] & { kind: 'variables' }>['items'][number]['access'],
  ): MmsRequest => ({
    service: 'read',
    spec: { kind: 'variables', items: [{ name: named('LD0/MHAI1$MX$HA$phsAHar'), access }] },
    withSpecification: false,
  });

  it('are read in parts by alternate access', async () => {
    const channel = new ServedChannel({ points: array });
    const client = await channel.associated();
    const [only = testPoint()] = array;
    await channel.connection.execute({ point: only, step: 'operate', value: 7, options: {} }, context());
    const cVal = (inner: MmsValue) => ({ kind: 'structure', items: [{ kind: 'structure', items: [inner] }] });
    const part = async (access: Parameters<typeof selecting>[0]) =>
      ((await outcome(client, selecting(access))) as Response<'read'>).results[0];
    const component = (name: string) => ({ step: { kind: 'component', name } as const, inner: null });
    expect(await part([{ step: { kind: 'index', index: 3 }, inner: [component('cVal')] }])).toEqual({
      kind: 'structure',
      items: [{ kind: 'structure', items: [float(7)] }],
    });
    expect(await part([{ step: { kind: 'index', index: 4 }, inner: null }])).toEqual({ kind: 'failure', code: 10 });
    expect(await part([component('cVal')])).toEqual({ kind: 'failure', code: 10 });
    expect(await part([{ step: { kind: 'range', low: 2, count: 2 }, inner: null }])).toEqual({
      kind: 'array',
      items: [
        { kind: 'structure', items: [cVal(float(0))] },
        { kind: 'structure', items: [cVal(float(7))] },
      ],
    });
    expect(await part([{ step: { kind: 'range', low: 3, count: 2 }, inner: null }])).toEqual({ kind: 'failure', code: 10 });
    expect(await part([{ step: { kind: 'all' }, inner: [component('cVal')] }])).toMatchObject({
      kind: 'array',
      items: [{}, {}, {}, cVal(float(7))],
    });
    const both = await part([
      { step: { kind: 'index', index: 3 }, inner: null },
      { step: { kind: 'index', index: 0 }, inner: null },
    ]);
    expect(both).toMatchObject({ kind: 'structure', items: [{ items: [cVal(float(7))] }, { items: [cVal(float(0))] }] });
  });

  it('are refused with every DataAccessError', async () => {
    const accessErrors = new Map(Array.from({ length: 12 }, (_, code) => [`BAY1LD0/GGIO1$ST$Fault${code}$stVal`, code]));
    const faulty = Array.from({ length: 12 }, (_, code) => point(100 + code, yx, `BAY1LD0/GGIO1.Fault${code}.stVal[ST]`));
    const channel = new ServedChannel({ points: [...TABLE, ...faulty], faults: { accessErrors } });
    const client = await channel.associated();
    for (let code = 0; code < 12; code++) {
      expect(await value(client, `BAY1LD0/GGIO1$ST$Fault${code}$stVal`)).toEqual({ kind: 'failure', code });
      expect(await write(client, `BAY1LD0/GGIO1$ST$Fault${code}$stVal`, { kind: 'boolean', value: true })).toBe(code);
    }
    expect(await write(client, 'BAY1LD0/GGIO1$ST$Ind1$stVal', { kind: 'boolean', value: true })).toBe(3);
    expect(await write(client, 'BAY1LD0/GGIO1$CF$SPCSO1$ctlModel', { kind: 'integer', value: 1 })).toBe(3);
    expect(await write(client, 'BAY1LD0/PTOC1$SP', { kind: 'structure', items: [] })).toBe(3);
    expect(await write(client, 'BAY1LD0/PTOC1$SP$StrVal$setMag$f', { kind: 'boolean', value: true })).toBe(7);
    expect(await write(client, 'BAY1LD0/PTOC1$SP$StrVal$setMag$f', { kind: 'float', value: 1, width: 64 })).toBe(7);
    expect(await write(client, 'BAY1LD0/GGIO1$CO$SPCSO1$Oper', { kind: 'structure', items: [] })).toBe(7);
    expect(await write(client, 'BAY1LD0/PTOC1$SP$Nope', float(1))).toBe(10);
    expect(await write(client, 'NOLD/PTOC1$SP$Nope', float(1))).toBe(10);
    expect(await value(client, 'BAY1LD0/')).toEqual({ kind: 'failure', code: 10 });
    const vmd = (await outcome(client, {
      service: 'read',
      spec: { kind: 'variables', items: [{ name: { scope: 'vmd', item: 'x' }, access: null }] },
      withSpecification: false,
    })) as Response<'read'>;
    expect(vmd.results).toEqual([{ kind: 'failure', code: 10 }]);
  });

  it('keep what was written when the PDU is gone, and its type', async () => {
    const client = await new ServedChannel({ points: TABLE }).associated();
    const text = (text: string): MmsValue => ({ kind: 'mms-string', text });
    expect(await write(client, 'BAY1LD0/GGIO1$DC$Ind1$dU', text('电'.repeat(85)))).toBeNull();
    expect(await write(client, 'BAY1LD0/GGIO1$DC$Ind1$dU', text('电'.repeat(86)))).toBe(7);
    expect(await value(client, 'BAY1LD0/GGIO1$DC$Ind1$dU')).toEqual(text('电'.repeat(85)));
    const mixed = await ask(client, {
      service: 'write',
      spec: {
        kind: 'variables',
        items: [
          { name: named('BAY1LD0/GGIO1$DC$Ind1$dU'), access: null },
          { name: named('BAY1LD0/GGIO1$ST$Ind1$q'), access: null },
        ],
      },
      values: [text('door'), { kind: 'boolean', value: true }],
    });
    expect(mixed.results).toEqual([null, { kind: 'failure', code: 3 }]);
    expect(await outcome(client, { ...writing('BAY1LD0/GGIO1$DC$Ind1$dU', text('')), values: [] } as MmsRequest)).toContain(
      'object-constraint-conflict',
    );
  });
});

describe('data sets of clients', () => {
  const items = [{ name: named('BAY1LD0/GGIO1$ST$Ind1'), access: null }];
  const define = (name: Extract<MmsRequest, { service: 'define-named-variable-list' }>['name'], count = 1): MmsRequest => ({
    service: 'define-named-variable-list',
    name,
    items: Array.from({ length: count }, () => items[0]).flatMap((item) => item ?? []),
  });

  it('of a domain are for everybody, of an association for one', async () => {
    const channel = new ServedChannel({ points: TABLE });
    const [one, other] = [await channel.associated(), await channel.associated()];
    await ask(one, define(named('BAY1LD0/LLN0$dyn1')));
    await ask(one, define({ scope: 'association', item: 'mine' }));
    expect(await names(other, 2, 'BAY1LD0')).toEqual(['LLN0$dsMeas', 'LLN0$dsStat', 'LLN0$dyn1']);
    const list = (client: MmsClient) =>
      outcome(client, { service: 'read', spec: { kind: 'list', name: { scope: 'association', item: 'mine' } }, withSpecification: false });
    expect(await list(one)).toMatchObject({ results: [{ kind: 'structure' }] });
    expect(await list(other)).toContain('object-non-existent');
    expect(await ask(one, { service: 'delete-named-variable-list', scope: 1, names: [] })).toMatchObject({ matched: 1, deleted: 1 });
    expect(await list(one)).toContain('object-non-existent');
    expect(await outcome(one, { service: 'delete-named-variable-list', scope: 3, names: [] })).toContain('object-access-unsupported');
    channel.connection.pointsChanged(TABLE);
    expect(await names(other, 2, 'BAY1LD0')).toContain('LLN0$dyn1');
  });

  it('are limited in number and members', async () => {
    const client = await new ServedChannel({ points: TABLE }).associated();
    for (let count = 0; count < 10; count++) await ask(client, define(named(`BAY1LD0/LLN0$dyn${count}`), count === 0 ? 100 : 1));
    expect(await outcome(client, define(named('BAY1LD0/LLN0$dyn10')))).toContain('memory-unavailable');
    expect(await outcome(client, define({ scope: 'association', item: 'big' }, 101))).toContain('memory-unavailable');
    expect(await outcome(client, define({ scope: 'vmd', item: 'x' }))).toContain('object-access-unsupported');
    expect(await outcome(client, define(named('NOLD/LLN0$x')))).toContain('object-undefined');
    expect(await outcome(client, define({ scope: 'association', item: 'none' }, 0))).toContain('invalid-address');
  });
});
