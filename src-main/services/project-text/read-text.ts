import type { z } from 'zod';
import { AddChannelBody, type ChannelSettings } from '#shared/contract/channels.ts';
import { NewPoint } from '#shared/contract/points.ts';
import { AppError, type FieldIssue, fieldIssue, issueMessage } from '#shared/domain/errors.ts';
import { isPointField, POINT_FIELD_KEYS } from '#shared/domain/point-fields.ts';
import { FieldWords } from '#shared/messages/field-words.ts';
import { say } from '#shared/messages/index.ts';
import type { DriverChannelSettings, NormalPoint, ProtocolDriver } from '../../drivers/spi/index.ts';
import type { DriverRegistry } from '../../runtime/types.ts';
import { checkChannelSettings, withProtocolDefaults } from '../channel-settings.ts';
import { boundedIssues } from '../field-messages.ts';
import { DraftCheck, draftOf } from '../point-drafts.ts';
import { unknownMessage, WarningList } from '../unknown-fields.ts';
import { CHANNEL_KEYS, MOST_CHANNELS, TEXT_FORMAT, TEXT_VERSION, TextHead, type TextSettings } from './form.ts';

/** Names of channels in one warning. */
const NAMED = 50;

/** Points of a channel. */
const MOST_POINTS = 100_000;

/** A channel of a text, checked and filled in. */
export interface ReadChannel {
  /** Its place in the text, from 0. */
  readonly at: number;
  readonly settings: ChannelSettings;
  readonly points: readonly NormalPoint[];
}

/** What a text holds. With an error in it the channels are only those that could be read. */
export interface ReadProject {
  readonly version: number | null;
  readonly settings: TextSettings | null;
  readonly channels: readonly ReadChannel[];
  readonly errors: readonly FieldIssue[];
  readonly warnings: readonly FieldIssue[];
}

type ToDriverSettings = (settings: ChannelSettings, driver: ProtocolDriver) => DriverChannelSettings;

/** Reads and checks the content of a text form. Every wrong place is told by its path, as `channels[2].points[14].address`; nothing is thrown for it. */
export class ProjectReader {
  readonly #drivers: DriverRegistry;
  readonly #toDriverSettings: ToDriverSettings;
  readonly #errors: FieldIssue[] = [];
  readonly #warnings = new WarningList();

  constructor(drivers: DriverRegistry, toDriverSettings: ToDriverSettings) {
    this.#drivers = drivers;
    this.#toDriverSettings = toDriverSettings;
  }

  read(content: unknown): ReadProject {
    if (!isObject(content)) return this.#end(null, null, [fieldIssue('', say('project.text_object'))]);
    const refusal = refusalOf(content);
    const version = typeof content.version === 'number' ? content.version : null;
    if (refusal) return this.#end(version, null, [refusal]);
    const { channels: _, ...head } = content;
    const parsed = this.#parse(TextHead, head, '');
    this.#warnOfUnknown(content, ['format', 'version', 'settings', 'left_out', 'device', 'channels'], '');
    const names = parsed?.left_out ?? [];
    if (names.length > 0) this.#warnings.add('left_out', say('project.text_left_out', { names: names.slice(0, NAMED) }));
    if (!Array.isArray(content.channels)) return this.#end(version, null, [fieldIssue('channels', say('project.text_channels'))]);
    const count = content.channels.length;
    if (count > MOST_CHANNELS) {
      return this.#end(version, null, [fieldIssue('channels', say('project.text_many_channels', { count, most: MOST_CHANNELS }))]);
    }
    const channels = content.channels.flatMap((channel, index) => this.#channel(channel, index) ?? []);
    this.#requireDistinct(content.channels);
    return this.#end(version, parsed?.settings ?? null, [], channels);
  }

  #end(
    version: number | null,
    settings: TextSettings | null,
    more: readonly FieldIssue[],
    channels: readonly ReadChannel[] = [],
  ): ReadProject {
    return { version, settings, channels, errors: [...this.#errors, ...more], warnings: this.#warnings.list() ?? [] };
  }

  #channel(given: unknown, at: number): ReadChannel | null {
    const place = `channels[${at}]`;
    if (!isObject(given)) {
      this.#errors.push(fieldIssue(place, say('project.text_object')));
      return null;
    }
    const { points = [], ...own } = given;
    this.#warnOfUnknown(own, CHANNEL_KEYS, place);
    const body = this.#parse(AddChannelBody, own, place);
    const checked = body && this.#settings(withProtocolDefaults(body), place);
    if (!Array.isArray(points)) this.#errors.push(fieldIssue(`${place}.points`, say('project.text_points')));
    else if (points.length > MOST_POINTS) {
      this.#errors.push(fieldIssue(`${place}.points`, say('project.text_many_points', { count: points.length, most: MOST_POINTS })));
    } else if (checked)
      return { at, settings: checked.settings, points: this.#points(points, checked.driver, checked.settings, `${place}.points`) };
    return null;
  }

  #settings(settings: ChannelSettings, place: string) {
    const warn = (path: string, said: Parameters<WarningList['add']>[1]) => this.#warnings.add(`${place}.${path}`, said);
    try {
      return checkChannelSettings(settings, this.#drivers, { source: 'api', effect: 'repeatable', warn });
    } catch (thrown) {
      this.#refuse(thrown, (path) => `${place}.${path}`);
      return null;
    }
  }

  #points(given: readonly unknown[], driver: ProtocolDriver, channel: ChannelSettings, place: string): NormalPoint[] {
    const warn = (path: string, said: Parameters<WarningList['add']>[1]) => this.#warnings.add(path, said);
    const context = { source: 'api', effect: 'repeatable', warn } as const;
    const check = new DraftCheck({ driver, settings: this.#toDriverSettings(channel, driver), context, model: null });
    const codes = new Map<string, string>();
    for (const [index, point] of given.entries()) {
      const path = `${place}[${index}]`;
      const draft = this.#parse(NewPoint, point, path);
      if (isObject(point)) this.#warnOfUnknown(point, POINT_FIELD_KEYS, path);
      if (!draft) continue;
      const first = codes.get(draft.code);
      if (first === undefined) codes.set(draft.code, path);
      else this.#errors.push(fieldIssue(`${path}.code`, say('project.text_code_twice', { place: first })));
      check.add({ path: () => path, draft: draftOf(draft) });
    }
    try {
      return check.end();
    } catch (thrown) {
      this.#refuse(thrown, (path) => path);
      return [];
    }
  }

  #parse<Schema extends z.ZodType>(schema: Schema, given: unknown, place: string): z.output<Schema> | null {
    const words = new FieldWords();
    const parsed = schema.safeParse(given, words.options);
    for (const issue of parsed.error?.issues ?? []) this.#errors.push(words.issue(placeOf(place, issue.path), issue));
    return parsed.success ? parsed.data : null;
  }

  #refuse(thrown: unknown, placed: (path: string) => string): void {
    if (!(thrown instanceof AppError) || !Array.isArray(thrown.data)) throw thrown;
    for (const issue of thrown.data as FieldIssue[]) this.#errors.push(fieldIssue(placed(issue.path), issueMessage(issue)));
  }

  #warnOfUnknown(given: object, known: readonly string[], place: string): void {
    for (const key of Object.keys(given)) {
      if (!known.includes(key) && !(known === POINT_FIELD_KEYS && isPointField(key)))
        this.#warnings.add(placeOf(place, [key]), unknownMessage(key, known));
    }
  }

  /** Names as the store compares them: without the blanks around. */
  #requireDistinct(channels: readonly unknown[]): void {
    const first = new Map<string, string>();
    for (const [index, channel] of channels.entries()) {
      if (!isObject(channel) || typeof channel.name !== 'string') continue;
      const place = `channels[${index}].name`;
      const name = channel.name.trim();
      const before = first.get(name);
      if (before === undefined) first.set(name, place);
      else this.#errors.push(fieldIssue(place, say('project.text_name_twice', { place: before })));
    }
  }
}

/** Why the content is no text form that can be read; null: it may be one. */
function refusalOf({ format, version }: Readonly<Record<string, unknown>>): FieldIssue | null {
  if (format !== TEXT_FORMAT) return fieldIssue('format', say('project.text_format', { format: TEXT_FORMAT }));
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
    return fieldIssue('version', say('project.text_version', { newest: TEXT_VERSION }));
  }
  return version > TEXT_VERSION ? fieldIssue('version', say('project.text_newer', { version, newest: TEXT_VERSION })) : null;
}

/** `channels[2].points[14].address`: as programs write it. */
function placeOf(place: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, place);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Errors as an answer lists them. */
export function listedErrors(errors: readonly FieldIssue[]): FieldIssue[] {
  return [...boundedIssues(errors)];
}
