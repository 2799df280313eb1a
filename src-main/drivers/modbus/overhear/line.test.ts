import { describe, expect, it } from 'vitest';
import { concatBytes } from '../../../protocol-kit/bytes.ts';
import { crc16 } from '../../../protocol-kit/crc.ts';
import { encodeRead } from '../codec/request.ts';
import { AsciiFramer, encodeAscii } from '../rtu/ascii.ts';
import { encodeRtu } from '../rtu/framing.ts';
import { octets } from '../vectors/load.ts';
import { OverheardAscii } from './ascii-frames.ts';
import { OverheardRtu } from './frames.ts';
import { type HeardOnLine, OverheardLine } from './line.ts';

const BROKEN_MS = 200;
const ANSWER_MS = 1000;
const rtu = (text: string) => {
  const [unit = 0, ...pdu] = octets(text);
  return encodeRtu(unit, Uint8Array.from(pdu));
};
const read = (unit: number, code: 1 | 2 | 3 | 4, start: number, quantity: number) => encodeRtu(unit, encodeRead(code, start, quantity));
const newLine = () => new OverheardLine({ cutter: new OverheardRtu(), brokenMs: BROKEN_MS, answerMs: ANSWER_MS });

/** What was said, each octet string at its time, and silence at the end. */
function hear(...said: readonly (readonly [number, Uint8Array])[]): string[] {
  const line = newLine();
  const heard = said.flatMap(([at, bytes]) => [...line.push(bytes, at)]);
  const end = (said.at(-1)?.[0] ?? 0) + BROKEN_MS;
  return [...heard, ...line.passed(end), ...line.passed(end + ANSWER_MS)].map(told);
}

/** The same in one lump, in which only the order tells. */
const hearAtOnce = (...said: readonly Uint8Array[]) => hear([0, concatBytes(...said)]);

const hex = (bytes: Uint8Array) => [...bytes].map((octet) => octet.toString(16).padStart(2, '0')).join(' ');

function told(item: HeardOnLine): string {
  switch (item.kind) {
    case 'noise':
      return `noise ${item.bytes.length}`;
    case 'request':
      return `request ${item.frame.unitId}/${item.frame.pdu[0]}${item.isRepeated ? ' again' : ''}`;
    case 'answer':
      return `answer ${item.frame.unitId}/${item.frame.pdu[0]}`;
    case 'value':
      return `value ${hex(item.request.pdu.subarray(1, 5))}: ${hex(item.frame.pdu.subarray(2))}`;
    case 'doubt':
      return `doubt ${item.why}`;
    case 'stray':
      return item.isSecond ? 'second' : 'stray';
    default:
      return item.kind;
  }
}

const values = (heard: readonly string[]) => heard.filter((text) => text.startsWith('value'));

describe('a line that is overheard', () => {
  const exchanges: readonly (readonly [string, Uint8Array, Uint8Array])[] = [
    ['coils', read(1, 1, 0x13, 0x25), rtu('01 01 05 CD 6B B2 0E 1B')],
    ['inputs', read(2, 2, 0, 8), rtu('02 02 01 A5')],
    ['holding registers', read(17, 3, 0x6b, 3), rtu('11 03 06 02 2B 00 00 00 64')],
    ['one register', read(17, 3, 0x6b, 1), rtu('11 03 02 02 2B')],
    ['input registers', read(3, 4, 8, 2), rtu('03 04 04 00 0A 01 02')],
    ['125 registers', read(3, 4, 8, 125), encodeRtu(3, Uint8Array.of(4, 250, ...Array.from({ length: 250 }, (_, at) => at)))],
    ['read and write', rtu('01 17 00 03 00 02 00 0E 00 01 02 00 FF'), rtu('01 17 04 00 FE 0A CD')],
  ];
  const writes: readonly (readonly [string, Uint8Array, Uint8Array])[] = [
    ['coil', rtu('01 05 00 AC FF 00'), rtu('01 05 00 AC FF 00')],
    ['register', rtu('01 06 00 01 00 03'), rtu('01 06 00 01 00 03')],
    ['coils', rtu('01 0F 00 13 00 0A 02 CD 01'), rtu('01 0F 00 13 00 0A')],
    ['registers', rtu('01 10 00 01 00 02 04 00 0A 01 02'), rtu('01 10 00 01 00 02')],
    ['mask', rtu('01 16 00 04 00 F2 00 25'), rtu('01 16 00 04 00 F2 00 25')],
    ['diagnostics', rtu('01 08 00 00 A5 37'), rtu('01 08 00 00 A5 37')],
  ];

  it.each([...exchanges, ...writes])('pairs %s, delivered at once', (_, request, answer) => {
    const heard = hearAtOnce(request, answer, request, answer);
    const [unit, code] = [request[0], request[1]];
    const pair = [`request ${unit}/${code}`, `answer ${unit}/${code}`];
    expect(heard.filter((text) => !text.startsWith('value'))).toEqual([...pair, ...pair]);
    expect(values(heard)).toHaveLength(2);
  });

  it('hears the same wherever the stream is cut', () => {
    const stream = concatBytes(
      octets('00 FF 31'),
      ...[...exchanges, ...writes].flatMap(([, request, answer]) => [request, answer]),
      octets('55'),
    );
    const whole = hear([0, stream]).filter((text) => !text.startsWith('noise'));
    expect(whole.filter((text) => text.startsWith('answer'))).toHaveLength(exchanges.length + writes.length);
    expect(values(whole)).toHaveLength(exchanges.length + writes.length);
    for (let cut = 1; cut < stream.length; cut++) {
      expect(hear([0, stream.subarray(0, cut)], [0, stream.subarray(cut)]).filter((text) => !text.startsWith('noise'))).toEqual(whole);
    }
    expect(hear(...Array.from(stream, (octet) => [0, Uint8Array.of(octet)] as const)).filter((text) => !text.startsWith('noise'))).toEqual(
      whole,
    );
  });

  it('pairs a refusal, which makes no value of the table', () => {
    expect(hearAtOnce(read(1, 3, 0, 1), rtu('01 83 02'))).toEqual(['request 1/3', 'answer 1/131', 'value 00 00 00 01: ']);
  });

  it('tells a slave that says nothing, and a repeat', () => {
    const [asked, answer] = [read(1, 3, 0, 1), rtu('01 03 02 00 07')];
    expect(hear([0, asked], [500, asked], [520, answer])).toEqual([
      'request 1/3',
      'unanswered',
      'request 1/3 again',
      'answer 1/3',
      'value 00 00 00 01: 00 07',
    ]);
    expect(hear([0, asked])).toEqual(['request 1/3', 'unanswered']);
  });

  it('waits for nobody behind a broadcast', () => {
    expect(hearAtOnce(rtu('00 06 00 01 00 03'), read(1, 3, 0, 1), rtu('01 03 02 00 07'))).toEqual([
      'request 0/6',
      'request 1/3',
      'answer 1/3',
      'value 00 00 00 01: 00 07',
    ]);
  });

  it('makes no value of an answer whose request was not heard', () => {
    expect(hearAtOnce(rtu('01 03 04 00 07 00 08'), read(1, 3, 0, 1), rtu('01 03 02 00 07'))).toEqual([
      'stray',
      'doubt unasked',
      'request 1/3',
      'answer 1/3',
      'value 00 00 00 01: 00 07',
    ]);
  });

  it('makes no value of an answer of another length, unit or function', () => {
    for (const answer of ['01 03 04 00 07 00 08', '02 03 02 00 07', '01 04 02 00 07']) {
      expect(values(hearAtOnce(read(1, 3, 0, 1), rtu(answer)))).toEqual([]);
    }
  });

  it('counts two slaves that answer as one', () => {
    expect(hearAtOnce(read(1, 3, 0, 2), rtu('01 03 04 00 07 00 08'), rtu('01 03 04 00 09 00 0A')).slice(-2)).toEqual([
      'second',
      'doubt unasked',
    ]);
  });

  it('makes no value of what may be the late answer to another address', () => {
    const [first, second] = [read(1, 3, 0, 2), read(1, 3, 100, 2)];
    const late = hear([0, first], [400, second], [420, rtu('01 03 04 00 07 00 08')], [440, rtu('01 03 04 00 09 00 0A')]);
    expect(late).toEqual(['request 1/3', 'unanswered', 'request 1/3', 'answer 1/3', 'doubt late', 'second', 'doubt unasked']);
    // once no slave can be that late any more, answers are certain again
    expect(values(hear([0, first], [400, second], [5000, second], [5020, rtu('01 03 04 00 07 00 08')]))).toHaveLength(1);
  });

  it('makes no value of the answer to a request of which no octet was heard, behind one that was not answered', () => {
    const [silent, other] = [read(1, 3, 0, 2), rtu('01 03 04 00 09 00 0A')];
    const late = ['request 1/3', 'answer 1/3', 'doubt late'];
    expect(hear([0, silent], [320, other])).toEqual(late);
    // also where it was answered soon before, and however often that happens
    const soon = [silent, rtu('01 03 04 00 07 00 08')] as const;
    const answered = [0, 1000, 2000].flatMap((at) => [[at, soon[0]] as const, [at + 20, soon[1]] as const]);
    expect(hear(...answered, [3000, silent], [3320, other]).slice(-3)).toEqual(late);
    const often = [0, 5000, 10_000].flatMap((at) => [[at, silent] as const, [at + 1500, silent] as const, [at + 1820, other] as const]);
    expect(values(hear(...often))).toEqual([]);
  });

  it('knows a slave that always takes its time after two answers', () => {
    const [asked, answer] = [read(1, 3, 0, 2), rtu('01 03 04 00 07 00 08')];
    const slow = [0, 1000, 2000, 3000].flatMap((at) => [[at, asked] as const, [at + 400, answer] as const]);
    expect(hear(...slow).filter((text) => /^(value|doubt)/.test(text))).toEqual([
      'doubt late',
      'doubt late',
      'value 00 00 00 02: 00 07 00 08',
      'value 00 00 00 02: 00 07 00 08',
    ]);
  });

  it('takes no refusal for that of a request which may not have been refused', () => {
    const [first, second, refusal] = [read(1, 3, 0, 2), read(1, 3, 100, 5), rtu('01 83 02')];
    expect(hear([0, first], [400, second], [420, refusal]).at(-1)).toBe('doubt late');
    expect(hear([0, first], [320, refusal]).at(-1)).toBe('doubt late');
    expect(hearAtOnce(first, octets('01 03 00 64 00'), refusal).filter((text) => text.startsWith('doubt'))).toEqual(['doubt noise']);
  });

  it('makes no value of an answer behind lost octets, and bears those of a line that turns', () => {
    const [asked, answer] = [read(1, 3, 0, 2), rtu('01 03 04 00 07 00 08')];
    const lost = read(1, 3, 100, 2).subarray(2);
    expect(hearAtOnce(asked, lost, answer).filter((text) => text.startsWith('doubt'))).toEqual(['doubt noise']);
    expect(values(hearAtOnce(asked, octets('00'), answer))).toHaveLength(1);
    expect(values(hearAtOnce(asked, octets('FF FE'), answer))).toHaveLength(1);
  });

  it('finds its way again behind half a frame, at once behind a silence', () => {
    const whole = [read(1, 3, 0, 2), rtu('01 03 04 00 07 00 08')] as const;
    const half = rtu('01 03 04 00 09 00 0A').subarray(0, 6);
    expect(values(hear([0, concatBytes(read(1, 3, 0, 2), half)], [300, concatBytes(...whole)]))).toEqual([
      'value 00 00 00 02: 00 07 00 08',
    ]);
    const long = rtu('01 03 FA 00 09');
    const rounds = Array.from({ length: 20 }, () => whole).flat();
    expect(values(hearAtOnce(long, ...rounds)).length).toBeGreaterThan(15);
  });

  it('finds frames of functions that makers have by their checksum, and known ones behind them', () => {
    const own = rtu('01 41 01 02 03 04 05');
    expect(hearAtOnce(own, read(1, 3, 0, 2), rtu('01 03 04 00 07 00 08'))).toEqual([
      'request 1/65',
      'unanswered',
      'request 1/3',
      'answer 1/3',
      'value 00 00 00 02: 00 07 00 08',
    ]);
  });
});

describe('octets that can be read two ways', () => {
  /** A read of an address 0x02xx or 0x04xx whose checksum ends in 00: without it, it is an answer with one register. */
  function requestEndingInZero(): Uint8Array {
    for (let unit = 1; unit < 248; unit++) {
      for (let low = 0; low < 256; low++) {
        for (let quantity = 1; quantity <= 125; quantity++) {
          const frame = read(unit, 3, 0x200 | low, quantity);
          if (frame.at(-1) === 0) return frame;
        }
      }
    }
    throw new Error('there are many');
  }

  it('is no value where a request is an answer with one register as well', () => {
    const trap = requestEndingInZero();
    expect(crc16(trap, 0, 7)).toBe(0);
    const asked = read(trap[0] ?? 0, 3, 0x10, 1);
    expect(values(hearAtOnce(asked, trap))).toEqual([]);
    // also where the last octet comes by itself, and later
    for (let cut = 1; cut < trap.length; cut++) {
      expect(values(hear([0, asked], [20, trap.subarray(0, cut)], [60, trap.subarray(cut)]))).toEqual([]);
    }
  });

  it('is no value where an answer with two registers is a request and an octet of 0 as well', () => {
    for (let third = 0; third < 65_536; third++) {
      const answer = encodeRtu(1, Uint8Array.of(3, 4, third >> 8, 0, 5, third & 0xff));
      if (answer.at(-1) !== 0) continue;
      expect(crc16(answer, 0, 8)).toBe(0);
      const heard = hearAtOnce(read(1, 3, 0x10, 2), answer);
      expect(values(heard)).toEqual([]);
      expect(heard).toContain('doubt two_ways');
      return;
    }
    expect.fail('there is one in 256');
  });

  it('takes 17 to 24 coils for an answer only when they come soon, and the next frame does not answer them', () => {
    const asked = read(1, 1, 0, 20);
    const coils = rtu('01 01 03 05 00 11');
    expect(values(hear([0, asked], [20, coils], [500, asked]))).toEqual(['value 00 00 00 14: 05 00 11']);
    expect(values(hear([0, asked], [400, coils], [500, asked]))).toEqual([]);
    // it asked for 17 coils from 0x0305, and here they are
    expect(values(hear([0, asked], [20, coils], [40, rtu('01 01 03 05 00 00')]))).toEqual([]);
    // nobody asks for 0 coils
    const none = rtu('01 01 03 05 00 00');
    expect(values(hear([0, asked], [400, none], [1000, asked], [1400, none], [2000, asked], [2400, none]))).toHaveLength(1);
    expect(hear([0, asked], [400, none])).toEqual(['request 1/1', 'answer 1/1', 'doubt late']);
  });

  it('makes no value when listening begins with such an answer', () => {
    // the answer reads as a request for 17 coils, the request behind it as the answer
    expect(values(hear([0, rtu('01 01 03 00 00 11')], [20, read(1, 1, 0x300, 20)]))).toEqual([]);
  });
});

it('hears Modbus ASCII the same way', () => {
  const line = new OverheardLine({ cutter: new OverheardAscii(new AsciiFramer('request')), brokenMs: 1000, answerMs: ANSWER_MS });
  const ascii = (text: string) => {
    const [unit = 0, ...pdu] = octets(text);
    return encodeAscii(unit, Uint8Array.from(pdu));
  };
  const stream = concatBytes(
    octets('41'),
    ascii('01 03 00 00 00 02'),
    ascii('01 03 04 00 07 00 08'),
    ascii('01 06 00 01 00 03'),
    ascii('01 06 00 01 00 03'),
  );
  const heard = [...stream].flatMap((octet) => [...line.push(Uint8Array.of(octet), 0)]).map(told);
  expect(heard).toEqual([
    'noise 1',
    'request 1/3',
    'answer 1/3',
    'value 00 00 00 02: 00 07 00 08',
    'request 1/6',
    'answer 1/6',
    'value 00 01 00 03: 01 00 03',
  ]);
});
