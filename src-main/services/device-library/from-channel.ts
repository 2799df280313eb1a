import type { TemplateHead } from '#shared/contract/library.ts';
import { FrameType } from '#shared/domain/enums.ts';
import { POINT_FIELD_KEYS } from '#shared/domain/point-fields.ts';
import type { PointConfig } from '../../drivers/spi/index.ts';
import { Turns } from '../../platform/turns.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { configsInTurns } from '../../runtime/values/configs-in-turns.ts';
import { CHANNEL_KEYS } from '../project-text/form.ts';
import type { TemplateContent } from './template.ts';

/** What belongs to one place, and not to the kind of device. `name` is said by the head. */
const OF_THE_PLACE: ReadonlySet<string> = new Set(['name', 'ip', 'com_port', 'auto_start', 'group']);

/** Settings and points of a channel as a template; with the values that it has now where `withValues`. */
export async function contentOf({ settings, points }: ChannelRuntime, head: TemplateHead, withValues: boolean): Promise<TemplateContent> {
  const turns = new Turns();
  const configs = await configsInTurns(points, turns.breathe);
  const channel = Object.fromEntries(CHANNEL_KEYS.filter((key) => !OF_THE_PLACE.has(key)).map((key) => [key, settings[key]]));
  const kept: Record<string, unknown>[] = [];
  for (const config of configs) {
    const point = Object.fromEntries(POINT_FIELD_KEYS.map((key) => [key, config[key]]));
    const value = withValues ? startValueFrom(config, points) : null;
    kept.push(value === null ? point : { ...point, protocol: { ...config.protocol, start_value: value } });
    if (kept.length % 500 === 0) await turns.breathe();
  }
  return { head, channel, points: kept };
}

/** A good number that the point has now. Commands are no state, and a text is no number. */
function startValueFrom({ id, frame_type }: PointConfig, points: ChannelRuntime['points']): number | null {
  const state = points.state(id);
  const isUsable = state && state.updatedAt !== null && state.quality === 'good' && state.valueText === '' && Number.isFinite(state.value);
  return isUsable && frame_type !== FrameType.yk ? state.value : null;
}
