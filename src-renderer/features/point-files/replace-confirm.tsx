import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { ImportReport } from '#shared/contract/point-files.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

const NAMED = 8;

interface ReplaceConfirmProps {
  readonly channel: Channel;
  readonly report: ImportReport;
  readonly opened: boolean;
  onConfirm(): void;
  onClose(): void;
}

/** Asks before points are deleted, and names how many and which. */
export function ReplaceConfirm({ channel, report, opened, onConfirm, onClose }: ReplaceConfirmProps) {
  const { t } = useTranslation('files');
  const count = report.counts.replace?.removed ?? 0;
  const codes = report.changes.filter((change) => change.kind === 'removed').map((change) => change.code);
  const named = codes.slice(0, NAMED).join(', ');
  const words = { channel: channel.name, name: report.file.name };
  return (
    <ConfirmDialog
      opened={opened}
      danger
      title={t('replaceTitle')}
      confirmLabel={count > 0 ? t('replaceButton', { count }) : t('replaceButtonNone')}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <Text>{count > 0 ? t('replaceConfirm', { ...words, count }) : t('replaceNone', words)}</Text>
      {count > 0 ? (
        <Text className="lc-mono" style={{ overflowWrap: 'anywhere' }}>
          {named}
          {count > NAMED ? ` ${t('replaceMore', { count: count - NAMED })}` : ''}
        </Text>
      ) : null}
      <Text c="dimmed">{t('replaceReading')}</Text>
    </ConfirmDialog>
  );
}
