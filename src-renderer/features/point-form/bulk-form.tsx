import { Button, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel, ProtocolDescriptor } from '#shared/contract/channels.ts';
import { operations } from '#shared/contract/index.ts';
import type { Point } from '#shared/contract/points.ts';
import { useAction } from '../../api/hooks.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { useFieldText } from '../../ui/form/field-text.ts';
import frame from '../../ui/form/form-frame.module.css';
import { issueText, serviceIssues } from '../../ui/form/issues.ts';
import type { FieldSpec } from '../../ui/form/schema-field.ts';
import grid from '../../ui/form/schema-fields.module.css';
import { useOfferUndo } from '../point-edit/history.tsx';
import { FRAME_TYPE_LETTERS } from '../points/point-text.ts';
import { BulkField } from './bulk-field.tsx';
import { type BulkEdit, type BulkEntries, bulkEdits, bulkSpecs, commonText } from './bulk-model.ts';
import { usePointTexts } from './point-form.tsx';
import { pointSpec } from './point-form-model.ts';
import { closePointForm } from './point-form-store.ts';
import { Refusals } from './refusals.tsx';

interface BulkFormProps {
  readonly channel: Channel;
  readonly descriptor: ProtocolDescriptor;
  readonly points: readonly Point[];
}

/** The request of these edits, or what is wrong with a field by the contract, in words. */
function useRequest(channelId: number, edits: readonly BulkEdit[]) {
  const { t } = useTranslation('fields');
  const parsed = operations.editPoints.body.safeParse({ channel_id: channelId, points: edits });
  const wrong: Record<string, string> = {};
  if (parsed.success || edits.length === 0) return { request: parsed.data, wrong };
  for (const issue of parsed.error.issues) {
    const [, index, field] = issue.path;
    const name = String(field);
    wrong[name] ??= issueText(t, issue, pointSpec(name), edits[Number(index)]?.[name]);
  }
  return { request: undefined, wrong };
}

/** Settings of many points at once: what is left alone stays, what is entered is set in all of them, in one step of the service. */
export function BulkForm({ channel, descriptor, points }: BulkFormProps) {
  const { t } = useTranslation(['fields', 'app']);
  const [entries, setEntries] = useState<BulkEntries>({});
  const [sent, setSent] = useState<readonly BulkEdit[]>([]);
  const offerUndo = useOfferUndo(channel.id);
  const textOf = useFieldText();
  const texts = usePointTexts(descriptor);
  const save = useAction('editPoints', ['pointTable', 'listChannels', 'pointHistory']);
  const specs = bulkSpecs(descriptor, points);
  const types = [...new Set(points.map(({ frame_type }) => frame_type))].sort().map((type) => FRAME_TYPE_LETTERS[type]);
  const { edits, problems } = bulkEdits(points, specs, entries);
  const issues = save.error ? serviceIssues(save.error) : {};
  const { request, wrong } = useRequest(channel.id, edits);
  const isReady = edits.length > 0 && Object.keys(problems).length === 0 && request !== undefined;
  const wordsOf = (spec: FieldSpec) => ({ ...textOf(spec, false), ...texts[spec.key] });
  const labelOf = (field: string) => {
    const spec = specs.find((each) => each.key === field);
    return spec ? wordsOf(spec).label : field;
  };

  function enter(key: string, entry: string | undefined) {
    // what was refused is not what stands here now
    if (save.error) save.reset();
    const { [key]: _, ...others } = entries;
    setEntries(entry === undefined ? others : { ...others, [key]: entry });
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!isReady || request === undefined) return;
    setSent(edits);
    save.mutate(request, {
      onSuccess: ({ data }) => {
        offerUndo(t('fields:bulk.changed', { count: data.items.length }), data.step_id);
        closePointForm();
      },
    });
  }

  return (
    <form onSubmit={submit} noValidate data-testid="bulk-form">
      <div className={frame.fields}>
        <Text size="xs" c="dimmed" mb="xs">
          {t('fields:bulk.hint')}
        </Text>
        {types.length > 1 ? (
          <Text size="xs" fw={600} mb="xs">
            {t('fields:bulk.types', { types: types.join(', ') })}
          </Text>
        ) : null}
        <div className={grid.grid}>
          {specs.map((spec, place) => {
            const problem = problems[spec.key];
            return (
              <div key={spec.key} className={grid.half}>
                <BulkField
                  spec={spec}
                  text={wordsOf(spec)}
                  common={commonText(points, spec, descriptor.hints)}
                  entry={entries[spec.key]}
                  isFirst={place === 0}
                  error={problem ? t(`fields:bulk.problem.${problem}`) : (wrong[spec.key] ?? null)}
                  onChange={(entry) => enter(spec.key, entry)}
                />
              </div>
            );
          })}
        </div>
      </div>
      <div className={frame.footer}>
        {Object.keys(issues).length > 0 ? (
          <Refusals
            issues={issues}
            codeAt={(index) => points.find(({ id }) => id === sent[index]?.point_id)?.code}
            labelOf={labelOf}
            testId="bulk-refusals"
          />
        ) : (
          <ErrorNotice error={save.error} compact />
        )}
        <div className={frame.buttons}>
          <Text size="xs" mr="auto" c="dimmed" aria-live="polite" data-testid="bulk-count">
            {t('fields:bulk.count', { count: edits.length, total: points.length })}
          </Text>
          <Button variant="default" onClick={closePointForm}>
            {t('app:action.cancel')}
          </Button>
          <Button type="submit" disabled={!isReady} loading={save.isPending} data-testid="bulk-save">
            {t('app:action.save')}
          </Button>
        </div>
      </div>
    </form>
  );
}
