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
import { useStable } from '../../ui/use-stable.ts';
import { Inspector } from '../inspector/inspector.tsx';
import { InPlace } from '../inspector/inspector-place.tsx';
import { useInspectorStore } from '../inspector/inspector-store.ts';
import { isOpen, writeObstacle } from '../write/write-rules.ts';
import type { usePointActions } from './use-point-actions.ts';

/** Points whose settings are compared at each poll of the table. */
const MOST_COMPARED = 1000;

interface PointInspectorProps {
  readonly channel: Channel;
  readonly isServiceReadOnly: boolean;
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

function ShownInspector({ channel, isServiceReadOnly, chosen, selection, actions, onEdit, onEditSelected }: PointInspectorProps) {
  const { t } = useTranslation(['points', 'inspector']);
  const actionsOf = (point: Point) => <PointButtons {...{ channel, isServiceReadOnly, point, actions, onEdit }} />;
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

interface PointButtonsProps extends Pick<PointInspectorProps, 'channel' | 'isServiceReadOnly' | 'actions' | 'onEdit'> {
  readonly point: Point;
}

function PointButtons({ channel, isServiceReadOnly, point, actions, onEdit }: PointButtonsProps) {
  const onRead = useStable(() => actions.read(point));
  const onWrite = useStable(() => actions.write(point));
  const onEditThis = useStable(() => onEdit(point));
  return (
    <Buttons
      canRead={isOpen(channel) && !actions.isReading}
      obstacle={writeObstacle(channel, point, isServiceReadOnly)}
      isServed={isServing(channel.conn_type)}
      {...{ onRead, onWrite }}
      onEdit={onEditThis}
    />
  );
}

interface ButtonsProps {
  readonly canRead: boolean;
  readonly obstacle: ReturnType<typeof writeObstacle>;
  readonly isServed: boolean;
  onRead(): void;
  onWrite(): void;
  onEdit(): void;
}

/** Drawn anew when what can be done changes, and not for each row that the keyboard goes to. */
const Buttons = memo(function Buttons({ canRead, obstacle, isServed, onRead, onWrite, onEdit }: ButtonsProps) {
  const { t } = useTranslation('points');
  return (
    <>
      <Button size="compact-xs" variant="default" disabled={!canRead} onClick={onRead}>
        {t('action.read')}
      </Button>
      {obstacle === 'notCommand' ? null : (
        <Button
          size="compact-xs"
          variant="default"
          disabled={obstacle !== null}
          title={obstacle ? t(`why.${obstacle}`) : undefined}
          onClick={onWrite}
        >
          {isServed ? t('action.serve') : t('action.write')}
        </Button>
      )}
      <Button size="compact-xs" variant="default" onClick={onEdit}>
        {t('action.edit')}
      </Button>
    </>
  );
});

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
