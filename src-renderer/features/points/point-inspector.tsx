import { ActionIcon, Button } from '@mantine/core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { Point } from '#shared/contract/points.ts';
import { isServing } from '#shared/domain/enums.ts';
import { useIsActiveArea } from '../../app/area.tsx';
import { useCommand, useKeyHint } from '../../commands/registry.ts';
import type { GridSelection } from '../../ui/data-grid/use-grid-selection.ts';
import { Icon } from '../../ui/icons.tsx';
import { Inspector } from '../inspector/inspector.tsx';
import { InPlace } from '../inspector/inspector-place.tsx';
import { useInspectorStore } from '../inspector/inspector-store.ts';
import { isOpen, writeObstacle } from '../write/write-rules.ts';
import type { usePointActions } from './use-point-actions.ts';
import { useIsServiceReadOnly } from './use-point-query.ts';

/** Points whose settings are compared at each poll of the table. */
const MOST_COMPARED = 1000;

interface PointInspectorProps {
  readonly channel: Channel;
  /** The selected point, else the row that the keyboard is on; null without one. */
  readonly chosen: Point | null;
  readonly selection: Pick<GridSelection<Point>, 'rows' | 'now'>;
  readonly actions: Pick<ReturnType<typeof usePointActions>, 'read' | 'write' | 'isReading' | 'setFeedback'>;
  onEdit(point: Point): void;
  onEditSelected(): void;
}

/** The inspector beside the table (F4), with the buttons of its point. */
export function PointInspector(props: PointInspectorProps) {
  const isShown = useInspectorStore((state) => state.isOpen);
  const isActive = useIsActiveArea();
  return (
    <>
      <ToggleCommand />
      {/* two of them would leave no room for the tables */}
      {isShown && isActive ? <ShownInspector {...props} /> : null}
    </>
  );
}

/** Apart from the inspector, which is another one for each row that the keyboard goes to. */
const ToggleCommand = memo(function ToggleCommand() {
  const { t } = useTranslation('commands');
  const { toggle } = useInspectorStore.getState();
  useCommand({ id: 'inspector', group: 'points', words: t('inspector'), key: 'F4', reason: null, run: toggle });
  return null;
});

function ShownInspector({ channel, chosen, selection, actions, onEdit, onEditSelected }: PointInspectorProps) {
  const { t } = useTranslation(['points', 'inspector']);
  const isServiceReadOnly = useIsServiceReadOnly();
  const actionsOf = (point: Point) => {
    const obstacle = writeObstacle(channel, point, isServiceReadOnly);
    return (
      <>
        <Button size="compact-xs" variant="default" disabled={!isOpen(channel) || actions.isReading} onClick={() => actions.read(point)}>
          {t('points:action.read')}
        </Button>
        {obstacle === 'notCommand' ? null : (
          <Button
            size="compact-xs"
            variant="default"
            disabled={obstacle !== null}
            title={obstacle ? t(`points:why.${obstacle}`) : undefined}
            onClick={() => actions.write(point)}
          >
            {isServing(channel.conn_type) ? t('points:action.serve') : t('points:action.write')}
          </Button>
        )}
        <Button size="compact-xs" variant="default" onClick={() => onEdit(point)}>
          {t('points:action.edit')}
        </Button>
      </>
    );
  };
  const count = selection.rows.size;
  const editAll = (
    <Button size="compact-xs" variant="default" onClick={onEditSelected}>
      {t('points:action.edit')}
    </Button>
  );
  return (
    <InPlace>
      <Inspector
        channel={channel}
        chosen={chosen}
        several={count > 1 ? { count, points: count > MOST_COMPARED ? null : selection.now(), actions: editAll } : null}
        actionsOf={actionsOf}
        onTakenOver={({ code }) => actions.setFeedback({ tone: 'info', text: t('inspector:takenOver', { code }) })}
      />
    </InPlace>
  );
}

/** The button of the inspector for the mouse. */
export const InspectorToggle = memo(function InspectorToggle() {
  const { t } = useTranslation('inspector');
  const isShown = useInspectorStore((state) => state.isOpen);
  const { toggle } = useInspectorStore.getState();
  const key = useKeyHint('inspector');
  return (
    <ActionIcon
      variant={isShown ? 'light' : 'subtle'}
      aria-label={t('show')}
      aria-pressed={isShown}
      title={`${t('show')}${key}`}
      onClick={toggle}
      data-testid="inspector-toggle"
    >
      <Icon name="panel" />
    </ActionIcon>
  );
});
