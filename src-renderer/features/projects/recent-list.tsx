import { ActionIcon } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { RecentProject } from '#shared/contract/projects.ts';
import { useOperation } from '../../api/hooks.ts';
import { Icon } from '../../ui/icons.tsx';
import { Said } from '../../ui/said.tsx';
import { formatDateTime } from '../../ui/time.ts';
import classes from './projects.module.css';

interface RecentListProps {
  onOpen(path: string): void;
  onForget(path: string): void;
}

/** When a project was opened, or in a word why it cannot be opened now. */
function State({ project }: { readonly project: RecentProject }) {
  const { t } = useTranslation('projects');
  const { state, opened_at } = project;
  if (state === 'open') return <span className={classes.muted}>{t('state.open')}</span>;
  if (state === 'ready') {
    return <span className={classes.muted}>{formatDateTime(opened_at)}</span>;
  }
  return (
    <span className={classes.trouble}>
      <Icon name="warn" size={13} /> {t(`state.${state}`)}
    </span>
  );
}

/** What is not known to be wrong can be tried. */
export const USABLE: readonly RecentProject['state'][] = ['ready', 'silent', 'unseen'];

/** The projects that were open before, the last one first. */
export function RecentList({ onOpen, onForget }: RecentListProps) {
  const { t } = useTranslation('projects');
  const recent = useOperation('recentProjects', {});
  const items = recent.data?.items ?? [];
  if (recent.data && items.length === 0) return <p className={classes.muted}>{t('noRecent')}</p>;
  return (
    <ul className={classes.recent} aria-label={t('recent')} data-testid="recent-projects">
      {items.map((project) => {
        const { path, name, state, reason, reason_message } = project;
        const isUsable = USABLE.includes(state);
        return (
          <li key={path} className={classes.entry} data-project={name} data-state={state}>
            <button type="button" className={classes.pick} disabled={!isUsable} onClick={() => onOpen(path)}>
              <span className={classes.entryName}>{name}</span>
              <span className={classes.entryPath} title={path}>
                {path}
              </span>
            </button>
            <State project={project} />
            {state === 'open' ? null : (
              <ActionIcon size="sm" aria-label={t('forget', { name })} title={t('forget', { name })} onClick={() => onForget(path)}>
                <Icon name="close" size={13} />
              </ActionIcon>
            )}
            {reason === null ? null : (
              <p className={classes.reason}>
                <Said message={reason_message} text={reason} />
              </p>
            )}
          </li>
        );
      })}
    </ul>
  );
}
