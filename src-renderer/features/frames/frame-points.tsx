import { Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useOperation } from '../../api/hooks.ts';
import { useSetTab } from '../../app/area.tsx';
import { usePointsStore } from '../points/points-store.ts';
import classes from './frames.module.css';

/** Points that are shown of a frame; a read of a whole block has more. */
const SHOWN = 12;

/** The points of the table that a frame asked for, carried or operated; each leads to its row. Nothing for a frame that has none. */
export function FramePoints({ channelId, seq }: { readonly channelId: number; readonly seq: number }) {
  const { t } = useTranslation('frames');
  const setTab = useSetTab();
  const { data, isPlaceholderData } = useOperation('framePoints', { channel_id: channelId, seq });
  if (!data || isPlaceholderData || data.total === 0) return null;
  const open = (point: (typeof data.items)[number]) => {
    usePointsStore.getState().want(channelId, { id: point.point_id, code: point.code });
    setTab('points');
  };
  return (
    <section className={classes.points} aria-label={t('explain.points')} data-testid="frame-points">
      <Text size="xs" c="dimmed" component="h3">
        {t('explain.points')}
      </Text>
      {data.items.slice(0, SHOWN).map((point) => (
        <Button key={point.point_id} size="compact-xs" variant="default" title={point.name} onClick={() => open(point)}>
          {point.code}
        </Button>
      ))}
      {data.total > SHOWN ? (
        <Text size="xs" c="dimmed">
          {t('explain.morePoints', { count: data.total - SHOWN })}
        </Text>
      ) : null}
    </section>
  );
}
