import { Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CommandResult } from '#shared/contract/points.ts';
import { isServing } from '#shared/domain/enums.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { DASH, numberText, shortNumber } from '../points/point-text.ts';
import { StageTable } from './stage-table.tsx';
import { withUnit } from './target-summary.tsx';
import classes from './write.module.css';
import { endTone, endWord } from './write-end.ts';
import { isSameValue } from './write-rules.ts';
import { useWriteStore, type WriteEnd, type WriteTarget } from './write-store.ts';

interface OutcomeProps {
  readonly target: WriteTarget;
  readonly end: WriteEnd;
  readonly value: number;
}

function Figure({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div className={classes.figure}>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <div className={classes.figureValue}>{text}</div>
    </div>
  );
}

/** The written value beside the one the device gives back. */
function Comparison({ target, end, value }: OutcomeProps) {
  const { t } = useTranslation('points');
  const { point } = target;
  if (end.kind !== 'command' && end.kind !== 'served') return null;
  const now = end.kind === 'served' ? end.point : end.readBack;
  const isRejected = end.kind === 'command' && end.result.outcome === 'rejected';
  if (isRejected) return null;
  const isSame = now !== null && isSameValue(value, now.value, point);
  return (
    <Stack gap={6}>
      <div className={classes.compare}>
        <Figure label={t('write.written')} text={withUnit(numberText(value, point), point.unit)} />
        <Figure label={t('write.readBack')} text={now ? withUnit(numberText(now.value, point), point.unit) : t('write.noReadBack')} />
      </div>
      {now ? <StatusBadge tone={isSame ? 'ok' : 'warn'}>{isSame ? t('write.same') : t('write.differs')}</StatusBadge> : null}
    </Stack>
  );
}

function Reaction({ result }: { readonly result: CommandResult }) {
  const { t } = useTranslation('points');
  const { reaction } = result;
  if (!reaction) return null;
  const text = (value: number | null) => (value === null ? DASH : shortNumber(value));
  const hasChanged = reaction.after !== null && reaction.after !== reaction.before;
  return (
    <Text>
      <b>{t('write.reaction')}: </b>
      {hasChanged
        ? t('write.reactionText', { code: reaction.code, before: text(reaction.before), after: text(reaction.after) })
        : t('write.noReaction', { code: reaction.code, before: text(reaction.before) })}
      {hasChanged && reaction.delay_ms !== null ? ` (${t('write.reactionDelay', { delay: Math.round(reaction.delay_ms) })})` : ''}
    </Text>
  );
}

/** Last step: what became of the write, with its stages and what the point shows now. */
export function WriteOutcome(props: OutcomeProps) {
  const { t } = useTranslation('points');
  const { goTo, close } = useWriteStore();
  const { end, target } = props;
  const word = endWord(end);
  return (
    <Stack gap="sm" data-testid="write-outcome">
      {word === 'failed' ? null : (
        <Stack gap={2} role="status" align="flex-start">
          <StatusBadge tone={endTone(end)} outlined {...(word === 'unknown' ? { icon: 'question' as const } : {})}>
            {t(`write.${word}`)}
          </StatusBadge>
          <Text>{t(`write.${word}Text`)}</Text>
        </Stack>
      )}
      {end.kind === 'refused' || end.kind === 'lost' ? <ErrorNotice error={end.error} /> : null}
      <Comparison {...props} />
      {end.kind === 'command' ? (
        <>
          <Reaction result={end.result} />
          <StageTable stages={end.result.stages} />
          <Text size="xs" c="dimmed">
            {t('write.audit', { id: end.result.audit_id })}
          </Text>
        </>
      ) : null}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => goTo('enter')}>
          {isServing(target.channel.conn_type) || word !== 'unknown' ? t('write.again') : t('write.back')}
        </Button>
        <Button onClick={close} data-autofocus data-testid="write-close">
          {t('write.close')}
        </Button>
      </Group>
    </Stack>
  );
}
