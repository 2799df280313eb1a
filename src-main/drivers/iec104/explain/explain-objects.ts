/** The elements of information objects as fields for the explanation, in the words of IEC 60870-5-101, 7.2.6. */
import { hexText } from '../../../protocol-kit/bytes.ts';
import type { ObjectKind } from '../codec/objects.ts';
import { f32le, s16le, s32le, u16le, u32le } from '../codec/octets.ts';
import type { TimeTag } from '../codec/time-tags.ts';
import type { FieldText } from './explain-nodes.ts';
import { words } from './explain-wording.ts';

/** One element: its name, its octets, and what they say. */
export interface ElementField {
  readonly name: string;
  readonly length: number;
  text(octets: Uint8Array, at: number): FieldText;
}

/** A field of one octet; bits outside of `defined` are reserved and should be 0. */
function octet(name: string, defined: number, text: (value: number) => string): ElementField {
  return {
    name,
    length: 1,
    text(octets, at) {
      const value = octets[at] ?? 0;
      const said = text(value & defined);
      return (value & ~defined) === 0 ? { value: said } : { value: said, warning: 'reserved bits are set' };
    },
  };
}

function number(name: string, length: number, read: (octets: Uint8Array, at: number) => string): ElementField {
  return { name, length, text: (octets, at) => ({ value: read(octets, at) }) };
}

/** An octet with a state in its low bits and quality flags in the others. */
function stateAndQuality(name: string, states: number, flags: number, text: (value: number) => string): ElementField {
  return octet(name, states | flags, (value) => `${text(value & states)}, ${words.quality(value & flags)}`);
}

const qds = octet('quality (QDS)', 0xf1, words.quality);
const qdp = octet('quality (QDP)', 0xf8, words.quality);
const nva = number('normalized value (NVA)', 2, (octets, at) => `${words.number(s16le(octets, at) / 32_768)} (raw ${s16le(octets, at)})`);
const sva = number('scaled value (SVA)', 2, (octets, at) => String(s16le(octets, at)));
const r32 = number('short floating point (R32)', 4, (octets, at) => words.number(f32le(octets, at)));
const bsi = number('bitstring (BSI)', 4, (octets, at) => `0x${u32le(octets, at).toString(16).toUpperCase().padStart(8, '0')}`);
const qos = octet('qualifier (QOS)', 0xff, (value) => `${words.select(value >= 0x80)}, ${words.setPointQualifier(value & 0x7f)}`);
const qpm = octet('qualifier (QPM)', 0xff, words.parameter);

function cp16(name: string): ElementField {
  return {
    name,
    length: 2,
    text(octets, at) {
      const value = u16le(octets, at);
      return value < 60_000 ? { value: `${value} ms` } : { value: `${value} ms`, warning: 'the standard ends at 59999 ms' };
    },
  };
}

function command(name: string, states: number, text: (value: number) => string): ElementField {
  return octet(name, states | 0xfc, (value) => {
    return `${text(value & states)}, ${words.select(value >= 0x80)}, ${words.commandQualifier((value >> 2) & 0x1f)}`;
  });
}

const vti = octet('step position (VTI)', 0xff, (value) => `${(value << 25) >> 25}${value >= 0x80 ? ', in transit' : ''}`);
const counterFlags = octet('counter flags', 0xff, (value) => {
  const flags = [value & 0x20 ? ', overflow (CY)' : '', value & 0x40 ? ', adjusted (CA)' : '', value & 0x80 ? ', invalid (IV)' : ''];
  return `sequence ${value & 0x1f}${flags.join('')}`;
});

function pattern(name: string): ElementField {
  return number(name, 2, (octets, at) => hexText(octets.subarray(at, at + 2)));
}

const timeOfMinute = number('milliseconds', 2, (octets, at) => String(u16le(octets, at)));
const minute = octet('minute', 0xff, (value) => {
  return `${value & 0x3f}${value & 0x40 ? ', substituted (GEN)' : ''}${value & 0x80 ? ', invalid (IV)' : ''}`;
});

/** The octets of time tags (IEC 60870-5-101, 7.2.6.18 and 7.2.6.19). */
export const TIME_FIELDS: Readonly<Record<TimeTag['kind'], readonly ElementField[]>> = {
  cp24: [timeOfMinute, minute],
  cp56: [
    timeOfMinute,
    minute,
    octet('hour', 0x9f, (value) => `${value & 0x1f}, SU ${value >> 7} (${value >= 0x80 ? 'summer time' : 'standard time'})`),
    octet('day', 0xff, (value) => `${value & 0x1f}, day of week ${value >> 5}${value < 0x20 ? ' (not used)' : ''}`),
    octet('month', 0x0f, String),
    octet('year', 0x7f, String),
  ],
};

/** The elements of each kind, in wire order; type 21 ends before the quality. */
export const ELEMENT_FIELDS: Readonly<Record<ObjectKind, readonly ElementField[]>> = {
  single: [stateAndQuality('single point (SIQ)', 1, 0xf0, words.single)],
  double: [stateAndQuality('double point (DIQ)', 3, 0xf0, words.double)],
  step: [vti, qds],
  bits: [bsi, qds],
  normalized: [nva, qds],
  scaled: [sva, qds],
  float: [r32, qds],
  counter: [number('counter reading (BCR)', 4, (octets, at) => String(s32le(octets, at))), counterFlags],
  packed: [pattern('states (ST)'), pattern('changes (CD)'), qds],
  protectionEvent: [stateAndQuality('protection event (SEP)', 3, 0xf8, words.double), cp16('elapsed time (CP16)')],
  protectionStart: [octet('start events (SPE)', 0x3f, words.start), qdp, cp16('relay duration (CP16)')],
  protectionOutput: [octet('output circuits (OCI)', 0x0f, words.output), qdp, cp16('relay operating time (CP16)')],
  singleCommand: [command('single command (SCO)', 1, words.single)],
  doubleCommand: [command('double command (DCO)', 3, words.doubleCommand)],
  stepCommand: [command('regulating step command (RCO)', 3, words.stepCommand)],
  setNormalized: [nva, qos],
  setScaled: [sva, qos],
  setFloat: [r32, qos],
  setBits: [bsi],
  parameterNormalized: [nva, qpm],
  parameterScaled: [sva, qpm],
  parameterFloat: [r32, qpm],
  endOfInit: [octet('cause of initialization (COI)', 0xff, (value) => words.endOfInit(value & 0x7f, value >= 0x80))],
  counterInterrogation: [octet('qualifier (QCC)', 0xff, (value) => words.counterRequest(value & 0x3f, value >> 6))],
  interrogation: [octet('qualifier (QOI)', 0xff, words.interrogation)],
  reset: [octet('qualifier (QRP)', 0xff, words.reset)],
  activation: [octet('qualifier (QPA)', 0xff, words.activation)],
  testPattern: [pattern('test pattern (FBP)')],
  delay: [cp16('delay (CP16)')],
  test: [number('test counter (TSC)', 2, (octets, at) => String(u16le(octets, at)))],
  read: [],
  clock: [],
};
