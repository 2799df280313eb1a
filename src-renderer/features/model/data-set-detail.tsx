import { Alert, Loader } from '@mantine/core';
import { Fragment, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { DataOf } from '#shared/contract/index.ts';
import { POLL, useOperation } from '../../api/hooks.ts';
import { model as words } from '../../i18n/en/model.ts';
import { useWords } from '../../i18n/words.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Said } from '../../ui/said.tsx';
import { Freshness } from './freshness.tsx';
import classes from './model.module.css';
import { indexValues, type MemberState, memberState, nodeOfKey, shownValue, valueText } from './model-values.ts';
import { useDataSetReads } from './use-data-set-reads.ts';

type Detail = DataOf<'iec61850DatasetDetail'>;
type Member = Detail['members'][number];

interface DataSetDetailProps {
  readonly channel: Channel;
  readonly name: string;
}

function Buttons({ channel, name }: DataSetDetailProps) {
  const { t } = useTranslation(['model', 'reading']);
  const reads = useDataSetReads(channel, name);
  const reason = reads.obstacle ? t(`reading:why.${reads.obstacle}`) : null;
  return (
    <>
      <GuardedButton
        variant="default"
        leftSection={<Icon name="download" size={14} />}
        reason={reason}
        hint={t('model:sets.readOnceHint')}
        onClick={reads.readOnce}
        testId="data-set-read"
      >
        {t('model:sets.readOnce')}
      </GuardedButton>
      {reads.isAutomatic ? (
        <GuardedButton
          variant="default"
          leftSection={<Icon name="stop" size={14} />}
          reason={null}
          hint={t('reading:stopHint')}
          onClick={reads.stopAutomatic}
          testId="data-set-stop"
        >
          {t('model:sets.stop')}
        </GuardedButton>
      ) : (
        <GuardedButton
          leftSection={<Icon name="play" size={14} />}
          reason={reason}
          hint={t('model:sets.startHint')}
          onClick={reads.startAutomatic}
          testId="data-set-start"
        >
          {t('model:sets.start')}
        </GuardedButton>
      )}
    </>
  );
}

const isQualityWord = (word: string): word is keyof typeof words.sets.qualityWord => word in words.sets.qualityWord;

interface MemberRowsProps {
  readonly member: Member;
  /** Logical device of the data set; members of it are written without. */
  readonly device: string;
  readonly number: number;
  readonly state: MemberState;
  readonly isOpen: boolean;
  onToggle(): void;
}

function MemberRows({ member, device, number, state, isOpen, onToggle }: MemberRowsProps) {
  const { t } = useTranslation('model');
  const reference = nodeOfKey(member.reference);
  const qualityText = (quality: unknown) =>
    valueText(quality)
      .split(' ')
      .map((word) => (isQualityWord(word) ? t(`sets.qualityWord.${word}`) : word))
      .join(' ');
  const isNear = reference.startsWith(`${device}/`);
  const name = t(isOpen ? 'closeNode' : 'openNode', { name: reference });
  return (
    <Fragment>
      <tr data-testid="member-row">
        <td className={classes.number}>{number}</td>
        <td title={`${reference} [${member.fc}]`}>
          <span className={classes.member}>
            {state.parts.length > 0 ? (
              <button type="button" className={classes.toggle} onClick={onToggle} aria-expanded={isOpen} aria-label={name} title={name}>
                <Icon name={isOpen ? 'down' : 'right'} size={12} />
              </button>
            ) : (
              <span className={classes.toggle} />
            )}
            <span className="lc-mono lc-ellipsis">{isNear ? reference.slice(device.length + 1) : reference}</span>
          </span>
        </td>
        <td className={classes.type}>{member.fc}</td>
        <td className={classes.type}>{member.cdc || member.type}</td>
        <td title={member.description}>{member.description}</td>
        <td className={classes.number} title={valueText(state.value)} data-testid="member-value">
          {valueText(state.value)}
        </td>
        <td title={valueText(state.quality)}>{qualityText(state.quality)}</td>
        <td className={classes.type}>{shownValue(state.time)}</td>
      </tr>
      {isOpen
        ? state.parts.map((part) => (
            <tr key={part.reference} className={classes.part}>
              <td />
              <td colSpan={4}>
                <span className={classes.partName}>{part.reference.slice(reference.length + 1)}</span>
              </td>
              <td colSpan={3}>{shownValue(part.value)}</td>
            </tr>
          ))
        : null}
    </Fragment>
  );
}

function Members({ detail }: { readonly detail: Detail }) {
  const { t } = useTranslation('model');
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const states = useMemo(() => {
    const index = indexValues(detail.values);
    return detail.members.map((member) => memberState(index, member.reference));
  }, [detail]);
  const device = detail.dataset.slice(0, detail.dataset.indexOf('/'));
  const toggle = (reference: string) => {
    const next = new Set(open);
    if (!next.delete(reference)) next.add(reference);
    setOpen(next);
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area has to be reachable by keyboard (WCAG 2.1.1)
    <section className={classes.members} tabIndex={0} aria-label={t('sets.membersOf', { name: detail.dataset })}>
      <table className={classes.table} data-testid="members">
        <colgroup>
          <col style={{ width: 34 }} />
          <col />
          <col style={{ width: 34 }} />
          <col style={{ width: 74 }} />
          <col style={{ width: '20%' }} />
          <col style={{ width: 100 }} />
          <col style={{ width: 92 }} />
          <col style={{ width: 190 }} />
        </colgroup>
        <thead>
          <tr>
            {(['number', 'reference', 'fc', 'type', 'description', 'value', 'quality', 'time'] as const).map((column) => (
              <th key={column} scope="col" className={column === 'number' || column === 'value' ? classes.number : ''}>
                {t(`sets.column.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {detail.members.map((member, index) => {
            const state = states[index];
            return state ? (
              <MemberRows
                // biome-ignore lint/suspicious/noArrayIndexKey: a data set may name a member twice, and their order is their identity
                key={`${index} ${member.reference}`}
                member={member}
                device={device}
                number={index + 1}
                state={state}
                isOpen={open.has(member.reference)}
                onToggle={() => toggle(member.reference)}
              />
            ) : null;
          })}
        </tbody>
      </table>
    </section>
  );
}

/** Members of one data set in order, with their last values and how fresh they are. */
export function DataSetDetail({ channel, name }: DataSetDetailProps) {
  const { t } = useTranslation('model');
  const words = useWords();
  const query = useOperation('iec61850DatasetDetail', { channel_id: channel.id, dataset: name }, { pollMs: POLL.status });
  const detail = query.data;
  if (!detail) return query.error ? <ErrorNotice error={query.error} compact /> : <Loader size="sm" m="md" />;
  return (
    <div className={classes.detail} data-testid="data-set-detail">
      <div className={classes.detailHead}>
        <h2 className={classes.title} title={detail.dataset}>
          {detail.dataset}
        </h2>
        <Freshness
          updatedAt={detail.last_updated_at}
          isStale={detail.stale}
          error={detail.last_error === null ? null : words(detail.last_error_info, detail.last_error)}
          nowMs={query.dataUpdatedAt}
        />
        <span className={classes.spring} />
        <Buttons channel={channel} name={detail.dataset} />
      </div>
      {detail.last_error === null ? null : (
        <Alert color="amber" icon={<Icon name="warn" size={16} />} className={classes.lastError ?? ''} data-testid="data-set-error">
          {t('fresh.lastError')} <Said message={detail.last_error_info} text={detail.last_error} />
        </Alert>
      )}
      <Members detail={detail} />
    </div>
  );
}
