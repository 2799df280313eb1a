import { describe, expect, it } from 'vitest';
import { concatBytes, hexText } from '../../../protocol-kit/bytes.ts';
import { encodeAddress, isAnswerAddress } from '../codec/address.ts';
import { encodeFrame } from '../codec/frame.ts';
import { Dlt645Framer } from '../link/framer.ts';
import { allVectors, octets } from '../vectors/load.ts';
import { type HeardFromMeters, MeterPairing } from './pairing.ts';

const METER = '000000000012';
const frame = (control: number, data: string, meter = METER) =>
  encodeFrame({ address: encodeAddress(meter), control, data: octets(data) }, 4);
const ENERGY = '00 00 01 00';

function hear(...said: readonly (readonly [number, Uint8Array])[]): string[] {
  const framer = new Dlt645Framer();
  const pairing = new MeterPairing(1000);
  const heard = said.flatMap(([at, bytes]) =>
    framer.push(bytes).flatMap((item) => [...(item.kind === 'frame' ? pairing.take(item, at) : pairing.noise())]),
  );
  return [...heard, ...pairing.passed((said.at(-1)?.[0] ?? 0) + 1000)].map(told);
}

const hearAtOnce = (...said: readonly Uint8Array[]) => hear([0, concatBytes(...said)]);

function told(item: HeardFromMeters): string {
  if (item.kind === 'refused') return `refused ${item.read.di.toString(16)}: ${item.word}`;
  if (item.kind === 'value') return `value ${item.item.di.toString(16)}: ${hexText(item.item.data)}`;
  if (item.kind === 'request') return item.isCommand ? 'command' : item.isRepeated ? 'again' : 'request';
  if (item.kind === 'doubt') return `doubt ${item.why}`;
  return item.kind;
}

describe('meters that are overheard', () => {
  it('pairs a read, also one of the only meter, however it is cut', () => {
    const answer = frame(0x91, `${ENERGY} 78 56 34 12`);
    for (const meter of [METER, 'AAAAAAAAAAAA']) {
      const stream = concatBytes(frame(0x11, ENERGY, meter), answer);
      const whole = ['request', 'answer', 'value 10000: 78 56 34 12'];
      for (let cut = 1; cut < stream.length; cut++) expect(hear([0, stream.subarray(0, cut)], [1, stream.subarray(cut)])).toEqual(whole);
      expect(hear(...Array.from(stream, (octet, at) => [at, Uint8Array.of(octet)] as const))).toEqual(whole);
    }
  });

  it('makes no value of another meter, another identifier, a refusal, or an answer alone', () => {
    const asked = frame(0x11, ENERGY);
    const stray = ['stray', 'doubt unasked'];
    expect(hearAtOnce(asked, frame(0x91, `${ENERGY} 01 00 00 00`, '000000000013'))).toEqual(['request', ...stray, 'unanswered']);
    expect(hearAtOnce(asked, frame(0x91, '00 00 02 00 01 00 00 00'))).toEqual(['request', ...stray, 'unanswered']);
    expect(hearAtOnce(asked, frame(0xd1, '02'))).toEqual(['request', 'answer', 'refused 10000: 2']);
    expect(hearAtOnce(frame(0x91, `${ENERGY} 01 00 00 00`))).toEqual(stray);
  });

  it('puts follow-up frames together, and makes no value when one is missing', () => {
    const first = [frame(0x11, ENERGY), frame(0xb1, `${ENERGY} 01 02`)] as const;
    const part = (number: string, data: string, more: boolean) => [
      frame(0x12, `${ENERGY} ${number}`),
      frame(more ? 0xb2 : 0x92, `${ENERGY} ${data} ${number}`),
    ];
    const whole = hearAtOnce(...first, ...part('01', '03', true), ...part('02', '04', false));
    expect(whole.at(-1)).toBe('value 10000: 01 02 03 04');
    expect(hearAtOnce(...first, ...part('01', '03', true), ...part('01', '03', true), ...part('02', '04', false)).at(-1)).toBe(
      'value 10000: 01 02 03 04',
    );
    expect(hearAtOnce(...first, ...part('02', '04', false)).at(-1)).toBe('doubt unasked');
    expect(hearAtOnce(...part('01', '03', false)).at(-1)).toBe('doubt unasked');
  });

  it('trusts follow-up frames of 1997 only where none was lost', () => {
    const said = [frame(0x01, '10 90'), frame(0xa1, '10 90 01 02'), frame(0x02, '10 90'), frame(0x82, '10 90 03')];
    expect(hearAtOnce(...said).at(-1)).toBe('value 9010: 01 02 03');
    const [first = octets(''), answer = octets(''), next = octets(''), last = octets('')] = said;
    expect(hear([0, concatBytes(first, answer, next)], [500, next], [520, last]).at(-1)).toBe('doubt unasked');
    expect(hearAtOnce(first, answer, octets('68 00 11'), next, last)).toContain('doubt noise');
  });

  it('tells commands, repeats and silence', () => {
    const command = frame(0x1c, '02 00 00 00 00 00 00 00 1A 00 01 01 01 01 01 01');
    expect(hearAtOnce(command, frame(0x9c, ''))).toEqual(['command', 'answer']);
    expect(hear([0, frame(0x11, ENERGY)], [500, frame(0x11, ENERGY)])).toEqual(['request', 'unanswered', 'again', 'unanswered']);
    expect(hearAtOnce(frame(0x08, '00 30 12 01 01 26', '999999999999'))).toEqual(['command']);
  });

  it('makes no value where a late answer may be of other load records', () => {
    const asked = (minute: string) => frame(0x11, `01 01 01 06 01 ${minute} 12 01 01 26`);
    const answer = frame(0x91, '01 01 01 06 10 20 30');
    expect(hear([0, asked('15')], [500, asked('30')], [520, answer]).at(-1)).toBe('doubt late');
    expect(hear([0, asked('15')], [20, answer]).at(-1)).toMatch(/^value/);
  });

  it('takes no refusal, and no load records, for those of a request that may be another one', () => {
    const [asked, other, refusal] = [frame(0x11, ENERGY), frame(0x11, '00 00 02 00'), frame(0xd1, '02')];
    expect(hear([0, asked], [400, other], [420, refusal]).at(-1)).toBe('doubt late');
    // of the request between them nothing was heard
    expect(hear([0, asked], [420, refusal]).at(-1)).toBe('doubt late');
    const records = [frame(0x11, '01 01 01 06 01 15 12 01 01 26'), frame(0x91, '01 01 01 06 10 20 30')] as const;
    expect(hear([0, records[0]], [420, records[1]]).at(-1)).toBe('doubt late');
    // a meter that is always that slow is known after two answers
    const slow = [0, 1000, 2000].flatMap((at) => [[at, records[0]] as const, [at + 420, records[1]] as const]);
    expect(hear(...slow).at(-1)).toMatch(/^value/);
    // other answers say what they are of
    expect(hear([0, asked], [420, frame(0x91, `${ENERGY} 78 56 34 12`)]).at(-1)).toMatch(/^value/);
  });

  it('has a value of what came before the meter refused more', () => {
    const said = [frame(0x11, ENERGY), frame(0xb1, `${ENERGY} 01 02`), frame(0x12, `${ENERGY} 01`), frame(0xd2, '02')];
    expect(hearAtOnce(...said).slice(-2)).toEqual(['answer', 'value 10000: 01 02']);
  });

  it('pairs every exchange of the vectors whose answer comes from the meter that was asked', () => {
    const exchanges = allVectors.filter(
      ({ category, request_hex, response_hex, chunks }) =>
        category !== 'malformed' && category !== 'stream' && !chunks && request_hex !== null && response_hex !== null,
    );
    const isFromAsked = ({ request_hex, response_hex }: (typeof exchanges)[number]) => {
      const [asked, answered] = [request_hex, response_hex].map((hex) => new Dlt645Framer().push(octets(hex ?? ''))[0]);
      return asked?.kind === 'frame' && answered?.kind === 'frame' && isAnswerAddress(asked.address, answered.address);
    };
    const own = exchanges.filter(isFromAsked);
    expect(own.length).toBeGreaterThan(100);
    const unpaired = own.filter(
      ({ request_hex, response_hex }) => !hearAtOnce(octets(request_hex ?? ''), octets(response_hex ?? '')).includes('answer'),
    );
    expect(unpaired.map(({ name }) => name)).toEqual([]);
  });
});
