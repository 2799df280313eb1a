import { ActionIcon, Box, Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CHECK_STATES, type CheckState } from '#shared/domain/check.ts';
import { useOperation } from '../../api/hooks.ts';
import { useUiStore } from '../../app/ui-store.ts';
import { Icon } from '../../ui/icons.tsx';
import { useCheckMemory } from './check-store.ts';
import { STATE_LOOK } from './check-text.ts';
import { useTableSession } from './point-check.ts';

/** A state of a session that a table is narrowed to. */
export interface PointCheckFilter {
  readonly sessionId: number;
  readonly state: CheckState;
}

interface MenuProps {
  readonly filter: PointCheckFilter | null;
  onFilter(filter: PointCheckFilter | null): void;
}

/** Which session the table shows the states of, and which state it is narrowed to. Nothing where the project has no session. */
export function PointCheckMenu({ filter, onFilter }: MenuProps) {
  const { t } = useTranslation('check');
  const session = useTableSession();
  const sessions = useOperation('listChecks', {}).data?.items ?? [];
  if (!session) return null;
  const mark = (isChosen: boolean) => (isChosen ? <Icon name="check" size={14} /> : <Box w={14} />);
  const choose = (id: number) => {
    useCheckMemory.setState({ sessionId: id });
    if (filter) onFilter({ ...filter, sessionId: id });
  };
  return (
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <ActionIcon
          variant={filter ? 'light' : 'default'}
          size={30}
          aria-label={t('table.menu')}
          aria-pressed={filter !== null}
          title={`${t('table.menu')}: ${session.name}${filter ? ` · ${t(`state.${filter.state}`)}` : ''}`}
          data-testid="point-check-menu"
        >
          <Icon name="prove" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('table.session')}</Menu.Label>
        {sessions.map(({ id, name }) => (
          <Menu.Item key={id} leftSection={mark(id === session.id)} onClick={() => choose(id)} closeMenuOnClick={false}>
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{t('table.only')}</Menu.Label>
        <Menu.Item leftSection={mark(filter === null)} onClick={() => onFilter(null)}>
          {t('filter.allStates')}
        </Menu.Item>
        {CHECK_STATES.map((state) => (
          <Menu.Item
            key={state}
            leftSection={filter?.state === state ? mark(true) : <Icon name={STATE_LOOK[state].icon} size={14} />}
            onClick={() => onFilter({ sessionId: session.id, state })}
            data-testid={`point-check-${state}`}
          >
            {t(`state.${state}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="right" size={14} />} onClick={() => useUiStore.getState().showCheck(session.id)}>
          {t('table.open')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
