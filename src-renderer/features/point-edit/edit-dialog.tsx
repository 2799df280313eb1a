import { Button, Modal, Text } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../api/hooks.ts';
import { type SmallColumn, SmallTable } from '../../ui/data-grid/small-table.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { useSettingName } from '../../ui/form/field-text.ts';
import frame from '../../ui/form/form-frame.module.css';
import { serviceIssues } from '../../ui/form/issues.ts';
import { guideTo } from '../guide/guide.ts';
import { Refusals } from '../point-form/refusals.tsx';
import type { BulkChange, BulkInput, EditPlan, PlannedLine } from './edit-plan.ts';
import { useOfferUndo } from './history.tsx';
import classes from './point-edit.module.css';

/** Lines of a preview; the count says how many there are. */
const MOST_LINES = 100;

interface EditDialogProps {
  readonly channelId: number;
  readonly kind: NonNullable<BulkInput['kind']>;
  readonly title: string;
  readonly hint?: string;
  readonly plan: EditPlan;
  /** Why the plan cannot be carried out, in words. */
  readonly problem?: string | null;
  readonly applyWords?: string;
  readonly children: ReactNode;
  onClose(): void;
}

function Preview({ lines }: { readonly lines: readonly PlannedLine[] }) {
  const { t } = useTranslation('edit');
  const columns: readonly SmallColumn<PlannedLine>[] = [
    { id: 'code', name: t('column.code'), isRowHeader: true, cell: ({ code }) => code },
    { id: 'before', name: t('column.before'), cell: ({ before }) => before || <span className={classes.nothing}>{t('empty')}</span> },
    { id: 'after', name: t('column.after'), cell: ({ after }) => after || <span className={classes.nothing}>{t('empty')}</span> },
  ];
  return (
    <>
      <div className={classes.preview}>
        <SmallTable
          label={t('preview')}
          columns={columns}
          rows={lines.slice(0, MOST_LINES)}
          keyOf={({ key }) => key}
          empty={t('none')}
          testId="edit-preview"
        />
      </div>
      <Text size="xs" c="dimmed" mih={18}>
        {lines.length > MOST_LINES ? t('first', { count: MOST_LINES }) : ''}
      </Text>
    </>
  );
}

/** A dialog that changes many points in one step: its fields, what would change, and what the service says to it. */
export function EditDialog({ channelId, kind, title, hint, plan, problem = null, applyWords, children, onClose }: EditDialogProps) {
  const { t } = useTranslation(['edit', 'app']);
  const [sent, setSent] = useState<readonly BulkChange[]>([]);
  const save = useAction('bulkPoints', ['pointTable', 'listChannels', 'pointHistory']);
  const offerUndo = useOfferUndo(channelId);
  const labelOf = useSettingName();
  const issues = save.error ? serviceIssues(save.error) : {};
  const isReady = plan.changes.length > 0 && problem === null;
  const codes = new Map(plan.lines.map(({ code, key }) => [key.split(' ')[0], code]));

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!isReady || save.isPending) return;
    setSent(plan.changes);
    save.mutate(
      { channel_id: channelId, changes: [...plan.changes], kind },
      {
        onSuccess: ({ data }) => {
          offerUndo(t('edit:done', { count: plan.changes.length }), data.step_id);
          onClose();
        },
      },
    );
  }

  return (
    <Modal
      {...guideTo('point-tables')}
      opened
      onClose={onClose}
      size={640}
      title={title}
      closeButtonProps={{ 'aria-label': t('app:action.close') }}
    >
      <form onSubmit={submit} noValidate data-testid={`${kind}-form`}>
        <div className={frame.fields}>
          {hint === undefined ? null : (
            <Text size="xs" c="dimmed">
              {hint}
            </Text>
          )}
          {children}
          <Preview lines={plan.lines} />
        </div>
        <div className={frame.footer}>
          {Object.keys(issues).length > 0 ? (
            <Refusals
              issues={issues}
              codeAt={(index) => {
                const change = sent[index];
                return change?.op === 'add' ? change.point.code : codes.get(String(change?.point_id ?? ''));
              }}
              labelOf={labelOf}
              testId="edit-refusals"
            />
          ) : (
            <ErrorNotice error={save.error} compact />
          )}
          <div className={frame.buttons}>
            <Text size="xs" mr="auto" c={problem ? 'red' : 'dimmed'} aria-live="polite" data-testid="edit-count">
              {problem ?? t('edit:changes', { count: plan.lines.length })}
            </Text>
            <Button variant="default" onClick={onClose}>
              {t('app:action.cancel')}
            </Button>
            <Button type="submit" disabled={!isReady} loading={save.isPending} data-testid="edit-apply">
              {applyWords ?? t('edit:apply')}
            </Button>
          </div>
        </div>
      </form>
    </Modal>
  );
}
