import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concatBytes } from '../../../protocol-kit/bytes.ts';
import type { CapturedRead, CapturedValue } from '../../spi/index.ts';
import { encodeMms } from '../mms/codec.ts';
import type { AccessSpec, MmsPdu, MmsRequest } from '../mms/pdu.ts';
import type { MmsResult } from '../mms/types.ts';
import { dtHeader } from '../osi/cotp.ts';
import { encodeUserData } from '../osi/presentation.ts';
import { DATA_HEADER } from '../osi/session.ts';
import { encodeTpkt } from '../osi/tpkt.ts';
import { named, reading } from '../server/testing/served-channel.ts';
import {
  type Capture,
  type CaptureEvent,
  octets,
  type ReadResult,
  readCapture,
  readCaptures,
  readReads,
  streamsOf,
} from '../testing/captures.ts';
import { CapturedDevice } from './captured-device.ts';

type Piece = Pick<CaptureEvent, 'from' | 'bytes'>;

/** The pieces of one TCP connection, each a second behind the other. */
function hear(pieces: readonly Piece[], finder = new CapturedDevice(), fromMs = 0): CapturedRead[] {
  return pieces.flatMap(({ from, bytes }, at) => [...finder.push(from === 'client', bytes, fromMs + at * 1000)]);
}

const piecesOf = ({ events }: Capture, connection = 1): readonly Piece[] =>
  events.filter((event) => event.kind === 'tpkt' && event.connection === connection);
const captured = (name: string, connection = 1) => hear(piecesOf(readCapture(name), connection));

/** `GGIO1.Ind1.stVal[ST] = 1 IV oldData`. */
const text = ({ place, value, flags }: CapturedValue) =>
  `${(place.point.reference ?? '').replace('EMS1LD0/', '')} = ${[value, ...flags].join(' ')}`;
const told = (reads: readonly CapturedRead[]) => reads.flat().map(text);

const tpkt = (pdu: MmsPdu) => encodeTpkt(dtHeader(true), DATA_HEADER, encodeUserData(3, encodeMms(pdu)));
const ask = (invokeId: number, request: MmsRequest): Piece => ({ from: 'client', bytes: tpkt({ kind: 'request', invokeId, request }) });
const answer = (invokeId: number, ...results: MmsResult[]): Piece => ({
  from: 'server',
  bytes: tpkt({ kind: 'response', invokeId, response: { service: 'read', spec: null, results } }),
});
const report = (spec: AccessSpec, ...results: MmsResult[]): Piece => ({
  from: 'server',
  bytes: tpkt({ kind: 'information-report', report: { spec, results } }),
});
const RPT: AccessSpec = { kind: 'list', name: { scope: 'vmd', item: 'RPT' } };

const float = (value: number) => ({ kind: 'float', value, width: 32 }) as const;
const bool = (value: boolean) => ({ kind: 'boolean', value }) as const;
const whole = (value: number | bigint) => ({ kind: 'integer', value }) as const;
const words = (said: string) => ({ kind: 'visible-string', text: said }) as const;
const bits = (said: string) => {
  const own = new Uint8Array(Math.ceil(said.length / 8));
  for (const [at, bit] of [...said].entries()) if (bit === '1') own[at >> 3] = (own[at >> 3] ?? 0) | (0x80 >> (at & 7));
  return { kind: 'bit-string', size: said.length, octets: own } as const;
};
const utc = (seconds: number, quality = '0a') =>
  ({ kind: 'utc-time', octets: octets(`${seconds.toString(16).padStart(8, '0')}000000${quality}`) }) as const;
const structure = (...items: (MmsResult & { kind: Exclude<MmsResult['kind'], 'failure'> })[]) => ({ kind: 'structure', items }) as const;
const GOOD = bits('0000000000000');
const AN = 'BAY1LD0/GGIO1$MX$AnIn1';
const VALUE = `${AN}$mag$f`;

/** What `reads.json` says of a single value, as a point has it; null where no point does. */
function expectedOf(result: ReadResult | undefined): number | null {
  if (!result || 'failure' in result) return null;
  const { type, value } = result;
  if (type === 'boolean') return value === true ? 1 : 0;
  if (type === 'bit-string' && String(value).length === 2) return [2, 0, 1, 3][Number.parseInt(String(value), 2)] ?? null;
  return typeof value === 'number' ? value : null;
}

describe('values of a recorded conversation of IEC 61850', () => {
  it('are those that an independent decoder finds: reads of single attributes', () => {
    const found = new Map(
      captured('20')
        .flat()
        .map(({ place, value }) => [place.point.reference, value]),
    );
    let compared = 0;
    for (const { file, request, results } of readReads()) {
      const [, domain = '', item = ''] = /^\[(\w+)\/([\w$]+)\]$/.exec(request) ?? [];
      const [node = '', constraint = '', ...path] = item.split('$');
      const value = expectedOf(results[0]);
      if (file !== '20-read-single-attributes' || value === null || !['ST', 'MX', 'SP'].includes(constraint)) continue;
      compared += 1;
      expect(found.get(`${domain}/${node}.${path.join('.')}[${constraint}]`), request).toBe(value);
    }
    expect(compared).toBe(15);
  });

  it('are those of structures, in the words of the capture: value, quality and time put together', () => {
    expect(told(captured('21'))).toEqual([
      'GGIO1.Ind1.stVal[ST] = 0',
      'MMXU1.TotW.mag.f[MX] = 1234.5',
      'GGIO1.Ind3.stVal[ST] = 1 IV failure oldData',
      'GGIO1.Ind4.stVal[ST] = 0 SB test BL clock_not_synchronised',
    ]);
    const [[value] = []] = captured('21');
    expect(value?.deviceMs).toBe(Date.parse('2024-03-01T12:34:56.789Z'));
  });

  it('are those of reports, of each reason, in the order in which they came', () => {
    const reads = captured('50');
    expect(reads.map((read) => told([read]))).toEqual([
      [
        'GGIO1.Ind1.stVal[ST] = 0',
        'GGIO1.Ind2.stVal[ST] = 1',
        'GGIO1.DPInd1.stVal[ST] = 1',
        'GGIO1.IntIn1.stVal[ST] = 128',
        'MMXU1.TotW.mag.f[MX] = 1234.5',
      ],
      ['GGIO1.Ind1.stVal[ST] = 1'],
      ['GGIO1.DPInd1.stVal[ST] = 0', 'GGIO1.IntIn1.stVal[ST] = -1', 'MMXU1.TotW.mag.f[MX] = 1500.5'],
      ['GGIO1.Ind1.stVal[ST] = 1 IV oldData', 'MMXU1.TotW.mag.f[MX] = 1500.5 questionable OV'],
      [
        'GGIO1.Ind1.stVal[ST] = 1 IV oldData',
        'GGIO1.Ind2.stVal[ST] = 1',
        'GGIO1.DPInd1.stVal[ST] = 0',
        'GGIO1.IntIn1.stVal[ST] = -1',
        'MMXU1.TotW.mag.f[MX] = 1500.5 questionable OV',
      ],
    ]);
    const times = reads.slice(1, 3).map(([value]) => value?.deviceMs);
    expect(times).toEqual([Date.parse('2024-03-01T12:34:57.789Z'), Date.parse('2024-03-01T12:34:58.789Z')]);
  });

  it('of another stack are the same: an iec61850bean server, and the client of it', () => {
    expect(told(captured('92')).slice(-2)).toEqual([
      'ied1lDevice1/MMXU1.TotW.mag.f[MX] = 1001',
      'ied1lDevice1/MMXU1.TotW.mag.f[MX] = 1002',
    ]);
    // a model that was learnt names all of it, segments of COTP are put together
    const finder = new CapturedDevice();
    const reads = hear(piecesOf(readCapture('90')), finder);
    expect(finder.leftOut).toBeNull();
    expect(told(reads)).toHaveLength(12);
    expect(told(reads)).toContain('GGIO1.Ind3.stVal[ST] = 1 IV failure oldData');
  });

  it('of data sets have the members that were asked for, defined by a client, or of the association', () => {
    const values = captured('30');
    expect(told(values.slice(0, 1))).toEqual([
      'MMXU1.TotW.mag.f[MX] = 1234.5',
      'MMXU1.Hz.mag.f[MX] = 50',
      'MMXU1.PhV.phsA.cVal.mag.f[MX] = 230',
      'GGIO1.Ind1.stVal[ST] = 0',
      'MMTR1.TotWh.actVal[ST] = 5000000000',
    ]);
    const own = ['MMXU1.TotW.mag.f[MX] = 1234.5', 'GGIO1.Ind1.stVal[ST] = 0', 'EMS1MEAS/GGIO1.AnIn7.mag.f[MX] = 7.5'];
    expect(values.slice(2).map((read) => told([read]))).toEqual([own, own]);
  });

  it('of a data set that nobody described are left out and counted, and known where its members were told before', () => {
    const finder = new CapturedDevice();
    expect(hear(piecesOf(readCapture('51')), finder)).toEqual([]);
    expect(finder.leftOut).toMatchObject({ code: 'capture.mms_unnamed', params: { sets: 3, structures: 0 } });
    const knowing = new CapturedDevice();
    hear(piecesOf(readCapture('30')), knowing);
    // the report says no data set: the block that was read does
    expect(told(hear(piecesOf(readCapture('51')), knowing, 1_000_000)).slice(-2)).toEqual([
      'GGIO1.Ind1.stVal[ST] = 1',
      'MMXU1.TotW.mag.f[MX] = 1500.5',
    ]);
    expect(knowing.leftOut).toBeNull();
  });

  it('of arrays have elements, whole or picked out by alternate access', () => {
    const values = told(captured('25'));
    expect(values).toHaveLength(38);
    expect(values[4]).toBe('testComplexArray/MHAI1.HA.phsAHar(2).cVal.mag.f[MX] = 202');
    expect(new Set(values.slice(32))).toEqual(
      new Set([
        'testComplexArray/MHAI1.HA.phsAHar(2).cVal.mag.f[MX] = 202',
        'testComplexArray/MHAI1.HA.phsAHar(2).cVal.ang.f[MX] = 0.029999999329447746',
      ]),
    );
  });

  it('are paired by invokeID: of requests that wait at once, answered in another order, and with every form of the id', () => {
    const pieces = [
      ask(1, reading(VALUE)),
      ask(2, reading('BAY1LD0/GGIO1$MX$AnIn2$mag$f')),
      ask(2 ** 32 - 1, reading('BAY1LD0/GGIO1$MX$AnIn3$mag$f')),
      answer(2 ** 32 - 1, float(3)),
      answer(1, float(1)),
      answer(2, float(2)),
    ];
    expect(told(hear(pieces)).map((said) => said.slice(-9))).toEqual(['[MX] = 3', '[MX] = 1', '[MX] = 2'].map((end) => `f${end}`));
    // what else was read are texts and qualities
    expect(told(captured('26'))).toHaveLength(3);
    expect(told(captured('71')).length).toBeGreaterThan(8);
  });

  it('an id that is used again while an answer is due leaves a doubt, unless both ask the same; an answered one does not', () => {
    const other = 'BAY1LD0/GGIO1$MX$AnIn2$mag$f';
    const again = [ask(7, reading(VALUE)), answer(7, float(1)), ask(7, reading(other)), answer(7, float(2))];
    expect(told(hear(again))).toEqual(['BAY1LD0/GGIO1.AnIn1.mag.f[MX] = 1', 'BAY1LD0/GGIO1.AnIn2.mag.f[MX] = 2']);
    expect(hear([ask(7, reading(VALUE)), ask(7, reading(other)), answer(7, float(1))])).toEqual([]);
    expect(told(hear([ask(7, reading(VALUE)), ask(7, reading(VALUE)), answer(7, float(1))]))).toHaveLength(1);
    // nobody waits a minute: what was asked then is forgotten
    const finder = new CapturedDevice();
    hear([ask(7, reading(VALUE))], finder);
    expect(told(hear([ask(7, reading(other)), answer(7, float(5))], finder, 61_000))).toEqual(['BAY1LD0/GGIO1.AnIn2.mag.f[MX] = 5']);
  });

  it('what is refused is none, an error or a broken answer ends its request, and other numbers of results make no value', () => {
    const names = [VALUE, 'BAY1LD0/GGIO1$MX$AnIn2$mag$f'];
    const refused = [ask(1, reading(...names)), answer(1, { kind: 'failure', code: 10 }, float(2))];
    expect(told(hear(refused))).toEqual(['BAY1LD0/GGIO1.AnIn2.mag.f[MX] = 2']);
    expect(hear([ask(1, reading(...names)), answer(1, float(2))])).toEqual([]);
    const error = tpkt({ kind: 'error', invokeId: 1, error: { errorClass: 7, code: 1, additionalCode: null, text: null } });
    expect(hear([ask(1, reading(VALUE)), { from: 'server', bytes: error }, answer(1, float(9))])).toEqual([]);
    const whole1 = answer(1, float(1)).bytes;
    // the last length inside is one too large
    const broken = Uint8Array.from(whole1, (octet, at) => (at === whole1.length - 6 ? octet + 1 : octet));
    expect(hear([ask(1, reading(VALUE)), { from: 'server', bytes: broken }, answer(1, float(9))])).toEqual([]);
    expect(told(captured('24'))).toEqual([]);
    expect(hear([answer(1, float(1))])).toEqual([]);
  });

  it('what is no number, or too large for one, is invalid; time that was never set is none', () => {
    const finder = new CapturedDevice();
    const name = 'BAY1LD0/MMXU1$MX$TotW';
    const values = [Number.NaN, Number.POSITIVE_INFINITY, 1].flatMap((value, at) => [
      ask(at, reading(name)),
      answer(at, structure(structure(float(value)), GOOD, utc(0, '00'))),
    ]);
    const reads = hear(values, finder).flat();
    expect(reads.map(({ value, flags, deviceMs }) => [value, flags, deviceMs])).toEqual([
      [Number.NaN, ['IV'], undefined],
      [Number.NaN, ['IV'], undefined],
      [1, [], undefined],
    ]);
    const counter = [
      ask(1, reading('BAY1LD0/MMTR1$ST$TotWh$actVal')),
      answer(1, whole(2n ** 60n)),
      ask(2, reading('BAY1LD0/MMTR1$ST$TotWh$actVal')),
      answer(2, whole(7)),
    ];
    expect(told(hear(counter))).toEqual(['BAY1LD0/MMTR1.TotWh.actVal[ST] = NaN IV', 'BAY1LD0/MMTR1.TotWh.actVal[ST] = 7']);
  });

  it('have the quality that came beside them, by itself, or before, whatever the order of the names', () => {
    const quality = bits('1100000000100');
    const names = [`${AN}$q`, VALUE, `${AN}$t`];
    const first = [ask(1, reading(...names)), answer(1, quality, float(1), utc(100)), ask(2, reading(VALUE)), answer(2, float(2))];
    const then = [ask(3, reading(`${AN}$q`)), answer(3, GOOD), ask(4, reading(`${AN}$t`)), answer(4, utc(200))];
    const reads = hear([...first, ...then]).flat();
    expect(reads.map((value) => [text(value).split(' = ')[1], value.deviceMs])).toEqual([
      ['1 questionable SB', 100_000],
      ['2 questionable SB', undefined],
      ['2', undefined],
      ['2', 200_000],
    ]);
  });

  it('are served by points of the type that was told: the name of an attribute does not always tell it', () => {
    const type = {
      kind: 'structure',
      components: [
        { name: 'stVal', type: { kind: 'integer', size: 8 } },
        { name: 'q', type: { kind: 'bit-string', size: -13 } },
        { name: 't', type: { kind: 'utc-time' } },
      ],
    } as const;
    const name = 'BAY1LD0/GGIO1$ST$Stage';
    const learnt: Piece[] = [
      ask(1, { service: 'get-variable-access-attributes', name: named(name) }),
      {
        from: 'server',
        bytes: tpkt({ kind: 'response', invokeId: 1, response: { service: 'get-variable-access-attributes', isDeletable: false, type } }),
      },
      ask(2, reading(name, 'BAY1LD0/GGIO1$ST$Sw', 'BAY1LD0/XCBR1$ST$Pos$stVal')),
      answer(2, structure(whole(3), GOOD, utc(5)), structure(bits('10'), GOOD, utc(5)), bits('01')),
    ];
    const points = hear(learnt)
      .flat()
      .map(({ place }) => place.point);
    // what is of another type than was told is not what it seems to be
    const finder = new CapturedDevice();
    hear([...learnt.slice(0, 2), ask(3, reading(name)), answer(3, structure(bool(true), GOOD, utc(5)))], finder);
    expect(finder.leftOut).toMatchObject({ params: { structures: 1 } });
    expect(points.map(({ frame_type, code, protocol }) => [frame_type, code, protocol])).toEqual([
      [1, 'BAY1LD0.GGIO1.Stage.stVal', { served_type: 'INT8' }],
      [1, 'BAY1LD0.GGIO1.Sw.stVal', { served_type: 'Dbpos' }],
      [1, 'BAY1LD0.XCBR1.Pos.stVal', {}],
    ]);
  });

  it('of a structure that the standard has several readings for are left out, unless its type was told', () => {
    const finder = new CapturedDevice();
    const unclear = ['BAY1LD0/PTOC1$ST$Op', 'BAY1LD0/MMTR1$ST$TotWh', 'BAY1LD0/TCTR1$MX$Amp', 'BAY1LD0/MMXU1$MX$PhV'];
    const states = [structure(bool(true), GOOD, utc(1)), structure(whole(1), GOOD, utc(1))];
    const analogue = structure(structure(float(1)), GOOD, utc(1));
    const reads = hear([ask(1, reading(...unclear)), answer(1, ...states, analogue, structure(analogue, analogue))], finder);
    expect(reads).toEqual([]);
    expect(finder.leftOut).toMatchObject({ params: { sets: 0, structures: 4 } });
    // texts, configuration and control blocks are no values, so nothing of them is missed
    const others = hear(
      [ask(2, reading('BAY1LD0/LLN0$DC$NamPlt', 'BAY1LD0/LLN0$RP$urcb01')), answer(2, structure(words('a')), structure(words('b')))],
      finder,
    );
    expect(others).toEqual([]);
    expect(finder.leftOut).toMatchObject({ params: { structures: 4 } });
  });

  it('of a report with data references need no data set; one whose set has other members than it is about is left out', () => {
    const head = (options: string) => [words('r1'), bits(options)];
    const referring = report(RPT, ...head('0000010000'), bits('01'), words(`${AN}`), structure(structure(float(4)), GOOD, utc(3)));
    expect(told(hear([referring]))).toEqual(['BAY1LD0/GGIO1.AnIn1.mag.f[MX] = 4']);
    const set = { scope: 'domain', domain: 'BAY1LD0', item: 'LLN0$ds1' } as const;
    const defined: Piece[] = [
      ask(1, { service: 'define-named-variable-list', name: set, items: [{ name: named(VALUE), access: null }] }),
      { from: 'server', bytes: tpkt({ kind: 'response', invokeId: 1, response: { service: 'define-named-variable-list' } }) },
    ];
    const about = (inclusion: string, ...values: MmsResult[]) =>
      report(RPT, ...head('0000100000'), words('BAY1LD0/LLN0$ds1'), bits(inclusion), ...values);
    expect(told(hear([...defined, about('1', float(5))]))).toEqual(['BAY1LD0/GGIO1.AnIn1.mag.f[MX] = 5']);
    const finder = new CapturedDevice();
    expect(hear([...defined, about('10', float(5))], finder)).toEqual([]);
    expect(finder.leftOut).toMatchObject({ params: { sets: 1 } });
    // not defined after all
    expect(hear([defined[0] as Piece, about('1', float(5))])).toEqual([]);
  });

  it('do not depend on how the octets are cut, nor on which end is said to ask', () => {
    for (const name of ['50', '62', '90']) {
      const capture = readCapture(name);
      const expected = captured(name);
      const turned = piecesOf(capture).map(({ from, bytes }) => ({ bytes, from: from === 'client' ? 'server' : 'client' }) as const);
      expect(told(hear(turned)), name).toEqual(told(expected));
      const single = piecesOf(capture).flatMap(({ from, bytes }) =>
        Array.from(bytes, (octet) => ({ from, bytes: Uint8Array.of(octet) }) as const),
      );
      // without the pauses of requests that nobody would wait for
      const finder = new CapturedDevice();
      expect(told(single.flatMap(({ from, bytes }) => [...finder.push(from === 'client', bytes, 0)])), name).toEqual(told(expected));
    }
    const [client, server] = ['client', 'server'].map(
      (from) => streamsOf(readCapture('26')).find((each) => each.from === from)?.bytes ?? new Uint8Array(),
    );
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 20 }), (sizes) => {
        const finder = new CapturedDevice();
        const reads = [...finder.push(true, client as Uint8Array, 0)];
        const all = server as Uint8Array;
        for (let at = 0, index = 0; at < all.length; index++) {
          const end = at + (sizes[index % sizes.length] ?? 1);
          reads.push(...finder.push(false, all.slice(at, end), 1));
          at = end;
        }
        expect(told(reads)).toEqual(told(captured('26')));
      }),
      { numRuns: 40 },
    );
  });

  it('begin with the first whole TPKT, wherever the capture begins: each is one that the whole capture has', () => {
    const capture = readCapture('50');
    const whole = told(captured('50'));
    const server = concatBytes(...piecesOf(capture).flatMap(({ from, bytes }) => (from === 'server' ? [bytes] : [])));
    const counts = new Set<number>();
    for (let from = 0; from < server.length; from += 3) {
      const found = told(new CapturedDevice().push(false, server.slice(from), 0));
      counts.add(found.length);
      expect(whole.slice(whole.length - found.length), `from ${from}`).toEqual(found);
    }
    expect(counts.size).toBeGreaterThan(4);
  });

  it('lose no more than what is missing, and are never others: each piece of each direction lost in turn', () => {
    for (const name of ['20', '26', '50', '62', '90']) {
      const pieces = piecesOf(readCapture(name));
      const whole = new Set(told(captured(name)));
      for (const [lost, { from }] of pieces.entries()) {
        const finder = new CapturedDevice();
        hear(pieces.slice(0, lost), finder);
        finder.gap(from === 'client');
        const reads = told(hear(pieces.slice(lost + 1), finder, (lost + 1) * 1000));
        for (const said of reads) expect(whole.has(said), `${name} without ${lost}: ${said}`).toBe(true);
      }
    }
    const pieces = piecesOf(readCapture('20'));
    const finder = new CapturedDevice();
    const before = hear(pieces.slice(0, 21), finder);
    finder.gap(false);
    expect([...told(before), ...told(hear(pieces.slice(22), finder, 22_000))].length).toBeGreaterThanOrEqual(
      told(captured('20')).length - 1,
    );
  });

  it('behind a missing segment come late: an answer belongs to no request that was asked after it', () => {
    const other = 'BAY1LD0/GGIO1$MX$AnIn2$mag$f';
    const finder = new CapturedDevice();
    const push = ({ from, bytes }: Piece, atMs: number) => told(finder.push(from === 'client', bytes, atMs));
    push(ask(1, reading(VALUE)), 0);
    push(ask(1, reading(other)), 20);
    push(ask(1, reading(VALUE)), 40);
    // the answer at 10 is lost, and the one at 30 told now
    finder.gap(false);
    expect(push(answer(1, float(2)), 30)).toEqual([]);
    expect(push(answer(1, float(1)), 50)).toEqual(['BAY1LD0/GGIO1.AnIn1.mag.f[MX] = 1']);
    const numbered = new CapturedDevice();
    const pieces = [ask(1, reading(VALUE)), ask(2, reading(other)), ask(3, reading(VALUE))];
    for (const [at, { bytes }] of pieces.entries()) numbered.push(true, bytes, at * 20);
    numbered.gap(false);
    const found = [answer(2, float(2)), answer(3, float(3))].flatMap(({ bytes }, at) => told(numbered.push(false, bytes, 30 + at * 20)));
    expect(found.map((said) => said.at(-1))).toEqual(['2', '3']);
  });

  it('requests that are missing take those before them along: their answers could be mistaken', () => {
    const finder = new CapturedDevice();
    hear([ask(1, reading(VALUE))], finder);
    finder.gap(true);
    expect(hear([answer(1, float(1))], finder, 5000)).toEqual([]);
  });

  it('bear any octets, and octets that changed on the way', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.uint8Array({ maxLength: 300 })), { maxLength: 20 }), (parts) => {
        const finder = new CapturedDevice();
        for (const [isToDevice, bytes] of parts) finder.push(isToDevice, bytes, 0);
      }),
      { numRuns: 200 },
    );
    const all = readCaptures();
    const changes = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.nat(all.length - 1), changes, fc.boolean(), (which, changed, isLost) => {
        const finder = new CapturedDevice();
        const pieces = piecesOf(all[which] as Capture).map(({ from, bytes }) => ({ from, bytes: Uint8Array.from(bytes) }));
        for (const [place, octet] of changed) {
          const { bytes } = pieces[place % pieces.length] as Piece;
          bytes[(place >> 8) % bytes.length] = octet;
        }
        const reads = hear(pieces.slice(isLost ? 1 : 0), finder);
        for (const { place, value } of reads.flat()) {
          expect(place.point.reference).toBe(place.column);
          expect(typeof value).toBe('number');
        }
      }),
      { numRuns: 400 },
    );
  });

  it('hold little of what never ends: segments without a last one, requests without answers, data sets without number', () => {
    const finder = new CapturedDevice();
    const open = encodeTpkt(dtHeader(false), DATA_HEADER, new Uint8Array(1));
    const nothing = encodeTpkt(dtHeader(false));
    for (let count = 0; count < 20_000; count++) finder.push(false, count % 2 === 0 ? open : nothing, 0);
    for (let count = 0; count < 20_000; count++) finder.push(true, ask(count, reading(VALUE)).bytes, 0);
    // the oldest are forgotten, the newest are not
    finder.gap(false);
    expect(hear([answer(1, float(1))], finder)).toEqual([]);
    expect(told(hear([answer(19_999, float(1))], finder))).toHaveLength(1);
  });
});
