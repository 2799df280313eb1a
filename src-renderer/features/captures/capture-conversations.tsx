import { Button, Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { LookedCapture } from '#shared/contract/simulation.ts';
import { useOperation } from '../../api/hooks.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { formatBytes } from '../../ui/format.ts';
import classes from './captures.module.css';
import { ConversationTable, useRefusal } from './conversation-table.tsx';
import { type CaptureSource, type CaptureState, nameOfSource } from './use-capture.ts';

const LONGEST_NAME = 100;
/** Reasons that are written out where nothing can be taken; each row has its own. */
const MOST_REFUSALS = 3;

interface CaptureConversationsProps {
  readonly channel: Channel;
  readonly state: CaptureState;
  readonly source: CaptureSource;
  readonly looked: LookedCapture;
}

/** The second step: what was found, one conversation of it, and how it is taken. */
export function CaptureConversations({ channel, state, source, looked }: CaptureConversationsProps) {
  const { t } = useTranslation('captures');
  const { data } = useOperation('listSeries', {});
  const refusalOf = useRefusal(channel);
  const { conversations, passed_over: passedOver } = looked;
  const fitting = conversations.filter((each) => refusalOf(each) === null);
  // what most come for is there without a click
  const [picked, setPicked] = useState<number | null>(null);
  const chosen = fitting.find(({ index }) => index === picked) ?? fitting.toSorted((a, b) => b.reads - a.reads)[0] ?? null;
  const [name, setName] = useState(() => beginOf(source));
  const [isOnce, setIsOnce] = useState(false);
  const refusals = fitting.length > 0 ? [] : [...new Set(conversations.flatMap((each) => refusalOf(each) ?? []))];
  const isTaken = data?.items.some((series) => series.name === name.trim()) ?? false;
  return (
    <>
      <div className={classes.head}>
        <span className={`${classes.name} lc-ellipsis`} title={nameOfSource(source)}>
          {nameOfSource(source)}
        </span>
        <span className={classes.muted} data-testid="capture-found">
          {[
            ...(typeof source === 'string' ? [] : [formatBytes(source.size)]),
            t('found', { count: conversations.length }),
            ...(passedOver > 0 ? [t('passedOver', { count: passedOver })] : []),
          ].join(' · ')}
        </span>
        <Button size="compact-sm" variant="default" onClick={state.reset} disabled={state.isTaking} data-testid="capture-other">
          {t('other')}
        </Button>
      </div>
      <ConversationTable channel={channel} conversations={conversations} chosen={chosen?.index ?? null} onChoose={setPicked} />
      {refusals.slice(0, MOST_REFUSALS).map((refusal) => (
        <span key={refusal} className={classes.muted} data-testid="capture-refusal">
          {refusal}
        </span>
      ))}
      <ErrorNotice error={state.error} compact />
      <form
        className={classes.take}
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen) state.take(chosen, { name: name.trim(), isOnce });
        }}
      >
        <TextInput
          label={t('name')}
          description={isTaken ? t('nameTaken') : null}
          inputWrapperOrder={['label', 'input', 'description']}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={LONGEST_NAME}
          w={300}
          data-testid="capture-name"
        />
        <Checkbox
          label={t('once')}
          className={classes.once ?? ''}
          checked={isOnce}
          onChange={(event) => setIsOnce(event.currentTarget.checked)}
          data-testid="capture-once"
        />
        <span className={classes.into}>{chosen ? t('into', { count: chosen.addresses, channel: channel.name }) : t('takeNone')}</span>
        <Button type="submit" loading={state.isTaking} disabled={!chosen || name.trim() === ''} data-testid="capture-take">
          {t('takeInto')}
        </Button>
      </form>
    </>
  );
}

/** The name of a file without its ending. */
function beginOf(source: CaptureSource): string {
  const plain = typeof source === 'string' ? source : source.name.replace(/\.[^.]*$/, '');
  return plain.trim().slice(0, LONGEST_NAME);
}
