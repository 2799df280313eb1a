import type { CheckFinding, CheckSeen, Expectation } from '#shared/contract/check.ts';
import type { CheckRecordLanguage } from '#shared/domain/check.ts';
import { ConnType, type FrameType } from '#shared/domain/enums.ts';
import { PROTOCOLS } from '#shared/domain/protocols.ts';
import { MESSAGES } from '#shared/messages/index.ts';
import { fill, type Message, type Words, wordsOf } from '#shared/messages/message.ts';
import { expectationText } from '../src-renderer/features/check/expectation-text.ts';
import { check as checkEn } from '../src-renderer/i18n/en/check.ts';
import { fields as fieldsEn } from '../src-renderer/i18n/en/fields.ts';
import { frames as framesEn } from '../src-renderer/i18n/en/frames.ts';
import { points as pointsEn } from '../src-renderer/i18n/en/points.ts';
import { record as recordEn } from '../src-renderer/i18n/en/record.ts';
import type { Translation } from '../src-renderer/i18n/types.ts';
import { check as checkZh } from '../src-renderer/i18n/zh/check.ts';
import { fields as fieldsZh } from '../src-renderer/i18n/zh/fields.ts';
import { frames as framesZh } from '../src-renderer/i18n/zh/frames.ts';
import { messages as messagesZh } from '../src-renderer/i18n/zh/messages/index.ts';
import { points as pointsZh } from '../src-renderer/i18n/zh/points.ts';
import { record as recordZh } from '../src-renderer/i18n/zh/record.ts';
import { formatDuration } from '../src-renderer/ui/format.ts';

/** Texts of the pages that a record takes over. */
interface Tables {
  readonly check: Translation<typeof checkEn>;
  readonly record: Translation<typeof recordEn>;
  readonly frames: Translation<typeof framesEn>;
  readonly fields: Translation<typeof fieldsEn>;
  readonly quality: Translation<typeof pointsEn.quality>;
}

const TABLES: Readonly<Record<CheckRecordLanguage, Tables>> = {
  en: { check: checkEn, record: recordEn, frames: framesEn, fields: fieldsEn, quality: pointsEn.quality },
  zh: { check: checkZh, record: recordZh, frames: framesZh, fields: fieldsZh, quality: pointsZh.quality },
};
const WORDS: Readonly<Record<CheckRecordLanguage, Words>> = {
  en: { language: 'en', catalogue: MESSAGES, comma: ', ' },
  zh: { language: 'zh', catalogue: messagesZh, comma: '、' },
};

export type CoverField = keyof typeof checkEn.form.coverFields;
const USUAL = Object.keys(checkEn.form.coverFields) as CoverField[];
const NO_FIELD = '' as CoverField;

/** A usual field by its key and in each language. */
function namesOf(field: CoverField): readonly string[] {
  return [field, checkEn.form.coverFields[field], checkZh.form.coverFields[field]];
}

export type Params = Readonly<Record<string, string | number>>;

/** What stands for something that is not there. */
export const NONE = '–';

/** Letters of a point type as the field writes them. */
export const TYPE_LETTERS: Readonly<Record<FrameType, string>> = { 0: 'YC', 1: 'YX', 2: 'YK', 3: 'YT' };

/** A zone as it is written beside a time: `+08:00`. */
export function zoneText(offsetMin: number): string {
  const size = Math.abs(offsetMin);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${offsetMin < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** `template` with its parameters. */
export function filled(template: string, params: Params): string {
  return fill(template, (name) => (params[name] === undefined ? undefined : String(params[name])));
}

/** The words of a record in one language; times are in the zone that it was written in. */
export class RecordWords {
  readonly language: CheckRecordLanguage;
  readonly check: Tables['check'];
  readonly record: Tables['record'];
  readonly frames: Tables['frames'];
  readonly #tables: Tables;
  readonly #offsetMs: number;

  constructor(language: CheckRecordLanguage, offsetMin: number) {
    this.language = language;
    this.#tables = TABLES[language];
    this.check = this.#tables.check;
    this.record = this.#tables.record;
    this.frames = this.#tables.frames;
    this.#offsetMs = offsetMin * 60_000;
  }

  /** What was said; its English where this program has no words for it. */
  said(message: Message | string | null, text = ''): string {
    if (message === null) return text;
    return typeof message === 'string' ? message : (wordsOf(message, WORDS[this.language]) ?? (text || message.code));
  }

  finding({ name, said, text }: CheckFinding): string {
    return `${this.check.finding[name]}: ${this.said(said, text)}`;
  }

  expectation(expectation: Expectation): string {
    return expectationText(expectation, (key, params = {}) => filled(this.check.expect[key], params));
  }

  /** `2026-03-01 14:03:07.250`; a dash for null and for what is no time. */
  time(iso: string | null): string {
    const ms = iso === null ? Number.NaN : Date.parse(iso);
    return Number.isNaN(ms) ? NONE : new Date(ms + this.#offsetMs).toISOString().replace('T', ' ').slice(0, -1);
  }

  /** Name of a setting of a point or channel, `channel.ip` and `protocol.type_id` among them. */
  setting(path: string): string {
    const key = path.slice(path.lastIndexOf('.') + 1);
    const { fields } = this.#tables;
    const own = (fields as Readonly<Record<string, unknown>>)[key];
    const ofProtocol = (fields.protocolSetting as Readonly<Record<string, unknown>>)[key];
    const name = typeof own === 'string' ? own : typeof ofProtocol === 'string' ? ofProtocol : key.replaceAll('_', ' ');
    return path.startsWith('channel.') ? `${this.check.column.channel}: ${name}` : name;
  }

  /** Fields of the first page in the words of this language, the usual ones first: forms write their names in the language of the person. */
  cover(cover: Readonly<Record<string, string>>): [string, string][] {
    const named = Object.entries(cover).map(([name, value]) => ({
      name,
      value,
      at: USUAL.findIndex((key) => namesOf(key).includes(name)),
    }));
    named.sort((one, other) => (one.at < 0 ? USUAL.length : one.at) - (other.at < 0 ? USUAL.length : other.at));
    return named.map(({ name, value, at }) => [this.check.form.coverFields[USUAL[at] ?? NO_FIELD] ?? name, value]);
  }

  /** Value of a setting as text. */
  settingValue(key: string, value: unknown): string {
    if (key === 'protocol_type') return PROTOCOLS.find(({ type }) => type === value)?.name ?? String(value);
    if (key === 'conn_type') return this.#connection(value);
    if (key === 'frame_type') return TYPE_LETTERS[value as FrameType] ?? String(value);
    if (typeof value === 'boolean') return value ? this.record.yes : this.record.no;
    const unit = key.endsWith('_ms') ? ' ms' : '';
    return typeof value === 'string' || typeof value === 'number' ? `${value}${unit}` : JSON.stringify(value);
  }

  #connection(value: unknown): string {
    const { connOf } = this.#tables.fields;
    const names: Readonly<Record<number, string>> = {
      [ConnType.rtuMaster]: connOf.master,
      [ConnType.rtuSlave]: connOf.slave,
      [ConnType.tcpServer]: connOf.server,
      [ConnType.tcpClient]: connOf.client,
    };
    return names[Number(value)] ?? String(value);
  }

  /** A value as it was seen, without its unit. */
  value({ value, value_text, received_at }: CheckSeen): string {
    if (received_at === null) return this.record.notSeen;
    if (value_text !== '') return value_text;
    return value === null ? this.record.notSeen : String(Number(value.toPrecision(7)));
  }

  quality({ quality, flags }: CheckSeen): string {
    const known = (this.#tables.quality as Readonly<Record<string, string>>)[quality] ?? quality;
    return [known, ...flags].join(' ');
  }

  took(ms: number | null): string {
    return ms === null ? '' : filled(this.record.took, { time: formatDuration(ms) });
  }
}

/** Octets with a blank between, whatever way they were written. */
export function octetsText(hex: string): string {
  return hex.replace(/\s+/g, '').match(/../g)?.join(' ').toUpperCase() ?? '';
}

/** Numbers that mean something in one project file only. */
const OWN_NUMBERS: readonly string[] = ['id', 'channel_id'];

/** The usual field of a first page; empty where it has none. */
export function coverValue(cover: Readonly<Record<string, string>>, field: CoverField): string {
  const name = namesOf(field).find((each) => cover[each] !== undefined);
  return name === undefined ? '' : (cover[name] ?? '');
}

/** Settings that say something: what is empty or null is left out. */
export function givenSettings(settings: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(settings).filter(
    ([name, value]) => !OWN_NUMBERS.includes(name) && value !== null && value !== '' && !['{}', '[]'].includes(JSON.stringify(value)),
  );
}
