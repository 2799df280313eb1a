import { ActionIcon, Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { KeptCapture } from '#shared/contract/captures.ts';
import { toAppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';
import { useAction, useOperation } from '../../api/hooks.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { formatBytes } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { notifyError } from '../../ui/notify.ts';
import { saveFile } from '../../ui/save-file.ts';
import { formatDateTime } from '../../ui/time.ts';
import classes from './captures.module.css';

interface ItemProps {
  readonly capture: KeptCapture;
  /** It goes when another one is kept. */
  readonly isNext: boolean;
  onLook: ((name: string) => void) | undefined;
  onRemove(name: string): void;
}

function KeptItem({ capture, isNext, onLook, onRemove }: ItemProps) {
  const { t } = useTranslation('captures');
  const { name, at, octets, frames } = capture;
  const save = useMutation({
    mutationFn: async () => saveFile((await api.call('captureFile', { name })).data),
    retry: false,
    onError: (error) => notifyError(toAppError(error)),
  });
  const count = frames === null ? t('framesUnknown') : t('frames', { count: frames });
  return (
    <li className={classes.kept} data-capture={name}>
      <div className={classes.keptText}>
        <span className="lc-ellipsis" title={name}>
          {name}
        </span>
        <span className={classes.muted}>
          {t('keptFacts', { time: formatDateTime(at).slice(0, -4), size: formatBytes(octets), frames: count })}
          {isNext ? <b title={t('goesNextHint')}> · {t('goesNext')}</b> : null}
        </span>
      </div>
      {onLook ? (
        <Button size="compact-sm" variant="default" aria-label={t('take', { name })} onClick={() => onLook(name)} data-testid="kept-look">
          {t('takeShort')}
        </Button>
      ) : null}
      <ActionIcon
        aria-label={t('download', { name })}
        title={t('download', { name })}
        loading={save.isPending}
        onClick={() => save.mutate()}
        data-testid="kept-download"
      >
        <Icon name="download" size={14} />
      </ActionIcon>
      <ActionIcon aria-label={t('remove', { name })} title={t('remove', { name })} onClick={() => onRemove(name)} data-testid="kept-remove">
        <Icon name="trash" size={14} />
      </ActionIcon>
    </li>
  );
}

/** The captures that the project keeps, the newest first: saved as files, removed, and looked into where `onLook` says how. */
export function KeptList({ onLook }: { readonly onLook?: (name: string) => void }) {
  const { t } = useTranslation('captures');
  const { data, error } = useOperation('listCaptures', {});
  const remove = useAction('removeCapture', ['listCaptures']);
  const [leaving, setLeaving] = useState<string | null>(null);
  const items = data?.items ?? [];
  const isFull = data !== undefined && items.length >= data.most;
  return (
    <section aria-label={t('kept')} className={classes.keptList} data-testid="kept-captures">
      <h3 className={classes.title}>{t('kept')}</h3>
      <ErrorNotice error={error} compact />
      {data && items.length === 0 ? (
        <Text size="xs" className={classes.muted ?? ''}>
          {t('keptNone')}
        </Text>
      ) : null}
      <ul className={classes.keptItems}>
        {items.map((capture, at) => (
          <KeptItem key={capture.name} capture={capture} isNext={isFull && at === items.length - 1} onLook={onLook} onRemove={setLeaving} />
        ))}
      </ul>
      {data && items.length > 0 ? (
        <Text size="xs" className={classes.muted ?? ''}>
          {t('keptSum', {
            count: items.length,
            size: formatBytes(data.octets),
            most: data.most,
            mostSize: formatBytes(data.most_octets),
          })}
        </Text>
      ) : null}
      <ConfirmDialog
        opened={leaving !== null}
        title={t('removeTitle')}
        confirmLabel={t('removeDo')}
        danger
        pending={remove.isPending}
        error={remove.error}
        onConfirm={() => leaving !== null && remove.mutate({ name: leaving }, { onSuccess: () => setLeaving(null) })}
        onClose={() => {
          remove.reset();
          setLeaving(null);
        }}
      >
        <Text size="sm">{t('removeQuestion', { name: leaving ?? '' })}</Text>
      </ConfirmDialog>
    </section>
  );
}
