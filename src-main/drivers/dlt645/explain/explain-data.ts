/** The data of a frame in words, and where passwords and operator codes stand in it. */
import { english, say } from '#shared/messages/index.ts';
import { type MessagePart, type Names, names } from '#shared/messages/message.ts';
import { hexText } from '../../../protocol-kit/bytes.ts';
import { joined, leaf, remarked } from '../../kit/explain/nodes.ts';
import type { ExplainedNode, FrameText, SecretRange } from '../../spi/index.ts';
import { decodeAddress } from '../codec/address.ts';
import { BadValue, isAllFf } from '../codec/bcd.ts';
import {
  type Edition,
  editionOf,
  errorWordMessage,
  FROM_METER,
  Function1997,
  Function2007,
  functionOf,
  REFUSED,
} from '../codec/control.ts';
import { type PartValue, parseFormat } from '../codec/format.ts';
import type { Dlt645Frame } from '../codec/frame.ts';
import { decodeItems, formatFor } from '../codec/items.ts';
import { type DataItem, decodeDi, diText, findItem } from '../dictionary/dictionary.ts';

export interface DataExplanation {
  readonly summary: FrameText;
  readonly nodes: readonly ExplainedNode[];
  readonly secrets: readonly SecretRange[];
}

/** Takes fields off the data, each with its place in the frame. */
class DataWriter {
  readonly nodes: ExplainedNode[] = [];
  readonly secrets: SecretRange[] = [];
  /** What the list says of the data. */
  summary: FrameText = '';
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
  field(name: FrameText, count: number, text: (bytes: Uint8Array) => FrameText, severity: ExplainedNode['severity'] = 'info'): void {
    const bytes = this.#data.subarray(this.#at, this.#at + count);
    if (bytes.length === 0) return;
    const start = this.#offset + this.#at;
    this.#at += bytes.length;
    this.nodes.push(leaf(name, text(bytes), start, start + bytes.length, severity));
  }

  /** Octets that nobody may see. */
  secret(name: FrameText, count: number): void {
    const start = this.#offset + this.#at;
    this.field(name, count, () => say('frame.hidden'));
    const end = this.#offset + this.#at;
    if (end > start) this.secrets.push({ start, end });
  }

  /** Password level, password of three octets, and the operator code of the 2007 edition. */
  password(hasOperator: boolean): void {
    this.field(say('dlt645frame.password_level'), 1, (bytes) => hexText(bytes));
    this.secret(say('dlt645frame.password'), 3);
    if (hasOperator) this.secret(say('dlt645frame.operator_code'), 4);
  }

  /** The identifier with its name; null where the data are too short for one. */
  identifier(): Identified {
    const di = decodeDi(this.#data.subarray(this.#at), this.edition);
    if (di === null) return null;
    const item = findItem(this.edition, di);
    const identifier = diText(di, this.edition);
    this.field(say('dlt645frame.identifier'), this.edition === 2007 ? 4 : 2, () => itemText(identifier, item));
    const head = item ? say('dlt645frame.item', { identifier, name: nameOf(item) }) : identifier;
    this.summary = head;
    return { di, item, head };
  }

  /** The value of an item, in as many octets as are left. */
  value(identified: Identified): void {
    if (this.left <= 0) return;
    const bytes = this.#data.subarray(this.#at);
    const { text, isRight } = valueText(bytes, identified?.item ?? null);
    this.field(say('frame.value'), this.left, () => text, isRight ? 'info' : 'error');
    this.summary = identified ? say('dlt645frame.item_value', { item: identified.head, value: text }) : text;
  }

  rest(name: FrameText = say('frame.data')): void {
    this.field(name, this.left, (bytes) => hexText(bytes));
  }
}

/** An identifier as it was read, and the line of the list so far. */
type Identified = { readonly di: number; readonly item: DataItem | null; readonly head: FrameText } | null;

function nameOf({ nameEn, nameZh }: DataItem): Names {
  return names(nameEn, nameZh);
}

/** Chinese for units that are words. */
const CHINESE_UNITS: Readonly<Record<string, string>> = {
  times: '次',
  'times,min': '次、min',
  CNY: '元',
  'CNY/kWh': '元/kWh',
  deg: '°',
  degC: '℃',
};

function unitOf({ unit }: DataItem): Names {
  return names(unit, CHINESE_UNITS[unit] ?? unit);
}

/** Formats are written in letters, but for this one. */
const RECORD = names('record', '记录');

function itemText(identifier: string, item: DataItem | null): FrameText {
  if (!item) return say('dlt645frame.item_unknown', { identifier });
  const said = { identifier, name: nameOf(item), format: item.formatText === 'record' ? RECORD : item.formatText };
  return item.unit ? say('dlt645frame.item_of_unit', { ...said, unit: unitOf(item) }) : say('dlt645frame.item_of', said);
}

/** Characters of a value that are shown. */
const MOST_SHOWN = 160;
const NO_VALUE = say('dlt645frame.no_value');

function valueText(bytes: Uint8Array, item: DataItem | null): { readonly text: FrameText; readonly isRight: boolean } {
  if (!item) return { text: hexText(bytes), isRight: true };
  try {
    const format = item.elements === 1 ? formatFor(bytes.length, item.format, item.edition) : item.format;
    const elements = decodeItems(bytes, format, item.elements === 1 ? 1 : null);
    const texts = elements.map(({ bytes: octets, parts }) => (isAllFf(octets) ? NO_VALUE : elementText(parts)));
    const value = joined(shortened(texts));
    return { text: item.unit ? say('dlt645frame.with_unit', { value, unit: unitOf(item) }) : value, isRight: true };
  } catch (thrown) {
    if (!(thrown instanceof BadValue)) throw thrown;
    return { text: remarked(hexText(bytes), thrown.said), isRight: false };
  }
}

/** Parts of an element with a space between. */
function elementText(parts: readonly PartValue[]): FrameText {
  return parts
    .map((part): FrameText => part.said ?? (part.text || NO_VALUE))
    .reduce((before, part) =>
      typeof before === 'string' && typeof part === 'string' ? `${before} ${part}` : say('dlt645frame.two_parts', { before, part }),
    );
}

/** Elements up to the length that is shown, with a sign behind them when some are left out. */
function shortened(texts: readonly FrameText[]): readonly MessagePart[] {
  let length = 0;
  const shown: FrameText[] = [];
  for (const text of texts) {
    const plain = english(text);
    if (length + plain.length > MOST_SHOWN) return [...shown, typeof text === 'string' ? `${text.slice(0, MOST_SHOWN - length)}…` : '…'];
    length += plain.length + 2;
    shown.push(text);
  }
  return shown;
}

/** Explains the data of a frame whose first data octet stands at `offset`. */
export function explainData(frame: Dlt645Frame, offset: number): DataExplanation {
  const functionCode = functionOf(frame.control);
  const writer = new DataWriter(frame.data, offset, editionOf(functionCode) ?? 2007);
  if ((frame.control & REFUSED) !== 0) {
    const word = frame.data[0] ?? null;
    const said = errorWordMessage(word, writer.edition);
    writer.field(say('dlt645frame.error_word'), 1, () => said, 'warning');
    writer.summary = said;
  } else if ((frame.control & FROM_METER) !== 0) answer(functionCode, writer);
  else request(functionCode, writer);
  writer.rest();
  return { summary: writer.summary, nodes: writer.nodes, secrets: writer.secrets };
}

function answer(functionCode: number, writer: DataWriter): void {
  switch (functionCode) {
    case Function2007.read:
    case Function1997.read:
    case Function1997.readNext:
      readValue(writer);
      return;
    case Function2007.readNext:
      if (isSecretItem(writer.identifier())) writer.secret(say('dlt645frame.part'), writer.left - 1);
      else writer.field(say('dlt645frame.part'), writer.left - 1, (bytes) => hexText(bytes));
      writer.field(say('dlt645frame.number'), 1, (bytes) => String(bytes[0]));
      return;
    case Function2007.readAddress:
      writer.field(say('dlt645frame.meter'), 6, (bytes) => decodeAddress(bytes));
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
      writer.secret(say('dlt645frame.security_data'), writer.left);
      return;
  }
}

function isSecretItem(identified: Identified): boolean {
  return identified?.item?.isReadable === false;
}

/** Meters give no password away; one that does all the same is not repeated. */
function readValue(writer: DataWriter): void {
  const identified = writer.identifier();
  if (isSecretItem(identified)) writer.secret(say('dlt645frame.password'), writer.left);
  else writer.value(identified);
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
      writer.field(say('dlt645frame.number'), 1, (bytes) => String(bytes[0]));
      return;
    case Function2007.write:
    case Function1997.write:
      write(writer);
      return;
    case Function2007.setTime:
      time(say('dlt645frame.time'), writer);
      return;
    case Function2007.writeAddress:
    case Function1997.writeAddress:
      writer.field(say('dlt645frame.new_address'), 6, (bytes) => decodeAddress(bytes));
      return;
    case Function2007.freeze:
      writer.field(say('dlt645frame.freeze'), 4, freezeText);
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
  const identified = writer.identifier();
  writer.password(writer.edition === 2007);
  if (isSecretItem(identified)) writer.secret(say('dlt645frame.new_password'), writer.left);
  else writer.value(identified);
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
      writer.field(say('dlt645frame.command'), 1, relayText);
      writer.field(say('frame.reserved'), 1, (bytes) => hexText(bytes));
      time(say('dlt645frame.valid_until'), writer);
      return;
    case Function2007.authenticate:
      // what travels here is the business of a security module
      writer.secret(say('dlt645frame.security_data'), writer.left);
      return;
  }
}

const RELAY: Readonly<Record<number, Names>> = {
  26: names('trip', '跳闸'),
  27: names('close allowed', '合闸允许'),
  28: names('close', '直接合闸'),
  42: names('alarm on', '报警'),
  43: names('alarm off', '报警解除'),
  58: names('keep power on', '保电'),
  59: names('end of keeping power on', '保电解除'),
};

function relayText(bytes: Uint8Array): FrameText {
  const name = RELAY[bytes[0] ?? 0];
  return name === undefined ? hexText(bytes) : say('dlt645frame.relay', { code: hexText(bytes), name });
}

const RATES: Readonly<Record<number, number>> = { 2: 600, 4: 1200, 8: 2400, 16: 4800, 32: 9600, 64: 19_200 };

function rate(writer: DataWriter): void {
  writer.field(say('dlt645frame.rate'), 1, (bytes) => {
    const known = RATES[bytes[0] ?? 0];
    return known === undefined ? say('dlt645frame.rate_unknown', { octets: hexText(bytes) }) : String(known);
  });
}

const TIME = parseFormat('YYMMDDhhmmss');

function time(name: FrameText, writer: DataWriter): void {
  writer.field(name, 6, (bytes) => {
    try {
      return (TIME && bytes.length === 6 && decodeItems(bytes, TIME, 1)[0]?.parts[0]?.text) || hexText(bytes);
    } catch {
      return say('dlt645frame.no_time', { octets: hexText(bytes) });
    }
  });
}

/** Minute, hour, day and month; 99 stands for every one. */
function freezeText(bytes: Uint8Array): FrameText {
  const [minute = 0, hour = 0, day = 0, month = 0] = bytes;
  const two = (octet: number) => octet.toString(16).padStart(2, '0');
  const time = `${two(hour)}:${two(minute)}`;
  if (bytes.every((octet) => octet === 0x99)) return say('dlt645frame.freeze_now');
  if (hour === 0x99) return say('dlt645frame.freeze_hourly', { minute: two(minute) });
  if (day === 0x99) return say('dlt645frame.freeze_daily', { time });
  if (month === 0x99) return say('dlt645frame.freeze_monthly', { day: two(day), time });
  return say('dlt645frame.freeze_once', { date: `${two(month)}-${two(day)}`, time });
}
