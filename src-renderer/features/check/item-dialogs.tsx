import { Checkbox, Select, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CheckItem, CheckSession } from '#shared/contract/check.ts';
import { CHECK_VERDICTS, type CheckVerdict } from '#shared/domain/check.ts';
import { type AppError, toAppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';
import { useAction } from '../../api/hooks.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { notifyDone, notifyProblem } from '../../ui/notify.ts';
import classes from './check.module.css';
import { CheckForm } from './check-form.tsx';
import { draftOf, type ExpectationDraft, kindsFor, readExpectation } from './expectation-draft.ts';
import { ExpectationFields } from './expectation-fields.tsx';
import { OperatorField, useOperator } from './operator-field.tsx';

interface ItemsProps {
  readonly session: CheckSession;
  /** At least one. */
  readonly items: readonly CheckItem[];
  onClose(): void;
}

const CHANGED = ['checkItems', 'listChecks', 'checkSummary', 'checkHistory'] as const;

const targetOf = ({ session, items }: ItemsProps) => ({ session_id: session.id, items: items.map(({ item }) => item) });
const namesOf = ({ items }: ItemsProps) => ({ count: items.length, code: items[0]?.code ?? '' });

/** Expectation and group of one item, or the same of many. */
export function EditItems(props: ItemsProps) {
  const { t } = useTranslation('check');
  const { items, onClose } = props;
  const [first] = items;
  const kinds = kindsFor(items.map(({ frame_type }) => frame_type));
  const present = first?.expectation ?? { kind: 'states' as const, states: [0, 1] };
  const kind = kinds.find((each) => each === present.kind) ?? kinds[0];
  const [draft, setDraft] = useState<ExpectationDraft>(() => draftOf(kind ?? 'states', present));
  const [changesExpectation, setChangesExpectation] = useState(kind !== undefined && items.length === 1);
  const [changesGroup, setChangesGroup] = useState(false);
  const [group, setGroup] = useState(first?.group ?? '');
  const save = useAction('editCheckItems', CHANGED);
  const { issues, expectation } = readExpectation(draft);
  const isReady = (changesExpectation || changesGroup) && !(changesExpectation && expectation === null);
  return (
    <CheckForm
      title={t('edit.title', namesOf(props))}
      testId="check-items-edit"
      error={save.error}
      isPending={save.isPending}
      doWords={t('form.save')}
      onClose={onClose}
      onSubmit={() => {
        if (!isReady) return;
        save.mutate(
          { ...targetOf(props), ...(changesExpectation && expectation ? { expectation } : {}), ...(changesGroup ? { group } : {}) },
          {
            onSuccess: ({ data }) => {
              notifyDone(t('edit.changed', { count: data.changed }));
              onClose();
            },
          },
        );
      }}
    >
      <div className={classes.whole}>
        <Checkbox
          label={t('edit.changesExpectation')}
          checked={changesExpectation}
          disabled={kind === undefined}
          onChange={(event) => setChangesExpectation(event.currentTarget.checked)}
          data-path="changes_expectation"
        />
      </div>
      {changesExpectation ? (
        <ExpectationFields
          kinds={kinds}
          draft={draft}
          issues={issues}
          onKind={(next) => setDraft(draftOf(next, present))}
          onChange={(change) => setDraft((before) => ({ ...before, ...change }))}
        />
      ) : null}
      <div className={classes.whole}>
        <Checkbox
          label={t('edit.changesGroup')}
          checked={changesGroup}
          onChange={(event) => setChangesGroup(event.currentTarget.checked)}
          data-path="changes_group"
        />
      </div>
      {changesGroup ? (
        <div className={classes.whole}>
          <TextInput
            label={t('form.group')}
            value={group}
            maxLength={100}
            onChange={(event) => setGroup(event.currentTarget.value)}
            data-path="group"
          />
        </div>
      ) : null}
    </CheckForm>
  );
}

/** Puts items in front of another one, or behind all. */
export function MoveItems(props: ItemsProps) {
  const { t } = useTranslation('check');
  const { session, items, onClose } = props;
  const client = useQueryClient();
  const [code, setCode] = useState('');
  const [goesLast, setGoesLast] = useState(false);
  const wanted = code.trim();
  const move = useMutation<void, AppError>({
    mutationFn: async () => {
      const moved = new Set(items.map(({ item }) => item));
      let before: string | null = null;
      if (!goesLast) {
        const { data } = await api.call('checkItems', { session_id: session.id, search: wanted, page_size: 1000 });
        const found = data.items.find((item) => item.code === wanted && !moved.has(item.item));
        if (!found) {
          notifyProblem(t('move.none', { code: wanted }));
          return;
        }
        before = found.item;
      }
      await api.call('editCheckItems', { ...targetOf(props), before });
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['checkItems'] }),
    retry: false,
  });
  return (
    <CheckForm
      title={t('move.title', namesOf(props))}
      testId="check-items-move"
      size={460}
      error={move.error}
      isPending={move.isPending}
      doWords={t('move.do')}
      onClose={onClose}
      onSubmit={() => (goesLast || wanted !== '' ? move.mutate() : undefined)}
    >
      <div className={classes.whole}>
        <TextInput
          label={t('move.before')}
          value={code}
          disabled={goesLast}
          maxLength={200}
          onChange={(event) => setCode(event.currentTarget.value)}
          data-autofocus
          data-path="before"
        />
      </div>
      <div className={classes.whole}>
        <Checkbox label={t('move.end')} checked={goesLast} onChange={(event) => setGoesLast(event.currentTarget.checked)} />
      </div>
    </CheckForm>
  );
}

/** Takes items without results out of the session, after a question. */
export function RemoveItems(props: ItemsProps) {
  const { t } = useTranslation('check');
  const remove = useAction('removeCheckItems', CHANGED);
  return (
    <ConfirmDialog
      opened
      danger
      title={t('removeTitle')}
      confirmLabel={t('removeDo')}
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(targetOf(props), { onSuccess: props.onClose })}
      onClose={props.onClose}
    >
      <Text>{t('removeText', namesOf(props))}</Text>
    </ConfirmDialog>
  );
}

/** Appends what a person says of items, one after the other; the first that is refused ends it. */
function useAppend(props: ItemsProps) {
  const { t } = useTranslation('check');
  const client = useQueryClient();
  const { items, session, onClose } = props;
  return useMutation<void, AppError, { verdict: CheckVerdict; operator: string; remark: string }>({
    mutationFn: async (said) => {
      for (const [done, { item, code }] of items.entries()) {
        try {
          await api.call('enterCheckResult', { session_id: session.id, item, ...said });
        } catch (thrown) {
          if (items.length > 1) notifyProblem(t('result.partly', { done, count: items.length, code }));
          throw toAppError(thrown);
        }
      }
      notifyDone(t('result.appended', { count: items.length }));
      onClose();
    },
    onSettled: () => Promise.all(CHANGED.map((key) => client.invalidateQueries({ queryKey: [key] }))),
    retry: false,
  });
}

/** A result by hand, of one item or the same of many. */
export function EnterResult(props: ItemsProps) {
  const { t } = useTranslation('check');
  const [verdict, setVerdict] = useState<CheckVerdict>('passed');
  const [remark, setRemark] = useState('');
  const operator = useOperator();
  const [isTried, setTried] = useState(false);
  const append = useAppend(props);
  const needsReason = verdict === 'accepted' && remark.trim() === '';
  return (
    <CheckForm
      title={t('result.title', namesOf(props))}
      testId="check-result"
      size={520}
      error={append.error}
      isPending={append.isPending}
      doWords={t('result.append')}
      onClose={props.onClose}
      onSubmit={() => {
        setTried(true);
        if (operator !== '' && !needsReason) append.mutate({ verdict, operator, remark: remark.trim() });
      }}
    >
      <Text size="xs" c="dimmed" className={classes.whole ?? ''}>
        {t('result.hint')}
      </Text>
      <Select
        label={t('result.verdict')}
        data={CHECK_VERDICTS.map((value) => ({ value, label: t(`verdict.${value}`) }))}
        value={verdict}
        allowDeselect={false}
        onChange={(next) => setVerdict(CHECK_VERDICTS.find((each) => each === next) ?? 'passed')}
        data-autofocus
        data-path="verdict"
      />
      <OperatorField isTried={isTried} />
      <div className={classes.whole}>
        <Textarea
          label={t('result.remark')}
          value={remark}
          maxLength={2000}
          rows={3}
          error={isTried && needsReason ? t('result.reason') : null}
          onChange={(event) => setRemark(event.currentTarget.value)}
          data-path="remark"
        />
      </div>
    </CheckForm>
  );
}
