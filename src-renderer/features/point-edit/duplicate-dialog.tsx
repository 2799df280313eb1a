import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProtocolDescriptor } from '#shared/contract/channels.ts';
import type { Point } from '#shared/contract/points.ts';
import { usePointTexts } from '../point-form/point-form.tsx';
import { type CopyRule, duplicatePlan, suggestedRule } from './duplicate-model.ts';
import { EditDialog } from './edit-dialog.tsx';
import { NOTHING } from './edit-plan.ts';
import classes from './point-edit.module.css';

interface DuplicateDialogProps {
  readonly channelId: number;
  readonly points: readonly Point[];
  readonly descriptor: ProtocolDescriptor;
  onClose(): void;
}

/** Most points that one request adds. */
const MOST_MADE = 100_000;
const FIELDS = ['copies', 'addressStep', 'slaveStep', 'codeStep'] as const;
/** A step of 0 means something where the place of a copy may be the same in another way. */
const LEAST = { copies: 1, addressStep: -MOST_MADE, slaveStep: 0, codeStep: 1 } as const;

/** Copies of the selected points, each a step further. */
export function DuplicateDialog({ channelId, descriptor, points, onClose }: DuplicateDialogProps) {
  const { t } = useTranslation('edit');
  const slave = usePointTexts(descriptor).slave_id?.label ?? '';
  const [rule, setRule] = useState<CopyRule>(() => suggestedRule(points));
  const count = rule.copies * points.length;
  const isTooMany = count > MOST_MADE;
  return (
    <EditDialog
      channelId={channelId}
      kind="duplicate"
      title={t('duplicate.title', { count: points.length })}
      hint={t('duplicate.hint')}
      plan={isTooMany ? NOTHING : duplicatePlan(points, rule)}
      problem={isTooMany ? t('duplicate.tooMany', { count, max: MOST_MADE }) : null}
      onClose={onClose}
    >
      <div className={classes.row}>
        {FIELDS.map((field) => (
          <NumberInput
            key={field}
            label={field === 'slaveStep' ? t('duplicate.slaveStep', { slave }) : t(`duplicate.${field}`)}
            value={rule[field]}
            onChange={(value) => setRule({ ...rule, [field]: Number(value) || 0 })}
            allowDecimal={false}
            min={LEAST[field]}
            data-path={`duplicate_${field}`}
            {...(field === 'copies' ? { 'data-autofocus': true } : {})}
          />
        ))}
      </div>
    </EditDialog>
  );
}
