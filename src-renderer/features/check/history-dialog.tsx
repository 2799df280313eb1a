import { Button, Loader, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CheckResult, CheckSeen } from '#shared/contract/check.ts';
import type { FrameEntry } from '#shared/contract/frames.ts';
import { channelPlace } from '#shared/domain/check-place.ts';
import { useOperation } from '../../api/hooks.ts';
import { useWords } from '../../i18n/words.ts';
import { type SmallColumn, SmallTable } from '../../ui/data-grid/small-table.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { useSettingName } from '../../ui/form/field-text.ts';
import { formatDuration } from '../../ui/format.ts';
import { StatusBadge, toneClass } from '../../ui/status-badge.tsx';
import { formatBeside, formatDateTime, formatTime } from '../../ui/time.ts';
import { guideTo } from '../guide/guide.ts';
import { rawText } from '../points/point-text.ts';
import { AttachBar } from './attach-bar.tsx';
import { Attachments } from './attachments.tsx';
import classes from './check.module.css';
import { seenText, useExpectationText, useFindingText, VERDICT_LOOK } from './check-text.ts';

/** Results that are asked for at first, and each time older ones are wanted. */
const PAGE = 20;
/** The service answers so many at most. */
const MOST = 100;
/** Results whose pictures are shown without being asked for: the newest. */
const SHOWN_PICTURES = 5;

function qualityText(quality: string, known: string, flags: readonly string[]): string {
  return [known === '' ? quality : known, ...flags].join(' ');
}

function Seen({ seen, at }: { readonly seen: readonly CheckSeen[]; readonly at: string }) {
  const { t } = useTranslation(['check', 'points']);
  const time = (iso: string | null) => (iso === null ? '–' : formatBeside(iso, at));
  const received = ({ received_at, arrived_at }: CheckSeen) =>
    [time(received_at), ...(arrived_at === undefined ? [] : [t('check:history.arrived', { time: time(arrived_at) })])].join(' ');
  const quality = ({ quality: word, flags }: CheckSeen) => {
    const known = word === 'good' || word === 'stale' || word === 'invalid' || word === 'never' ? t(`points:quality.${word}`) : '';
    return qualityText(word, known, flags);
  };
  const columns: readonly SmallColumn<CheckSeen>[] = [
    {
      id: 'code',
      name: t('check:column.code'),
      isRowHeader: true,
      cell: ({ code: channel, service }) => channelPlace({ service, channel }),
    },
    { id: 'value', name: t('check:column.value'), align: 'right', cell: (each) => `${seenText(each) ?? '–'} ${each.unit}` },
    { id: 'raw', name: t('check:column.raw'), cell: ({ raw_hex }) => <span className={classes.octets}>{rawText(raw_hex)}</span> },
    { id: 'quality', name: t('check:column.quality'), isShort: true, cell: quality },
    { id: 'source', name: t('check:column.source'), isShort: true, cell: ({ source_time }) => time(source_time) },
    { id: 'received', name: t('check:column.received'), isShort: true, cell: received },
  ];
  return (
    <SmallTable
      label={t('check:history.seen')}
      columns={columns}
      rows={seen}
      keyOf={(_, index) => index}
      empty={t('check:history.noValue')}
    />
  );
}

function Frames({ frames }: { readonly frames: readonly FrameEntry[] }) {
  const { t } = useTranslation(['check', 'frames']);
  const words = useWords();
  const columns: readonly SmallColumn<FrameEntry>[] = [
    { id: 'at', name: t('check:column.at'), isShort: true, isRowHeader: true, cell: ({ at }) => formatTime(at) },
    { id: 'kind', name: t('check:column.direction'), isShort: true, cell: ({ kind }) => t(`frames:kind.${kind}`) },
    { id: 'hex', name: t('check:column.octets'), cell: ({ hex }) => <span className={classes.octets}>{hex}</span> },
    { id: 'text', name: t('check:column.meaning'), cell: ({ text, text_message }) => words(text_message, text) },
  ];
  return (
    <div className={classes.wide}>
      <SmallTable label={t('check:history.frames')} columns={columns} rows={frames} keyOf={({ seq }) => seq} />
    </div>
  );
}

/** Settings as they were, in the words of the forms. */
function Settings({ point }: Pick<CheckResult, 'point'>) {
  const { t } = useTranslation('check');
  const nameOf = useSettingName();
  const columns: readonly SmallColumn<readonly [string, unknown]>[] = [
    { id: 'name', name: null, isShort: true, isRowHeader: true, cell: ([name]) => nameOf(name) },
    {
      id: 'value',
      name: null,
      cell: ([, value]) => (typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value)),
    },
  ];
  const given = Object.entries(point).filter(([, value]) => value !== null && value !== '' && JSON.stringify(value) !== '{}');
  return <SmallTable isPlain label={t('history.settings')} columns={columns} rows={given} keyOf={([name]) => name} />;
}

interface EntryProps {
  readonly sessionId: number;
  readonly result: CheckResult;
  readonly showsPictures: boolean;
}

function Entry({ sessionId, result, showsPictures }: EntryProps) {
  const { t } = useTranslation('check');
  const finding = useFindingText();
  const expectation = useExpectationText();
  const { verdict, at, operator, way, took_ms, remark, findings, seen, frames, point, digest } = result;
  return (
    <article className={classes.entry} data-testid="check-entry" data-verdict={verdict}>
      <div className={classes.entryHead}>
        <StatusBadge {...VERDICT_LOOK[verdict]}>{t(`verdict.${verdict}`)}</StatusBadge>
        <span>{formatDateTime(at)}</span>
        <span>{operator}</span>
        <span className={classes.muted}>
          {t(`way.${way}`)}
          {took_ms === null ? '' : ` · ${t('history.took', { time: formatDuration(took_ms) })}`}
        </span>
        <span className={classes.muted}>
          {t('history.expectation')}: {expectation(result.expectation)}
        </span>
      </div>
      {remark === '' ? null : <p className={classes.remark}>{remark}</p>}
      {findings.map((each) => (
        <p key={`${each.name} ${each.text}`} className={`${classes.remark} ${toneClass('bad')}`}>
          {finding(each)}
        </p>
      ))}
      <Attachments sessionId={sessionId} files={result.attachments ?? []} showsPictures={showsPictures} />
      <Seen seen={seen} at={at} />
      {frames.length > 0 ? (
        <details className={classes.details}>
          <summary>
            {t('history.frames')} ({frames.length})
          </summary>
          <Frames frames={frames} />
        </details>
      ) : null}
      <details className={classes.details}>
        <summary>{t('history.settings')}</summary>
        <Settings point={point} />
        <Text size="xs" c="dimmed">
          {t('history.digest')}: <span className={classes.octets}>{digest}</span>
        </Text>
      </details>
    </article>
  );
}

interface HistoryProps {
  readonly sessionId: number;
  readonly item: string;
  readonly code: string;
  onClose(): void;
}

/** Every result of one item with its evidence, the newest first. */
export function HistoryDialog({ sessionId, item, code, onClose }: HistoryProps) {
  const { t } = useTranslation(['check', 'app']);
  const [size, setSize] = useState(PAGE);
  const history = useOperation('checkHistory', { session_id: sessionId, item, page_size: size });
  const { items = [], total = 0 } = history.data ?? {};
  return (
    <Modal
      {...guideTo('check')}
      opened
      onClose={onClose}
      size={1000}
      title={t('check:history.title', { code })}
      closeButtonProps={{ 'aria-label': t('app:action.close') }}
    >
      <Stack gap="xs" data-testid="check-history">
        <ErrorNotice error={history.error} onRetry={() => void history.refetch()} />
        {history.isPending ? <Loader size="sm" /> : null}
        {history.isSuccess && items.length === 0 ? <Text>{t('check:history.none')}</Text> : null}
        <AttachBar sessionId={sessionId} item={item} code={code} />
        {items.map((result, index) => (
          <Entry key={result.digest} sessionId={sessionId} result={result} showsPictures={index < SHOWN_PICTURES} />
        ))}
        {total > items.length && size < MOST ? (
          <Button variant="default" onClick={() => setSize(MOST)} loading={history.isFetching}>
            {t('check:history.more')}
          </Button>
        ) : null}
      </Stack>
    </Modal>
  );
}
