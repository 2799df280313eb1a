import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { POLL, useOperation } from '../../api/hooks.ts';
import { useWords } from '../../i18n/words.ts';
import { type TrendPoint, trendKey } from './trend-store.ts';

/** Something that happened: a write, or an event. */
export interface TrendMark {
  readonly id: string;
  /** UTC milliseconds. */
  readonly at: number;
  readonly sign: 'W' | 'E';
  readonly code: string;
  readonly text: string;
}

/** Newest entries of each kind that are asked for. */
const EVENTS = 500;
const WRITES = 500;

/** Writes on the channels of the points, and events of the points and their channels, oldest first. Those of the service that the page shows. */
export function useTrendMarks(all: readonly TrendPoint[], isOn: boolean): readonly TrendMark[] {
  const points = useMemo(() => all.filter(({ of }) => of === null), [all]);
  const words = useWords();
  const { t } = useTranslation('events');
  const options = { pollMs: POLL.slow, enabled: isOn && points.length > 0 };
  const events = useOperation('listEvents', { limit: EVENTS }, options).data?.items;
  const writes = useOperation('listAudit', { page: 1, page_size: WRITES }, options).data?.items;
  return useMemo(() => {
    if (!isOn) return [];
    const channels = new Set(points.map(({ channelId }) => channelId));
    const keys = new Set(points.map(trendKey));
    const ofPoints = (events ?? []).filter(({ channel_id, point_id, frame_type }) => {
      if (channel_id === null) return false;
      if (point_id === null || frame_type === null) return channels.has(channel_id);
      return keys.has(trendKey({ channelId: channel_id, frameType: frame_type, id: point_id }));
    });
    const marks = [
      ...ofPoints.map(({ seq, received_at, code, text, text_message, value }): TrendMark => {
        const said = words(text_message, text);
        return { id: `E${seq}`, at: Date.parse(received_at), sign: 'E', code, text: said === '' && value !== null ? String(value) : said };
      }),
      ...(writes ?? [])
        .filter(({ channel_id }) => channels.has(channel_id))
        .map(({ id, at, code, operation, value, outcome }): TrendMark => {
          const what = operation ? operation.name : `${value ?? ''}`;
          return { id: `W${id}`, at: Date.parse(at), sign: 'W', code, text: `${what} · ${t(`audit.outcomes.${outcome}`)}` };
        }),
    ];
    return marks.sort((a, b) => a.at - b.at);
  }, [points, isOn, events, writes, words, t]);
}
