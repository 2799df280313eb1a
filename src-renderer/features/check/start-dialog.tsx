import { Checkbox, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CheckItem, CheckSession } from '#shared/contract/check.ts';
import { useAction } from '../../api/hooks.ts';
import { useUiStore } from '../../app/ui-store.ts';
import classes from './check.module.css';
import { CheckForm } from './check-form.tsx';
import { useCheckMemory } from './check-store.ts';
import { boundedNumber } from './points-draft.ts';
import { useTakeRun } from './run-queries.ts';

interface StartProps {
  readonly session: CheckSession;
  /** None: all that is due. */
  readonly items: readonly CheckItem[];
  onClose(): void;
}

/** Who checks, and what may be sent, before the guided check begins. */
export function StartDialog({ session, items, onClose }: StartProps) {
  const { t } = useTranslation('check');
  const operator = useCheckMemory((state) => state.operator);
  const [settle, setSettle] = useState('1.5');
  const [commands, setCommands] = useState(false);
  const [isTried, setTried] = useState(false);
  const start = useAction('startCheck', ['checkRun']);
  const take = useTakeRun();
  const seconds = boundedNumber(settle, 0.1, 60);
  const isNamed = operator.trim() !== '';
  const issue = typeof seconds === 'number' ? null : t(seconds.key, { least: 0.1, most: 60 });
  const begin = () => {
    setTried(true);
    if (!isNamed || typeof seconds !== 'number') return;
    start.mutate(
      {
        session_id: session.id,
        operator: operator.trim(),
        commands,
        settle_ms: Math.round(seconds * 1000),
        ...(items.length > 0 ? { items: items.map(({ item }) => item) } : {}),
      },
      {
        onSuccess: ({ data }) => {
          onClose();
          void take(data);
          useUiStore.getState().showCheck(session.id, true);
        },
      },
    );
  };
  return (
    <CheckForm
      title={t('start.title')}
      testId="check-start"
      size={520}
      error={start.error}
      isPending={start.isPending}
      doWords={t('start.go')}
      onClose={onClose}
      onSubmit={begin}
    >
      <Text size="sm" className={classes.whole ?? ''}>
        {items.length > 0 ? t('start.chosen', { count: items.length }) : t('start.due')}
      </Text>
      <TextInput
        label={t('result.operator')}
        value={operator}
        maxLength={100}
        error={isTried && !isNamed ? t('result.operatorMissing') : null}
        onChange={(event) => useCheckMemory.setState({ operator: event.currentTarget.value })}
        data-autofocus
        data-path="operator"
      />
      <TextInput
        label={t('start.settle')}
        description={t('start.settleHint')}
        value={settle}
        error={issue}
        onChange={(event) => setSettle(event.currentTarget.value)}
        data-path="settle"
      />
      <div className={classes.whole}>
        <Checkbox
          label={t('start.commands')}
          checked={commands}
          onChange={(event) => setCommands(event.currentTarget.checked)}
          data-path="commands"
        />
      </div>
      <Text size="xs" c="dimmed" className={classes.whole ?? ''}>
        {t('start.reading')}
      </Text>
    </CheckForm>
  );
}
