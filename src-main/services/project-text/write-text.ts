import type { ChannelSettings } from '#shared/contract/channels.ts';
import type { TemplateHead } from '#shared/contract/library.ts';
import type { NormalPoint } from '../../drivers/spi/index.ts';
import { channelLines, pointLine, TEXT_FORMAT, TEXT_VERSION, type TextSettings } from './form.ts';

/** A channel with its points in table order. */
export interface TextChannel {
  readonly settings: ChannelSettings;
  /** Asked for when the text has come to it. */
  points(): Promise<readonly NormalPoint[]>;
}

/** Points of one piece of the text. */
const POINTS_A_PIECE = 250;

/**
 * The text form in pieces, a line for each setting and each point: version control compares lines. `settings` null: of channels alone. `leftOut`: names of the
 * channels of the project that cannot be written. `device`: head of a template.
 */
export async function* projectText(
  settings: TextSettings | null,
  channels: readonly TextChannel[],
  leftOut: readonly string[],
  device: TemplateHead | null = null,
): AsyncGenerator<string> {
  yield `{\n  "format": ${JSON.stringify(TEXT_FORMAT)},\n  "version": ${TEXT_VERSION},\n`;
  if (device) yield `  "device": ${JSON.stringify(device)},\n`;
  if (settings) yield `  "settings": ${JSON.stringify(settings)},\n`;
  if (leftOut.length > 0) yield `  "left_out": ${JSON.stringify(leftOut)},\n`;
  yield '  "channels": [';
  for (const [index, channel] of channels.entries()) {
    yield `${index === 0 ? '' : ','}\n    {\n${channelLines(channel.settings)}      "points": [`;
    const points = await channel.points();
    for (let from = 0; from < points.length; from += POINTS_A_PIECE) {
      const lines = points.slice(from, from + POINTS_A_PIECE).map((point) => `\n        ${pointLine(point)}`);
      yield `${from === 0 ? '' : ','}${lines.join(',')}`;
    }
    yield points.length === 0 ? ']\n    }' : '\n      ]\n    }';
  }
  yield channels.length === 0 ? ']\n}\n' : '\n  ]\n}\n';
}
