import { z } from 'zod';
import { AddChannelBody, type ChannelSettings } from '#shared/contract/channels.ts';
import { TemplateHead } from '#shared/contract/library.ts';
import { MOST_PUBLISHERS, StoredPublisher } from '#shared/contract/publish.ts';
import { ProjectSettings } from '#shared/contract/service.ts';
import { POINT_FIELD_KEYS } from '#shared/domain/point-fields.ts';
import type { NormalPoint } from '../../drivers/spi/index.ts';

/** What a text form says it is. */
export const TEXT_FORMAT = 'loopcheck-project';
/** Version of the text form that is written. Earlier ones are read. */
export const TEXT_VERSION = 1;

/** Channels of a text. */
export const MOST_CHANNELS = 1000;

/** Keys of a channel, in the order of the text. */
export const CHANNEL_KEYS = Object.keys(AddChannelBody.shape) as readonly (keyof ChannelSettings)[];

/** Settings of the service that go with a project. */
export const TextSettings = z.object({
  ...ProjectSettings.partial().shape,
  publishers: z.array(StoredPublisher).max(MOST_PUBLISHERS).optional(),
});
export type TextSettings = z.output<typeof TextSettings>;

/** The beginning of a text form; behind it stand its channels. */
export const TextHead = z.object({
  format: z.literal(TEXT_FORMAT),
  version: z.int().min(1),
  settings: TextSettings.optional(),
  left_out: z.array(z.string()).optional(),
  /** Of a text that is a template of the device library. */
  device: TemplateHead.optional(),
});

/** The same settings in one order, whatever the order they were entered in. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, item]) => [key, ordered(item)]),
  );
}

/** A point in one line. */
export function pointLine(point: NormalPoint): string {
  return JSON.stringify(Object.fromEntries(POINT_FIELD_KEYS.map((key) => [key, key === 'protocol' ? ordered(point[key]) : point[key]])));
}

/** The settings of a channel, a line each, indented as they stand in the text. */
export function channelLines(channel: ChannelSettings): string {
  return CHANNEL_KEYS.map((key) => `      ${JSON.stringify(key)}: ${JSON.stringify(ordered(channel[key]))},\n`).join('');
}
