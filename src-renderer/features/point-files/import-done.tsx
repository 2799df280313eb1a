import { Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ImportReport } from '#shared/contract/point-files.ts';
import { Icon } from '../../ui/icons.tsx';
import classes from './import-dialog.module.css';

interface ImportDoneProps {
  readonly report: ImportReport;
  readonly isPasted: boolean;
  onClose(): void;
}

/** The last step: what was done. */
export function ImportDone({ report, isPasted, onClose }: ImportDoneProps) {
  const { t } = useTranslation('files');
  const tally = report.counts.merge ?? report.counts.replace;
  return (
    <div className={classes.done} role="status" data-testid="import-done">
      <Text c="green" component="div">
        <Icon name="ok" size={36} />
      </Text>
      <Text fw={600} size="md">
        {t('done')}
      </Text>
      {tally ? <Text>{t('doneCounts', tally)}</Text> : null}
      <Text c="dimmed" size="xs">
        {isPasted ? null : report.file.name}
      </Text>
      <Button onClick={onClose} data-autofocus autoFocus data-testid="import-close">
        {t('close')}
      </Button>
    </div>
  );
}
