import { Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CheckSession } from '#shared/contract/check.ts';
import { useAction } from '../../api/hooks.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useFileDrop } from '../../ui/use-file-drop.ts';
import attached from './attachments.module.css';
import { Picture } from './attachments.tsx';
import classes from './check.module.css';
import { PICTURES, useChooseFile, useSmallEnough } from './use-attach.ts';

/** The image of the first page of the record: shown, chosen or dropped, and taken away. Each is done at once. */
export function LogoField({ session: { id, logo } }: { readonly session: CheckSession }) {
  const { t } = useTranslation('check');
  const put = useAction('setCheckLogo', ['listChecks']);
  const remove = useAction('removeCheckLogo', ['listChecks']);
  const smallEnough = useSmallEnough();
  const take = (chosen: File) => {
    const file = smallEnough(chosen);
    remove.reset();
    if (file) put.mutate({ session_id: id, file });
  };
  const choose = useChooseFile(PICTURES, take);
  const { isOver, handlers } = useFileDrop(take);
  const isBusy = put.isPending || remove.isPending;
  return (
    <section
      className={`${classes.whole} ${classes.logo} ${isOver ? attached.over : ''}`}
      aria-label={t('logo.title')}
      data-testid="check-logo"
      data-name={logo?.name ?? ''}
      {...handlers}
    >
      {logo ? <Picture key={logo.sha256} sessionId={id} file={logo} /> : null}
      <Group gap="xs">
        <Text size="sm">{t(logo ? 'logo.title' : 'logo.none')}</Text>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<Icon name="upload" size={14} />}
          loading={isBusy}
          onClick={choose}
          data-testid="check-logo-choose"
        >
          {t(logo ? 'logo.replace' : 'logo.choose')}
        </Button>
        {logo ? (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<Icon name="trash" size={14} />}
            disabled={isBusy}
            onClick={() => {
              put.reset();
              remove.mutate({ session_id: id });
            }}
            data-testid="check-logo-remove"
          >
            {t('logo.remove')}
          </Button>
        ) : null}
      </Group>
      <ErrorNotice error={put.error ?? remove.error} compact />
    </section>
  );
}
