import { useTranslation } from 'react-i18next';
import { openSettings } from '../../app/dialog-store.ts';
import { Icon } from '../../ui/icons.tsx';
import classes from '../service/status-bar.module.css';
import { useUpdate } from './use-update.ts';

/** In the status bar: that a newer version is there. A click tells what is new, and where it lies. */
export function UpdateMark() {
  const { t } = useTranslation('settings');
  const notice = useUpdate().data;
  if (notice?.state !== 'newer') return null;
  return (
    <button type="button" className={classes.cause} onClick={() => openSettings('updates')} data-testid="status-update">
      <Icon name="info" size={12} />
      {t('update.mark', { version: notice.version ?? '–' })}
    </button>
  );
}
