import { Alert, Button, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { IMPOSSIBLE_BITS, type ImportReport } from '#shared/contract/point-files.ts';
import { ChooseFile } from '../../ui/drop-zone.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ACCEPTED } from './file-drop.tsx';
import classes from './import-dialog.module.css';
import { ImportLists } from './import-lists.tsx';
import { holdsFor } from './issue-text.ts';
import { ReplaceConfirm } from './replace-confirm.tsx';
import type { ImportMode, ImportState } from './use-import.ts';

interface ImportPreviewProps {
  readonly channel: Channel;
  readonly state: ImportState;
  readonly report: ImportReport;
  /** It came from the clipboard, not from a file. */
  readonly isPasted: boolean;
  /** The question before a replace is open. */
  readonly confirming: boolean;
  onConfirming(confirming: boolean): void;
  onClose(): void;
}

const DELIMITERS: Readonly<Record<string, 'comma' | 'semicolon' | 'tab'>> = { ',': 'comma', ';': 'semicolon', '\t': 'tab' };
const ENCODINGS: Readonly<Record<string, string>> = { 'utf-8': 'UTF-8', 'utf-16le': 'UTF-16', 'utf-16be': 'UTF-16', gb18030: 'GBK' };

function FileFacts({ report, isPasted }: { readonly report: ImportReport; readonly isPasted: boolean }) {
  const { t } = useTranslation(['files', 'points']);
  const { file, counts } = report;
  const csv = {
    encoding: ENCODINGS[file.encoding] ?? file.encoding,
    delimiter: t(`files:delimiterOf.${DELIMITERS[file.delimiter] ?? 'comma'}`),
  };
  const format =
    file.format === null ? t('files:formatNone') : file.format === 'csv' ? t('files:formatCsv', csv) : t(`files:format.${file.format}`);
  return (
    <div className={classes.head} data-testid="import-file">
      {isPasted ? (
        <span className={classes.name}>{t('files:clipboard')}</span>
      ) : (
        <>
          <span className={`${classes.name} lc-ellipsis`} title={file.name}>
            {file.name}
          </span>
          <span className={classes.muted}>{format}</span>
        </>
      )}
      <span className={classes.counts}>
        <b>{t('files:rows', { count: counts.rows })}</b>
        {(['yc', 'yx', 'yk', 'yt'] as const).map((type) => (
          <span key={type}>
            {t(`points:types.${type}`)} {counts[type]}
          </span>
        ))}
      </span>
    </div>
  );
}

function ModeChoice({
  report,
  mode,
  onMode,
}: {
  readonly report: ImportReport;
  readonly mode: ImportMode;
  onMode(mode: ImportMode): void;
}) {
  const { t } = useTranslation('files');
  const tally = report.counts[mode];
  const isWrong = report.errors.some(holdsFor(mode));
  return (
    <div className={classes.mode}>
      <SegmentedControl
        aria-label={t('mode')}
        data={[
          { value: 'merge', label: t('merge') },
          { value: 'replace', label: t('replace') },
        ]}
        value={mode}
        onChange={(value) => onMode(value === 'replace' ? 'replace' : 'merge')}
        data-testid="import-mode"
      />
      <span className={classes.modeText}>{mode === 'merge' ? t('mergeText') : t('replaceText')}</span>
      {tally && !isWrong ? (
        <span className={classes.tally} data-testid="import-tally">
          {(['added', 'changed', 'unchanged', 'removed'] as const).map((kind) => (
            <Text key={kind} component="span" {...(kind === 'removed' && tally.removed > 0 ? { c: 'red' } : {})}>
              <b>{tally[kind]}</b> {t(kind)}
            </Text>
          ))}
        </span>
      ) : null}
    </div>
  );
}

/** Bits where none is possible: somebody has to say what the list means by them. */
function BitChoice({ state, report }: { readonly state: ImportState; readonly report: ImportReport }) {
  const { t } = useTranslation('files');
  if (state.bits === 'refuse' && !report.errors.some(({ rule }) => rule === 'bit_invalid')) return null;
  return (
    <div className={classes.mode}>
      <span className={classes.modeText}>{t('bits.label')}</span>
      <SegmentedControl
        aria-label={t('bits.label')}
        data={IMPOSSIBLE_BITS.map((value) => ({ value, label: t(`bits.${value}`) }))}
        value={state.bits}
        onChange={(value) => state.setBits(IMPOSSIBLE_BITS.find((item) => item === value) ?? 'refuse')}
        data-testid="import-bits"
      />
    </div>
  );
}

/** The second step: what the file holds, what is wrong with it, what it would change; then merge or replace. */
export function ImportPreview({ channel, state, report, isPasted, confirming, onConfirming, onClose }: ImportPreviewProps) {
  const { t } = useTranslation(['files', 'lists', 'app']);
  const [mode, setMode] = useState<ImportMode>('merge');
  const isWrong = report.errors.some(holdsFor(mode));
  const blocked = t(isPasted ? 'files:blockedPaste' : 'files:blocked');
  const start = () => (mode === 'merge' ? state.apply('merge') : onConfirming(true));
  return (
    <>
      <FileFacts report={report} isPasted={isPasted} />
      <ModeChoice report={report} mode={mode} onMode={setMode} />
      <BitChoice state={state} report={report} />
      <ImportLists key={report.file.name} report={report} mode={mode} protocolType={channel.protocol_type} />
      <ErrorNotice error={state.error} compact />
      {report.mode === 'preview' ? null : (
        <Alert color="amber" icon={<Icon name="warn" size={18} />} role="alert">
          {t('files:notApplied')}
        </Alert>
      )}
      <div className={classes.footer}>
        {isWrong ? (
          <span className={classes.blocked} role="status">
            <Icon name="bad" /> {blocked}
          </span>
        ) : null}
        {isPasted ? null : <ChooseFile label={t('files:another')} onFile={state.choose} accept={ACCEPTED} data-testid="import-another" />}
        <Button variant="default" onClick={() => state.map()} data-testid="import-map">
          {t(state.mapping === null ? 'lists:asList' : 'lists:back')}
        </Button>
        <Button variant="default" onClick={onClose}>
          {t('app:action.cancel')}
        </Button>
        <GuardedButton
          reason={isWrong ? blocked : null}
          hint={mode === 'merge' ? t('files:mergeText') : t('files:replaceText')}
          color={mode === 'replace' ? 'red' : 'steel'}
          loading={state.isApplying}
          onClick={start}
          testId="import-apply"
        >
          {mode === 'merge' ? t('files:doMerge') : t('files:doReplace')}
        </GuardedButton>
      </div>
      <ReplaceConfirm
        channel={channel}
        report={report}
        opened={confirming}
        onClose={() => onConfirming(false)}
        onConfirm={() => {
          onConfirming(false);
          state.apply('replace');
        }}
      />
    </>
  );
}
