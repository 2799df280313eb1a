/** The data of a frame in words, and where passwords and operator codes stand in it. */
import type { ExplainNode } from '#shared/contract/frames.ts';
import { hexText } from '../../../protocol-kit/bytes.ts';
import type { SecretRange } from '../../spi/index.ts';
import { decodeAddress } from '../codec/address.ts';
import { BadValue, isAllFf } from '../codec/bcd.ts';
import {
  describeErrorWord,
  type Edition,
  editionOf,
  FROM_METER,
  Function1997,
  Function2007,
  functionOf,
  REFUSED,
} from '../codec/control.ts';
import { parseFormat } from '../codec/format.ts';
import type { Dlt645Frame } from '../codec/frame.ts';
import { decodeItems, formatFor } from '../codec/items.ts';
import { type DataItem, decodeDi, diText, findItem } from '../dictionary/dictionary.ts';

export interface DataExplanation {
  readonly summary: string;
  readonly nodes: readonly ExplainNode[];
  readonly secrets: readonly SecretRange[];
}

/** Takes fields off the data, each with its place in the frame. */
class DataWriter {
  readonly nodes: ExplainNode[] = [];
  readonly secrets: SecretRange[] = [];
  readonly summary: string[] = [];
  readonly edition: Edition;
  readonly #data: Uint8Array;
  readonly #offset: number;
  #at = 0;

  constructor(data: Uint8Array, offset: number, edition: Edition) {
    this.#data = data;
    this.#offset = offset;
    this.edition = edition;
  }

  get left(): number {
    return this.#data.length - this.#at;
  }

  /** The next octets as a field; fewer where the data end. Nothing is written for none. */
  field(name: string, count: number, text: (bytes: Uint8Array) => string, severity: ExplainNode['severity'] = 'info'): void {
    const bytes = this.#data.subarray(this.#at, this.#at + count);
    if (bytes.length === 0) return;
    const start = this.#offset + this.#at;
    this.#at += bytes.length;
    this.nodes.push({ name, value: text(bytes), start, end: start + bytes.length, severity, children: [] });
  }

  /** Octets that nobody may see. */
  secret(name: string, count: number): void {
    const start = this.#offset + this.#at;
    this.field(name, count, () => '(hidden)');
    const end = this.#offset + this.#at;
    if (end > start) this.secrets.push({ start, end });
  }

  /** Password level, password of three octets, and the operator code of the 2007 edition. */
  password(hasOperator: boolean): void {
    this.field('password level', 1, (bytes) => hexText(bytes));
    this.secret('password', 3);
    if (hasOperator) this.secret('operator code', 4);
  }

  /** The identifier with its name; null where the data are too short for one. */
  identifier(): { readonly di: number; readonly item: DataItem | null } | null {
    const di = decodeDi(this.#data.subarray(this.#at), this.edition);
    if (di === null) return null;
    const item = findItem(this.edition, di);
    const name = item ? `${item.nameZh} / ${item.nameEn}, ${item.formatText}${item.unit ? ` ${item.unit}` : ''}` : 'not in the dictionary';
    this.field('identifier', this.edition === 2007 ? 4 : 2, () => `${diText(di, this.edition)} (${name})`);
    this.summary.push(`${diText(di, this.edition)}${item ? ` ${item.nameEn}` : ''}`);
    return { di, item };
  }

  /** The value of an item, in as many octets as are left beside `behind`. */
  value(item: DataItem | null, behind = 0): void {
    const count = this.left - behind;
    if (count <= 0) return;
    const bytes = this.#data.subarray(this.#at, this.#at + count);
    const { text, isRight } = valueText(bytes, item);
    this.field('value', count, () => text, isRight ? 'info' : 'error');
    this.summary.push(`= ${text}`);
  }

  rest(name = 'data'): void {
    this.field(name, this.left, (bytes) => hexText(bytes));
  }
}

const MOST_SHOWN = 160;

function valueText(bytes: Uint8Array, item: DataItem | null): { readonly text: string; readonly isRight: boolean } {
  if (!item) return { text: hexText(bytes), isRight: true };
  try {
    const format = item.elements === 1 ? formatFor(bytes.length, item.format, item.edition) : item.format;
    const elements = decodeItems(bytes, format, item.elements === 1 ? 1 : null);
    const texts = elements.map(({ bytes: octets, parts }) =>
      isAllFf(octets) ? 'no value' : parts.map((part) => part.text || 'no value').join(' '),
    );
    const text = `${texts.join(', ')}${item.unit ? ` ${item.unit}` : ''}`;
    return { text: text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text, isRight: true };
  } catch (thrown) {
    if (!(thrown instanceof BadValue)) throw thrown;
    return { text: `${hexText(bytes)} — ${thrown.message}`, isRight: false };
  }
}

/** Explains the data of a frame whose first data octet stands at `offset`. */
export function explainData(frame: Dlt645Frame, offset: number): DataExplanation {
  const functionCode = functionOf(frame.control);
  const writer = new DataWriter(frame.data, offset, editionOf(functionCode) ?? 2007);
  if ((frame.control & REFUSED) !== 0) {
    const word = frame.data[0] ?? null;
    writer.field('error word', 1, () => describeErrorWord(word, writer.edition), 'warning');
    writer.summary.push(describeErrorWord(word, writer.edition));
  } else if ((frame.control & FROM_METER) !== 0) answer(functionCode, writer);
  else request(functionCode, writer);
  writer.rest();
  return { summary: writer.summary.join(' '), nodes: writer.nodes, secrets: writer.secrets };
}

function answer(functionCode: number, writer: DataWriter): void {
  switch (functionCode) {
    case Function2007.read:
    case Function1997.read:
    case Function1997.readNext:
      readValue(writer);
      return;
    case Function2007.readNext:
      if (isSecretItem(writer.identifier())) writer.secret('part', writer.left - 1);
      else writer.field('part', writer.left - 1, (bytes) => hexText(bytes));
      writer.field('number', 1, (bytes) => String(bytes[0]));
      return;
    case Function2007.readAddress:
      writer.field('meter', 6, (bytes) => decodeAddress(bytes));
      return;
    case Function2007.changeRate:
    case Function1997.changeRate:
      rate(writer);
      return;
    case Function2007.changePassword:
    case Function1997.changePassword:
      writer.password(false);
      return;
    case Function2007.authenticate:
      writer.secret('security data', writer.left);
      return;
  }
}

type Identified = ReturnType<DataWriter['identifier']>;

function isSecretItem(identified: Identified): boolean {
  return identified?.item?.isReadable === false;
}

/** Meters give no password away; one that does all the same is not repeated. */
function readValue(writer: DataWriter): void {
  const identified = writer.identifier();
  if (isSecretItem(identified)) writer.secret('password', writer.left);
  else writer.value(identified?.item ?? null);
}

function request(functionCode: number, writer: DataWriter): void {
  switch (functionCode) {
    case Function2007.read:
    case Function1997.read:
    case Function1997.readNext:
      writer.identifier();
      return;
    case Function2007.readNext:
      writer.identifier();
      writer.field('number', 1, (bytes) => String(bytes[0]));
      return;
    case Function2007.write:
    case Function1997.write:
      write(writer);
      return;
    case Function2007.setTime:
      time('time', writer);
      return;
    case Function2007.writeAddress:
    case Function1997.writeAddress:
      writer.field('new address', 6, (bytes) => decodeAddress(bytes));
      return;
    case Function2007.freeze:
      writer.field('freeze', 4, freezeText);
      return;
    case Function2007.changeRate:
    case Function1997.changeRate:
      rate(writer);
      return;
    default:
      protectedRequest(functionCode, writer);
  }
}

/** The write of a password is a secret altogether. */
function write(writer: DataWriter): void {
  const item = writer.identifier()?.item ?? null;
  writer.password(writer.edition === 2007);
  if (item && !item.isReadable) writer.secret('new password', writer.left);
  else writer.value(item);
}

function protectedRequest(functionCode: number, writer: DataWriter): void {
  switch (functionCode) {
    case Function2007.changePassword:
      writer.identifier();
      writer.password(false);
      writer.password(false);
      return;
    case Function1997.changePassword:
      writer.password(false);
      writer.password(false);
      return;
    case Function2007.clearDemand:
    case Function2007.clearMeter:
      writer.password(true);
      return;
    case Function1997.clearDemand:
      writer.password(false);
      return;
    case Function2007.clearEvents:
      writer.password(true);
      writer.identifier();
      return;
    case Function2007.control:
      writer.password(true);
      writer.field('command', 1, (bytes) => RELAY.find(([code]) => code === bytes[0])?.[1] ?? hexText(bytes));
      writer.field('reserved', 1, (bytes) => hexText(bytes));
      time('valid until', writer);
      return;
    case Function2007.authenticate:
      // what travels here is the business of a security module
      writer.secret('security data', writer.left);
      return;
  }
}

const RELAY: readonly (readonly [code: number, words: string])[] = [
  [0x1a, '1A, trip'],
  [0x1b, '1B, close allowed'],
  [0x1c, '1C, close'],
  [0x2a, '2A, alarm on'],
  [0x2b, '2B, alarm off'],
  [0x3a, '3A, keep power on'],
  [0x3b, '3B, end of keeping power on'],
];

const RATES: Readonly<Record<number, number>> = { 2: 600, 4: 1200, 8: 2400, 16: 4800, 32: 9600, 64: 19_200 };

function rate(writer: DataWriter): void {
  writer.field('baud rate', 1, (bytes) =>
    RATES[bytes[0] ?? 0] === undefined ? `${hexText(bytes)}, none of the six` : `${RATES[bytes[0] ?? 0]}`,
  );
}

const TIME = parseFormat('YYMMDDhhmmss');

function time(name: string, writer: DataWriter): void {
  writer.field(name, 6, (bytes) => {
    try {
      return (TIME && bytes.length === 6 && decodeItems(bytes, TIME, 1)[0]?.parts[0]?.text) || hexText(bytes);
    } catch {
      return `${hexText(bytes)}, no time`;
    }
  });
}

/** Minute, hour, day and month; 99 stands for every one. */
function freezeText(bytes: Uint8Array): string {
  const [minute = 0, hour = 0, day = 0, month = 0] = bytes;
  const two = (octet: number) => octet.toString(16).padStart(2, '0');
  if (bytes.every((octet) => octet === 0x99)) return 'now';
  if (hour === 0x99) return `every hour at minute ${two(minute)}`;
  if (day === 0x99) return `every day at ${two(hour)}:${two(minute)}`;
  if (month === 0x99) return `every month on day ${two(day)} at ${two(hour)}:${two(minute)}`;
  return `on ${two(month)}-${two(day)} at ${two(hour)}:${two(minute)}`;
}
