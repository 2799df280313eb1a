/** The elements of information objects as fields for the explanation, in the words of IEC 60870-5-101, 7.2.6. */
import { say } from '#shared/messages/index.ts';
import { hexText } from '../../../protocol-kit/bytes.ts';
import type { FieldText } from '../../kit/explain/node-writer.ts';
import { joined } from '../../kit/explain/nodes.ts';
import type { FrameText } from '../../spi/index.ts';
import type { ObjectKind } from '../codec/objects.ts';
import { f32le, s16le, s32le, u16le, u32le } from '../codec/octets.ts';
import type { TimeTag } from '../codec/time-tags.ts';
import { words } from './explain-wording.ts';

/** One element: its name, its octets, and what they say. */
export interface ElementField {
  readonly name: FrameText;
  readonly length: number;
  text(octets: Uint8Array, at: number): FieldText;
}

/** A field of one octet; bits outside of `defined` are reserved and should be 0. */
function octet(name: FrameText, defined: number, text: (value: number) => FrameText): ElementField {
  return {
    name,
    length: 1,
    text(octets, at) {
      const value = octets[at] ?? 0;
      const said = text(value & defined);
      return (value & ~defined) === 0 ? { value: said } : { value: said, warning: say('iec104frame.reserved_bits') };
    },
  };
}

function number(name: FrameText, length: number, read: (octets: Uint8Array, at: number) => FrameText): ElementField {
  return { name, length, text: (octets, at) => ({ value: read(octets, at) }) };
}

/** An octet with a state in its low bits and quality flags in the others. */
function stateAndQuality(name: FrameText, states: number, flags: number, text: (value: number) => FrameText): ElementField {
  return octet(name, states | flags, (value) => joined([text(value & states), words.quality(value & flags)]));
}

const qds = octet(say('iec104frame.quality_qds'), 0xf1, words.quality);
const qdp = octet(say('iec104frame.quality_qdp'), 0xf8, words.quality);
const nva = number(say('iec104frame.nva'), 2, (octets, at) =>
  say('iec104frame.raw', { value: words.number(s16le(octets, at) / 32_768), raw: s16le(octets, at) }),
);
const sva = number(say('iec104frame.sva'), 2, (octets, at) => String(s16le(octets, at)));
const r32 = number(say('iec104frame.r32'), 4, (octets, at) => words.number(f32le(octets, at)));
const bsi = number(say('iec104frame.bsi'), 4, (octets, at) => `0x${u32le(octets, at).toString(16).toUpperCase().padStart(8, '0')}`);
const qos = octet(say('iec104frame.qos'), 0xff, (value) => joined([words.select(value >= 0x80), words.setPointQualifier(value & 0x7f)]));
const qpm = octet(say('iec104frame.qpm'), 0xff, words.parameter);

function cp16(name: FrameText): ElementField {
  return {
    name,
    length: 2,
    text(octets, at) {
      const value = u16le(octets, at);
      return value < 60_000 ? { value: `${value} ms` } : { value: `${value} ms`, warning: say('iec104frame.milliseconds_most') };
    },
  };
}

function command(name: FrameText, states: number, text: (value: number) => FrameText): ElementField {
  return octet(name, states | 0xfc, (value) => {
    return joined([text(value & states), words.select(value >= 0x80), words.commandQualifier((value >> 2) & 0x1f)]);
  });
}

const vti = octet(say('iec104frame.vti'), 0xff, (value) => {
  const position = String((value << 25) >> 25);
  return value >= 0x80 ? say('iec104frame.in_transit', { value: position }) : position;
});
const counterFlags = octet(say('iec104frame.counter_flags'), 0xff, (value) =>
  joined([
    say('iec104frame.counter_sequence', { number: value & 0x1f }),
    value & 0x20 ? say('iec104frame.overflow') : '',
    value & 0x40 ? say('iec104frame.adjusted') : '',
    value & 0x80 ? say('iec104frame.invalid_iv') : '',
  ]),
);

function pattern(name: FrameText): ElementField {
  return number(name, 2, (octets, at) => hexText(octets.subarray(at, at + 2)));
}

const timeOfMinute = number(say('iec104frame.milliseconds'), 2, (octets, at) => String(u16le(octets, at)));
const minute = octet(say('iec104frame.minute'), 0xff, (value) =>
  joined([String(value & 0x3f), value & 0x40 ? say('iec104frame.substituted_gen') : '', value & 0x80 ? say('iec104frame.invalid_iv') : '']),
);
const hour = octet(say('iec104frame.hour'), 0x9f, (value) =>
  say(value >= 0x80 ? 'iec104frame.summer_time' : 'iec104frame.standard_time', { hour: value & 0x1f }),
);
const day = octet(say('iec104frame.day'), 0xff, (value) =>
  value < 0x20
    ? say('iec104frame.day_of_week_unused', { day: value & 0x1f })
    : say('iec104frame.day_of_week', { day: value & 0x1f, week: value >> 5 }),
);

/** The octets of time tags (IEC 60870-5-101, 7.2.6.18 and 7.2.6.19). */
export const TIME_FIELDS: Readonly<Record<TimeTag['kind'], readonly ElementField[]>> = {
  cp24: [timeOfMinute, minute],
  cp56: [timeOfMinute, minute, hour, day, octet(say('iec104frame.month'), 0x0f, String), octet(say('iec104frame.year'), 0x7f, String)],
};

/** The elements of each kind, in wire order; type 21 ends before the quality. */
export const ELEMENT_FIELDS: Readonly<Record<ObjectKind, readonly ElementField[]>> = {
  single: [stateAndQuality(say('iec104frame.siq'), 1, 0xf0, words.single)],
  double: [stateAndQuality(say('iec104frame.diq'), 3, 0xf0, words.double)],
  step: [vti, qds],
  bits: [bsi, qds],
  normalized: [nva, qds],
  scaled: [sva, qds],
  float: [r32, qds],
  counter: [number(say('iec104frame.bcr'), 4, (octets, at) => String(s32le(octets, at))), counterFlags],
  packed: [pattern(say('iec104frame.states')), pattern(say('iec104frame.changes')), qds],
  protectionEvent: [stateAndQuality(say('iec104frame.sep'), 3, 0xf8, words.double), cp16(say('iec104frame.elapsed'))],
  protectionStart: [octet(say('iec104frame.spe'), 0x3f, words.start), qdp, cp16(say('iec104frame.relay_duration'))],
  protectionOutput: [octet(say('iec104frame.oci'), 0x0f, words.output), qdp, cp16(say('iec104frame.relay_operating'))],
  singleCommand: [command(say('iec104frame.sco'), 1, words.single)],
  doubleCommand: [command(say('iec104frame.dco'), 3, words.doubleCommand)],
  stepCommand: [command(say('iec104frame.rco'), 3, words.stepCommand)],
  setNormalized: [nva, qos],
  setScaled: [sva, qos],
  setFloat: [r32, qos],
  setBits: [bsi],
  parameterNormalized: [nva, qpm],
  parameterScaled: [sva, qpm],
  parameterFloat: [r32, qpm],
  endOfInit: [octet(say('iec104frame.coi'), 0xff, (value) => words.endOfInit(value & 0x7f, value >= 0x80))],
  counterInterrogation: [octet(say('iec104frame.qcc'), 0xff, (value) => words.counterRequest(value & 0x3f, value >> 6))],
  interrogation: [octet(say('iec104frame.qoi'), 0xff, words.interrogation)],
  reset: [octet(say('iec104frame.qrp'), 0xff, words.reset)],
  activation: [octet(say('iec104frame.qpa'), 0xff, words.activation)],
  testPattern: [pattern(say('iec104frame.test_pattern'))],
  delay: [cp16(say('iec104frame.delay'))],
  test: [number(say('iec104frame.test_counter'), 2, (octets, at) => String(u16le(octets, at)))],
  read: [],
  clock: [],
};
