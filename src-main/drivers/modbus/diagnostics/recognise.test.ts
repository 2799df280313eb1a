import { describe, expect, it } from 'vitest';
import { ConnType } from '#shared/domain/enums.ts';
import { concatBytes } from '../../../protocol-kit/bytes.ts';
import { clientSettings } from '../../testing/settings.ts';
import { encodeRead } from '../codec/request.ts';
import { encodeMbap } from '../link/mbap.ts';
import { encodeAscii } from '../rtu/ascii.ts';
import { encodeRtu } from '../rtu/framing.ts';
import { octets } from '../vectors/load.ts';
import { mbapDiagnostics, rtuDiagnostics } from './index.ts';
import { recogniseAscii, recogniseMbap, recogniseRtu } from './recognise.ts';
import { findRtuFrames } from './rtu-frames.ts';

const ask = (unit: number) => encodeRtu(unit, encodeRead(3, 0, 1));
const answer = (unit: number) => encodeRtu(unit, Uint8Array.of(3, 2, 0x12, 0x34));
const exception = (unit: number) => encodeRtu(unit, Uint8Array.of(0x83, 2));
const text = (words: string) => new TextEncoder().encode(words);

describe('overheard RTU frames', () => {
  it('have the octets of the standard', () => {
    // MODBUS over Serial Line V1.02 has no worked frame; this one is read request 3, address 0, quantity 1 of slave 1
    expect(ask(1)).toEqual(octets('01 03 00 00 00 01 84 0A'));
  });

  it('are told apart as questions and answers', () => {
    const line = concatBytes(ask(1), answer(1), ask(2), exception(2), ask(3));
    expect(findRtuFrames(line).map((frame) => [frame.unitId, frame.direction])).toEqual([
      [1, 'request'],
      [1, 'answer'],
      [2, 'request'],
      [2, 'answer'],
      [3, 'request'],
    ]);
  });

  it('are found for every function that is known', () => {
    const pdus = [
      '0F 00 00 00 03 01 05',
      '10 00 01 00 02 04 00 01 00 02',
      '16 00 04 00 F2 00 25',
      '17 00 00 00 01 00 00 00 01 02 00 07',
      '2B 0E 01 00',
    ];
    for (const pdu of pdus) expect(findRtuFrames(encodeRtu(9, octets(pdu)))).toMatchObject([{ unitId: 9, direction: 'request' }]);
    const identification = encodeRtu(9, octets('2B 0E 01 01 00 00 01 00 03 41 42 43'));
    expect(findRtuFrames(concatBytes(encodeRtu(9, octets('2B 0E 01 00')), identification)).at(-1)).toMatchObject({
      functionCode: 43,
      direction: 'answer',
    });
  });

  it('an eight octet answer after its question is an answer', () => {
    const three = encodeRtu(1, Uint8Array.of(1, 3, 0xff, 0xff, 0xff));
    expect(three.length).toBe(8);
    expect(findRtuFrames(concatBytes(encodeRtu(1, encodeRead(1, 0, 24)), three)).at(-1)?.direction).toBe('answer');
  });
});

describe('a serial line', () => {
  it('with another master tells who is asked and who answers', () => {
    const seen = recogniseRtu(concatBytes(ask(1), answer(1), Uint8Array.of(0xff, 0x00), ask(5)), []);
    expect(seen).toMatchObject({ frames: 3, asked: [1, 5], answering: [1], noise: 2, hasEcho: false, foreign: null });
  });

  it('that hears itself has an echo, which is no frame of another', () => {
    expect(recogniseRtu(ask(7), [ask(7)])).toMatchObject({ frames: 0, asked: [], hasEcho: true, noise: 0 });
    expect(recogniseRtu(concatBytes(ask(7), answer(7)), [ask(7)])).toMatchObject({
      frames: 1,
      answering: [7],
      hasEcho: true,
      answersToOne: 1,
    });
  });

  it('with two slaves on one address gives two answers to one question', () => {
    expect(recogniseRtu(concatBytes(answer(1), exception(1)), [ask(1)]).answersToOne).toBe(2);
    expect(recogniseRtu(concatBytes(answer(1), answer(1)), [ask(1), ask(1)]).answersToOne).toBe(1);
  });

  it('with noise alone has no frames', () => {
    expect(recogniseRtu(Uint8Array.of(0x80, 0x7f, 0x00, 0xfe), [])).toMatchObject({ frames: 0, noise: 4, foreign: null });
  });
});

describe('foreign protocols', () => {
  const cases: [string, Uint8Array][] = [
    ['http', text('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['http', text('<!doctype html><html></html>')],
    ['ssh', text('SSH-2.0-OpenSSH_9.2\r\n')],
    ['tls', octets('15 03 01 00 02 02 0A')],
    ['modbus-ascii', text(':010302123485\r\n')],
    ['iec104', octets('68 04 07 00 00 00')],
    ['dlt645', octets('FE FE 68 12 90 78 56 34 12 68 91 04 33 33 34 33 8D 16')],
    ['tpkt', octets('03 00 00 07 02 F0 80')],
    ['text', text('login: ')],
    ['modbus-rtu', answer(1)],
  ];
  it.each(cases)('%s is recognised on a Modbus TCP connection', (name, bytes) => {
    expect(recogniseMbap(bytes, []).foreign).toBe(name);
  });

  it('Modbus TCP is recognised where RTU frames are expected', () => {
    expect(recogniseRtu(encodeMbap(1, 1, Uint8Array.of(3, 2, 0, 1)), [])).toMatchObject({ frames: 0, foreign: 'modbus-tcp' });
  });

  it('nothing is made of octets without meaning', () => {
    expect(recogniseMbap(octets('F8 00 78 80'), []).foreign).toBeNull();
    expect(recogniseMbap(new Uint8Array(0), []).foreign).toBeNull();
  });
});

describe('Modbus TCP answers', () => {
  it('are counted, and what follows them is noise', () => {
    const frames = concatBytes(
      encodeMbap(1, 4, Uint8Array.of(3, 2, 0, 1)),
      encodeMbap(2, 4, Uint8Array.of(0x83, 2)),
      Uint8Array.of(1, 2, 3),
    );
    expect(recogniseMbap(frames, [])).toMatchObject({ frames: 2, answering: [4], noise: 3, foreign: null });
  });
});

describe('raw questions', () => {
  const settings = clientSettings();
  it('ask in the framing of the channel first, and only read', () => {
    expect(mbapDiagnostics.questions(1, settings).map((question) => question.framing)).toEqual(['modbus-tcp', 'modbus-rtu']);
    expect(rtuDiagnostics.questions(1, settings).map((question) => question.framing)).toEqual(['modbus-rtu', 'modbus-tcp']);
    expect(rtuDiagnostics.questions(1, { ...settings, connType: ConnType.rtuMaster }).map((question) => question.framing)).toEqual([
      'modbus-rtu',
    ]);
    const functions = mbapDiagnostics.questions(1, settings).map(({ framing, octets: bytes }) => bytes[framing === 'modbus-tcp' ? 7 : 1]);
    expect(functions).toEqual([3, 3]);
  });
});

describe('overheard ASCII frames', () => {
  const sent = encodeAscii(1, encodeRead(3, 0, 1));

  it('tell who answers, what came back, and who is not reached', () => {
    const heard = concatBytes(text('?'), sent, encodeAscii(1, octets('83 02')), encodeAscii(5, octets('83 0B')), text(':01'));
    expect(recogniseAscii(heard, [sent])).toMatchObject({
      frames: 2,
      answering: [1],
      unreached: [5],
      hasEcho: true,
      noise: 4,
      foreign: null,
    });
  });

  it('are asked for where the channel says so, and RTU is told from them', () => {
    const settings = { ...clientSettings(), protocol: { framing: 'ascii' } };
    expect(rtuDiagnostics.questions(1, settings)).toEqual([{ framing: 'modbus-ascii', octets: sent }]);
    expect(rtuDiagnostics.recognise(answer(1), [sent], settings)).toMatchObject({ frames: 0, foreign: 'modbus-rtu' });
    expect(rtuDiagnostics.recognise(sent, [ask(1)], clientSettings())).toMatchObject({ frames: 0, foreign: 'modbus-ascii' });
  });
});
