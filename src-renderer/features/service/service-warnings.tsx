import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ServiceWarning } from '#shared/contract/service.ts';
import { useAction } from '../../api/hooks.ts';
import classes from '../../app/app.module.css';
import { paramsInWords } from '../../i18n/words.ts';
import { Icon } from '../../ui/icons.tsx';
import { notifyError } from '../../ui/notify.ts';
import { useProjectSteps } from '../projects/use-projects.ts';

/** Names of all parameters: each text uses some of them. */
const EVERY_PARAM = { channel: '', publisher: '', detail: '', file: '', count: 0, pid: '', path: '', url: '' };

/** What is wrong with the files of the service, and what to do; nothing while all is well. */
export function ServiceWarnings({ warnings }: { readonly warnings: readonly ServiceWarning[] }) {
  return (
    <div role="status" data-testid="service-warnings">
      {warnings.map((warning) => (
        <Warning key={`${warning.code} ${warning.message}`} warning={warning} />
      ))}
    </div>
  );
}

function Warning({ warning }: { readonly warning: ServiceWarning }) {
  const { t } = useTranslation('app');
  const params = { ...EVERY_PARAM, ...paramsInWords(warning.params) };
  return (
    <div className={classes.banner}>
      <Icon name="warn" />
      <b>{t(`warning.${warning.code}.title`, params)}</b>
      <span className={classes.bannerText}>{t(`warning.${warning.code}.hint`, params)}</span>
      <WayOut warning={warning} />
    </div>
  );
}

/** The step that can be taken from here. */
function WayOut({ warning: { code, params } }: { readonly warning: ServiceWarning }) {
  const { t } = useTranslation('app');
  const confirm = useAction('confirmChannel', ['serviceInfo', 'listChannels']);
  if (code === 'project_lost') return <SaveCopy />;
  if (code !== 'channel_damaged') return null;
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={confirm.isPending}
      onClick={() => confirm.mutate({ channel_id: Number(params.channel_id) }, { onError: notifyError })}
    >
      {t('warning.confirmChannel')}
    </Button>
  );
}

/** What is in memory is whole: a copy of it can be kept. */
function SaveCopy() {
  const { t } = useTranslation('app');
  const { begin } = useProjectSteps();
  return (
    <Button size="compact-sm" variant="default" onClick={() => begin('copy')}>
      {t('warning.saveCopy')}
    </Button>
  );
}
