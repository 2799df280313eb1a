import { Checkbox, Loader, SegmentedControl, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Point } from '#shared/contract/points.ts';
import type { AppError } from '#shared/domain/errors.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { EditDialog } from './edit-dialog.tsx';
import classes from './point-edit.module.css';
import { REPLACED_FIELDS, type Replacement, replacePlan } from './replace-model.ts';

interface ReplaceDialogProps {
  readonly channelId: number;
  readonly selected: readonly Point[];
  /** All points that the filters of the table show; null while they come. */
  readonly filtered: readonly Point[] | null;
  /** Why they do not come. */
  readonly failure: AppError | null;
  /** How many these are. */
  readonly total: number;
  onClose(): void;
}

/** Milliseconds without a key before a table is searched. */
const TYPING_MS = 200;

const START: Replacement = { find: '', by: '', fields: REPLACED_FIELDS, isPattern: false, matchesCase: true };

/** Looks for a text in codes and names, and shows what another one in its place makes of them. */
export function ReplaceDialog({ channelId, selected, filtered, failure, total, onClose }: ReplaceDialogProps) {
  const { t } = useTranslation('edit');
  const [asked, setAsked] = useState(START);
  const [isSelection, setSelection] = useState(selected.length > 1);
  const [replacement] = useDebouncedValue(asked, TYPING_MS);
  const points = isSelection ? selected : filtered;
  const result = useMemo(() => replacePlan(points ?? [], replacement, () => performance.now()), [points, replacement]);
  const set = (change: Partial<Replacement>) => setAsked({ ...asked, ...change });
  const isWaiting = points === null || replacement !== asked;
  const problem = result.problem ? t(`find.problem.${result.problem}`) : null;
  return (
    <EditDialog
      channelId={channelId}
      kind="replace_text"
      title={t('find.title')}
      // what is not looked at yet is not sent
      plan={isWaiting ? { changes: [], lines: result.lines } : result}
      problem={problem}
      onClose={onClose}
    >
      <div className={classes.row}>
        <TextInput
          label={t('find.find')}
          value={asked.find}
          onChange={(event) => set({ find: event.currentTarget.value })}
          error={problem !== null}
          spellCheck={false}
          data-path="find"
          data-autofocus
          rightSection={points === null && failure === null ? <Loader size="xs" aria-label={t('find.loading')} /> : null}
        />
        <TextInput
          label={t('find.by')}
          value={asked.by}
          onChange={(event) => set({ by: event.currentTarget.value })}
          placeholder={asked.isPattern ? t('find.patternHint') : ''}
          spellCheck={false}
          data-path="by"
        />
      </div>
      {isSelection ? null : <ErrorNotice error={failure} compact />}
      <div className={classes.checks}>
        {REPLACED_FIELDS.map((field) => (
          <Checkbox
            key={field}
            label={t(`find.${field}`)}
            checked={asked.fields.includes(field)}
            onChange={({ currentTarget: { checked } }) =>
              set({ fields: REPLACED_FIELDS.filter((each) => (each === field ? checked : asked.fields.includes(each))) })
            }
            data-path={`in_${field}`}
          />
        ))}
        <Checkbox
          label={t('find.matchCase')}
          checked={asked.matchesCase}
          onChange={(event) => set({ matchesCase: event.currentTarget.checked })}
        />
        <Checkbox
          label={t('find.pattern')}
          checked={asked.isPattern}
          onChange={(event) => set({ isPattern: event.currentTarget.checked })}
          data-path="is_pattern"
        />
      </div>
      <SegmentedControl
        aria-label={t('find.scope')}
        data={[
          { value: 'selection', label: t('find.selection', { count: selected.length }), disabled: selected.length === 0 },
          { value: 'filtered', label: t('find.filtered', { count: total }) },
        ]}
        value={isSelection ? 'selection' : 'filtered'}
        onChange={(value) => setSelection(value === 'selection')}
        data-testid="find-scope"
      />
    </EditDialog>
  );
}
