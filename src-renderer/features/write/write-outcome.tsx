import { Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CommandResult, Point } from '#shared/contract/points.ts';
import { isServing } from '#shared/domain/enums.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Said } from '../../ui/said.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useFocus } from '../../ui/use-focus.ts';
import { useProtocol } from '../channels/protocol-facts.ts';
import { DASH, exactNumber, numberText, shortNumber } from '../points/point-text.ts';
import { isForLater, isTest, optionSpecs } from './command-options.ts';
import { SelectionPanel } from './selection-panel.tsx';
import { useSelectionStore } from './selections.ts';
import { StageTable } from './stage-table.tsx';
import { StateTable } from './state-table.tsx';
import { TestMark } from './test-mark.tsx';
import { useStateText, withUnit } from './value-words.ts';
import { WhereToLook } from './where-to-look.tsx';
import classes from './write.module.css';
import { CancelCommand, useSending } from './write-confirm.tsx';
import { endTone, endWord, type WriteEnd } from './write-end.ts';
import { isSameValue } from './write-rules.ts';
import { useWriteStore, type WriteTarget } from './write-store.ts';

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

interface ComparisonProps {
  readonly point: Point;
  readonly written: number;
  readonly now: number;
  readonly isServed?: boolean;
  readonly isEqual: boolean;
}

/** The written value beside the one that was read back, or is served now. */
function Comparison({ point, written, now, isServed = false, isEqual }: ComparisonProps) {
  const { t } = useTranslation('points');
  const stateText = useStateText();
  // with few decimals two values that differ may look the same
  const looksSame = !isEqual && numberText(written, point) === numberText(now, point);
  const digits = (value: number) => (looksSame ? exactNumber(value) : numberText(value, point));
  const text = (value: number) => stateText(value, point.frame_type, withUnit(digits(value), point.unit));
  const verdict = isServed ? (isEqual ? 'servedSame' : 'servedDiffers') : isEqual ? 'same' : 'differs';
  return (
    <Stack gap={6} data-testid="write-comparison">
      <div className={classes.compare}>
        <Figure label={t('write.written')} text={text(written)} />
        <Figure label={isServed ? t('write.servedNow') : t('write.readBack')} text={text(now)} />
      </div>
      <StatusBadge tone={isEqual ? 'ok' : 'warn'}>{t(`write.${verdict}`)}</StatusBadge>
    </Stack>
  );
}

/** What the device says now of the written value: only a read of it after the command counts. Without one, where to look instead. */
function ReadBack({ target, result, value }: { readonly target: WriteTarget; readonly result: CommandResult; readonly value: number }) {
  const { t } = useTranslation('points');
  if (result.outcome !== 'accepted') return null;
  const stage = result.stages.findLast(({ name }) => name === 'read_back');
  if (stage?.value !== undefined) {
    return <Comparison point={target.point} written={value} now={stage.value} isEqual={stage.equal === true} />;
  }
  return (
    <Text data-testid="write-no-read-back">
      {t('write.noReadBack')} {result.reaction ? t('write.lookReaction', { code: result.reaction.code }) : <WhereToLook target={target} />}
    </Text>
  );
}

function Reaction({ result }: { readonly result: CommandResult }) {
  const { t } = useTranslation('points');
  const stateText = useStateText();
  const { reaction } = result;
  if (!reaction) return null;
  const text = (value: number | null, words = '') =>
    value === null ? DASH : stateText(value, reaction.frame_type, shortNumber(value), words);
  const before = text(reaction.before, reaction.before_text);
  const hasChanged = reaction.after !== null && reaction.after !== reaction.before;
  return (
    <Text>
      <b>{t('write.reaction')}: </b>
      {hasChanged
        ? t('write.reactionText', { code: reaction.code, before, after: text(reaction.after, reaction.after_text) })
        : t('write.noReaction', { code: reaction.code, before })}
      {hasChanged && reaction.delay_ms !== null ? ` (${t('write.reactionDelay', { delay: Math.round(reaction.delay_ms) })})` : ''}
    </Text>
  );
}

/** The end in a word and a sentence; for an unknown one also where to look before anything is sent again. */
function Verdict({ target, end }: Omit<OutcomeProps, 'value'>) {
  const { t } = useTranslation('points');
  const protocol = useProtocol(target.channel.protocol_type);
  const word = endWord(end);
  const asked = useWriteStore((state) => state.asked);
  if (word === 'failed') return null;
  const done = word !== 'accepted' ? null : asked === 'select' ? t('write.selectDone') : asked === 'cancel' ? t('write.cancelDone') : null;
  const refusal = end.kind === 'command' ? end.result.stages.findLast(({ name }) => name === 'rejected') : undefined;
  return (
    <Stack gap={2} role="status" align="flex-start">
      <StatusBadge tone={endTone(end)} outlined {...(word === 'unknown' ? { icon: 'question' as const } : {})}>
        {t(`write.${word}`)}
      </StatusBadge>
      <Text {...(word === 'unknown' ? { fw: 600 } : {})}>
        {end.kind === 'lost' ? t('write.lostText') : (done ?? t(`write.${word}Text`))}
      </Text>
      {word === 'rejected' && refusal ? (
        <Text data-testid="write-refusal">
          <Said message={refusal.detail_message} text={refusal.detail} />
        </Text>
      ) : null}
      {word === 'unknown' ? (
        <Text>
          <WhereToLook target={target} />
          {protocol?.confirms_late ? ` ${t('write.lateConfirmation')}` : ''}
        </Text>
      ) : null}
    </Stack>
  );
}

/** Last step: what became of the write, with its stages and what the device says now. */
export function WriteOutcome({ target, end, value }: OutcomeProps) {
  const { t } = useTranslation('points');
  const { goTo, close, asked, options, sendSelected } = useWriteStore();
  const { channel, point } = target;
  const protocol = useProtocol(channel.protocol_type);
  const selection = useSelectionStore((state) => state.selections[point.id]);
  const isStanding = selection !== undefined && selection.ended === null;
  const follow = useSending(target);
  const specs = optionSpecs(protocol, channel, point);
  const isAct = asked === 'operate' || asked === 'execute';
  const isTaken = endWord(end) === 'accepted';
  const isLater = isAct && isTaken && protocol?.cancels_under_way === true && isForLater(specs, options);
  const closing = useFocus<HTMLButtonElement>();
  const isOpenEnded = !isServing(target.channel.conn_type) && endWord(end) === 'unknown';
  return (
    <Stack gap="sm" data-testid="write-outcome">
      {asked !== 'cancel' && !isStanding && isTest(specs, options) ? <TestMark /> : null}
      <Verdict target={target} end={end} />
      {end.kind === 'refused' || end.kind === 'lost' ? <ErrorNotice error={end.error} /> : null}
      {end.kind === 'served' ? (
        <Comparison
          point={target.point}
          written={value}
          now={end.point.value}
          isServed
          isEqual={isSameValue(value, end.point.value, target.point)}
        />
      ) : null}
      {end.kind === 'command' ? (
        <>
          {isAct ? <ReadBack target={target} result={end.result} value={value} /> : null}
          {isLater ? <CancelCommand /> : null}
          <Reaction result={end.result} />
          <StageTable stages={end.result.stages} />
          {end.result.state?.some(({ remark }) => remark !== null) ? (
            <StateTable items={end.result.state.filter(({ remark }) => remark !== null)} label={t('write.beforeAsTold')} />
          ) : null}
          <Text size="xs" c="dimmed">
            {t('write.audit', { id: end.result.audit_id })}
          </Text>
        </>
      ) : null}
      {selection && (asked === 'select' || isStanding) ? (
        <SelectionPanel target={target} selection={selection} onSend={(step) => follow(sendSelected(step))} />
      ) : null}
      {isStanding ? null : (
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => goTo('enter')}>
            {isOpenEnded ? t('write.back') : t('write.again')}
          </Button>
          <Button onClick={close} ref={closing} data-testid="write-close">
            {t('write.close')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
