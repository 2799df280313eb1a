import { Checkbox, SegmentedControl, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CheckItem, CheckRun, CheckSession } from '#shared/contract/check.ts';
import type { AppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';
import { useOperation } from '../../api/hooks.ts';
import { useUiStore } from '../../app/ui-store.ts';
import { issuesAt } from '../../ui/form/issues.ts';
import classes from './check.module.css';
import { CheckForm } from './check-form.tsx';
import { useCheckMemory } from './check-store.ts';
import { OperatorField, useOperator } from './operator-field.tsx';
import { useTakeRun } from './run-queries.ts';
import { FILE_REFERENCES, FIRST_START, RUN_WAYS, readStart, type StartDraft, type StartInput, usualReferences } from './start-draft.ts';
import { StartNumber } from './start-number.tsx';
import { UnattendedFields } from './unattended-fields.tsx';

interface StartProps {
  readonly session: CheckSession;
  /** None: all that is due. */
  readonly items: readonly CheckItem[];
  onClose(): void;
}

/** What the items can be compared with; asked for when the unattended way is looked at. */
function useChoices({ session, items }: StartProps, isAsked: boolean) {
  const input = { session_id: session.id, ...(items.length > 0 ? { items: items.map(({ item }) => item) } : {}) };
  return useOperation('checkReferences', input, { enabled: isAsked });
}

function useStart({ session, items, onClose }: StartProps) {
  const take = useTakeRun();
  return useMutation<CheckRun, AppError, { readonly start: StartInput; readonly operator: string }>({
    mutationFn: async ({ start, operator }) => {
      const chosen = items.length > 0 ? { items: items.map(({ item }) => item) } : {};
      const common = { session_id: session.id, operator, ...chosen };
      if (start.name === 'startCheck') return (await api.call('startCheck', { ...common, ...start.input })).data;
      if (start.name === 'traceCheck') return (await api.call('traceCheck', { ...common, ...start.input })).data;
      // the file says which items
      if (start.name === 'compareCheckFile') {
        return (await api.call('compareCheckFile', { session_id: session.id, operator, ...start.input })).data;
      }
      return (await api.call('compareCheck', { ...common, ...start.input })).data;
    },
    onSuccess: async (run) => {
      useCheckMemory.setState({ way: RUN_WAYS.find((way) => way === run.way) ?? 'guided' });
      onClose();
      await take(run);
      useUiStore.getState().showCheck(session.id, true);
    },
    retry: false,
  });
}

/** Which way, who checks, and what the way needs, before a check begins. */
export function StartDialog(props: StartProps) {
  const { t } = useTranslation('check');
  const { items, onClose } = props;
  const operator = useOperator();
  const [written, setDraft] = useState<StartDraft>(() => ({ ...FIRST_START, way: useCheckMemory.getState().way }));
  const [isTried, setTried] = useState(false);
  const [isReady] = useState(operator !== '');
  const begin = useStart(props);
  const choices = useChoices(props, written.way === 'unattended');
  const draft = { ...written, references: written.references ?? (choices.data ? usualReferences(choices.data) : null) };
  const { issues, start } = readStart(draft);
  const onChange = (change: Partial<StartDraft>) => {
    // what was wrong with one file is no word about another one
    if (change.file) begin.reset();
    setDraft({ ...written, ...change });
  };
  const fields = { draft, issues: isTried ? issues : {}, onChange };
  const faults = issuesAt(begin.error, 'file');
  const chosen = items.length > 0 ? t('start.chosen', { count: items.length }) : t('start.due');
  const scope = draft.way === 'unattended' && draft.references === FILE_REFERENCES ? '' : chosen;
  return (
    <CheckForm
      title={t('start.title')}
      testId="check-start"
      size={560}
      error={faults.length > 0 ? null : (begin.error ?? choices.error)}
      isPending={begin.isPending}
      doWords={t('start.go')}
      isReady={isReady}
      onClose={onClose}
      onSubmit={() => {
        setTried(true);
        // what it is compared with is not known yet
        if (draft.way === 'unattended' && choices.isPending) return;
        if (operator !== '' && start) begin.mutate({ start, operator });
      }}
    >
      <div className={classes.whole}>
        <SegmentedControl
          aria-label={t('start.way')}
          fullWidth
          value={draft.way}
          onChange={(next) => fields.onChange({ way: RUN_WAYS.find((way) => way === next) ?? 'guided' })}
          data={RUN_WAYS.map((way) => ({ value: way, label: t(`start.wayName.${way}`) }))}
          data-path="way"
        />
      </div>
      <Text size="sm" className={classes.whole ?? ''}>
        {t(`start.wayHint.${draft.way}`)} {scope}
      </Text>
      <OperatorField isTried={isTried} takesFocus={!isReady} />
      {draft.way === 'unattended' ? (
        <UnattendedFields choices={choices.data} faults={faults} {...fields} />
      ) : (
        <StartNumber {...fields} field="settle" label={t('start.settle')} hint={t('start.settleHint')} />
      )}
      {draft.way === 'guided' ? (
        <div className={classes.whole}>
          <Checkbox
            label={t('start.commands')}
            checked={draft.commands}
            onChange={(event) => fields.onChange({ commands: event.currentTarget.checked })}
            data-path="commands"
          />
        </div>
      ) : null}
      <Text size="xs" c="dimmed" className={classes.whole ?? ''}>
        {t(draft.way === 'unattended' ? 'start.readsOnce' : 'start.reading')}
      </Text>
    </CheckForm>
  );
}
