import { Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { LARGEST_TABLE_FILE } from '#shared/contract/point-files.ts';
import { toAppError } from '#shared/domain/errors.ts';
import { formatBytes } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { notifyError, notifyProblem } from '../../ui/notify.ts';
import { toneClass } from '../../ui/status-badge.tsx';
import { useFileDrop } from '../../ui/use-file-drop.ts';
import classes from './check.module.css';
import { useChooseFile } from './use-attach.ts';

interface ReferenceFileProps {
  readonly file: File | null;
  /** What is missing in the form; null: nothing. */
  readonly issue: string | null;
  /** What is wrong with rows of the file. */
  readonly faults: readonly string[];
  onChoose(file: File): void;
}

/** The file with references: chosen or dropped, kept as it was then, and every row of it that does not fit. */
export function ReferenceFile({ file, issue, faults, onChoose }: ReferenceFileProps) {
  const { t } = useTranslation('check');
  function take(chosen: File) {
    if (chosen.size > LARGEST_TABLE_FILE) {
      const sizes = { size: formatBytes(chosen.size), limit: formatBytes(LARGEST_TABLE_FILE) };
      return notifyProblem(t('start.fileTooLarge', { name: chosen.name, ...sizes }));
    }
    // a file that is written to after it was chosen cannot be read any more
    chosen.arrayBuffer().then(
      (octets) => onChoose(new File([octets], chosen.name)),
      (thrown: unknown) => notifyError(toAppError(thrown)),
    );
  }
  const choose = useChooseFile('.xlsx,.csv,.txt', take);
  const { isOver, handlers } = useFileDrop(take);
  return (
    <section className={`${classes.whole} ${classes.file} ${isOver ? classes.over : ''}`} aria-label={t('start.file')} {...handlers}>
      <div className={classes.fileLine}>
        <Button
          variant="default"
          leftSection={<Icon name="upload" size={14} />}
          onClick={choose}
          data-path="reference_file"
          data-testid="reference-choose"
        >
          {t(file ? 'start.fileOther' : 'start.fileChoose')}
        </Button>
        <span data-testid="reference-name">{file ? file.name : t('start.fileDrop')}</span>
      </div>
      <Text size="xs" c="dimmed">
        {t('start.fileHint')}
      </Text>
      <div role="alert">
        {issue === null ? null : <span className={toneClass('bad')}>{issue}</span>}
        {faults.length === 0 ? null : (
          <>
            <Text size="sm" className={toneClass('bad')}>
              {t('start.fileFaults')}
            </Text>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is reached by keyboard */}
            <ol className={classes.faults} tabIndex={0} aria-label={t('start.fileFaults')} data-testid="reference-faults">
              {faults.map((fault) => (
                <li key={fault}>{fault}</li>
              ))}
            </ol>
          </>
        )}
      </div>
    </section>
  );
}
