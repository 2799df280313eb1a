import { Checkbox, SegmentedControl, Select, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CheckItem, CheckRun, CheckSession } from '#shared/contract/check.ts';
import { isServing } from '#shared/domain/enums.ts';
import type { AppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';
import { useOperation } from '../../api/hooks.ts';
import { useUiStore } from '../../app/ui-store.ts';
import { useChannels } from '../channels/use-channels.ts';
import classes from './check.module.css';
import { CheckForm } from './check-form.tsx';
import { OperatorField, useOperator } from './operator-field.tsx';
import { useTakeRun } from './run-queries.ts';
import {
  FIRST_START,
  OWN_REFERENCES,
  RUN_WAYS,
  readStart,
  type StartDraft,
  type StartInput,
  type StartIssues,
  usualReferences,
} from './start-draft.ts';

interface StartProps {
  readonly session: CheckSession;
  /** None: all that is due. */
  readonly items: readonly CheckItem[];
  onClose(): void;
}

interface FieldsProps {
  readonly draft: StartDraft;
  readonly issues: StartIssues;
  onChange(change: Partial<StartDraft>): void;
}

function NumberField({ field, draft, issues, onChange, label, hint }: FieldsProps & FieldWords) {
  const { t } = useTranslation('check');
  const issue = issues[field];
  return (
    <TextInput
      label={label}
      description={hint}
      value={draft[field]}
      error={issue ? t(issue.key, { least: 0, most: 0, ...issue }) : null}
      onChange={(event) => onChange({ [field]: event.currentTarget.value })}
      data-path={field}
    />
  );
}

interface FieldWords {
  readonly field: 'settle' | 'tolerance' | 'percent' | 'limit';
  readonly label: string;
  readonly hint?: string;
}

type Choices = ReturnType<typeof useChoices>;

/** What the items can be compared with; asked for when the unattended way is looked at. */
function useChoices({ session, items }: StartProps, isAsked: boolean) {
  const input = { session_id: session.id, ...(items.length > 0 ? { items: items.map(({ item }) => item) } : {}) };
  return useOperation('checkReferences', input, { enabled: isAsked });
}

/** What values are compared with, and how near they have to be. */
function UnattendedFields({ choices, ...props }: FieldsProps & { readonly choices: Choices }) {
  const { t } = useTranslation('check');
  const { draft, onChange } = props;
  const { items: count = 0, own = 0, channels = [] } = choices.data ?? {};
  const isDevice = useChannels().data?.some(({ id, conn_type }) => String(id) === draft.references && isServing(conn_type)) ?? false;
  const data = [
    { value: OWN_REFERENCES, label: t('start.own', { matches: own, count }) },
    ...channels.map(({ channel_id, channel, matches }) => ({
      value: String(channel_id),
      label: t('start.otherChannel', { channel, matches, count }),
    })),
  ];
  return (
    <>
      <div className={classes.whole}>
        <Select
          label={t('start.references')}
          description={t('start.referencesHint')}
          data={data}
          value={draft.references}
          allowDeselect={false}
          onChange={(references) => onChange({ references, traces: false })}
          data-path="references"
        />
      </div>
      {draft.references === OWN_REFERENCES ? null : (
        <>
          <NumberField {...props} field="tolerance" label={t('form.tolerance')} hint={t('form.toleranceHint')} />
          <NumberField {...props} field="percent" label={t('form.percent')} hint={t('form.percentHint')} />
        </>
      )}
      {isDevice ? (
        <div className={classes.whole}>
          <Checkbox
            label={t('start.traces')}
            description={t('start.tracesHint')}
            checked={draft.traces}
            onChange={(event) => onChange({ traces: event.currentTarget.checked })}
            data-path="traces"
          />
        </div>
      ) : null}
      <NumberField {...props} field="limit" label={t('start.limit')} hint={t('start.limitHint')} />
    </>
  );
}

function useStart({ session, items, onClose }: StartProps) {
  const take = useTakeRun();
  return useMutation<CheckRun, AppError, { readonly start: StartInput; readonly operator: string }>({
    mutationFn: async ({ start, operator }) => {
      const chosen = items.length > 0 ? { items: items.map(({ item }) => item) } : {};
      const common = { session_id: session.id, operator, ...chosen };
      if (start.name === 'startCheck') return (await api.call('startCheck', { ...common, ...start.input })).data;
      if (start.name === 'traceCheck') return (await api.call('traceCheck', { ...common, ...start.input })).data;
      return (await api.call('compareCheck', { ...common, ...start.input })).data;
    },
    onSuccess: async (run) => {
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
  const [written, setDraft] = useState<StartDraft>(FIRST_START);
  const [isTried, setTried] = useState(false);
  const begin = useStart(props);
  const choices = useChoices(props, written.way === 'unattended');
  const draft = { ...written, references: written.references ?? (choices.data ? usualReferences(choices.data) : null) };
  const { issues, start } = readStart(draft);
  const fields = { draft, issues: isTried ? issues : {}, onChange: (change: Partial<StartDraft>) => setDraft({ ...written, ...change }) };
  return (
    <CheckForm
      title={t('start.title')}
      testId="check-start"
      size={560}
      error={begin.error ?? choices.error}
      isPending={begin.isPending}
      doWords={t('start.go')}
      onClose={onClose}
      onSubmit={() => {
        setTried(true);
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
        {t(`start.wayHint.${draft.way}`)} {items.length > 0 ? t('start.chosen', { count: items.length }) : t('start.due')}
      </Text>
      <OperatorField isTried={isTried} takesFocus />
      {draft.way === 'unattended' ? (
        <UnattendedFields choices={choices} {...fields} />
      ) : (
        <NumberField {...fields} field="settle" label={t('start.settle')} hint={t('start.settleHint')} />
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
