import { NumberInput, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProtocolDescriptor } from '#shared/contract/channels.ts';
import type { Point } from '#shared/contract/points.ts';
import { useFieldText } from '../../ui/form/field-text.ts';
import { heldBy } from '../point-form/bulk-model.ts';
import { usePointTexts } from '../point-form/point-form.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { NOTHING } from './edit-plan.ts';
import { fillPlan, fillSpecs, hasSteps } from './fill-model.ts';
import classes from './point-edit.module.css';

interface FillDialogProps {
  readonly channelId: number;
  readonly descriptor: ProtocolDescriptor;
  /** In the order of the table: the first gives its value. */
  readonly points: readonly Point[];
  /** Column of the table that the keyboard stands in. */
  readonly column: string | null;
  onClose(): void;
}

/** Columns of the table that show a field under another name. */
const FIELD_OF_COLUMN: Readonly<Record<string, string>> = { hex: 'address', function: 'func_code' };

/** The value of the first selected row in the others, with a step for numbers. */
export function FillDialog({ channelId, descriptor, points, column, onClose }: FillDialogProps) {
  const { t } = useTranslation('edit');
  const specs = fillSpecs(descriptor, points);
  const asked = column === null ? null : (FIELD_OF_COLUMN[column] ?? column);
  const [field, setField] = useState(() => (specs.find(({ key }) => key === asked) ?? specs.find(({ key }) => key === 'name'))?.key ?? '');
  const [step, setStep] = useState<number | string>(0);
  const textOf = useFieldText();
  const texts = usePointTexts(descriptor);
  const wordsOf = (key: string) => {
    const spec = specs.find((each) => each.key === key);
    return spec ? { ...textOf(spec, false), ...texts[key] } : null;
  };
  const valueText = (value: unknown) => {
    const choice = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
    return choice === null ? '' : (wordsOf(field)?.choiceLabel?.(choice) ?? String(choice));
  };
  const spec = specs.find(({ key }) => key === field);
  const [first] = points;
  const plan = spec ? fillPlan(points, spec, Number(step) || 0, valueText) : NOTHING;
  return (
    <EditDialog
      channelId={channelId}
      kind="fill"
      title={t('fill.title', { count: points.length - 1 })}
      hint={t('fill.hint')}
      plan={plan}
      onClose={onClose}
    >
      <div className={classes.row}>
        <Select
          label={t('fill.field')}
          data={specs.map(({ key }) => ({ value: key, label: wordsOf(key)?.label ?? key }))}
          value={field}
          onChange={(value) => value && setField(value)}
          allowDeselect={false}
          data-path="fill_field"
        />
        <NumberInput
          label={t('fill.step')}
          value={step}
          onChange={setStep}
          disabled={!spec || !hasSteps(spec)}
          data-path="fill_step"
          data-autofocus
        />
      </div>
      <Text size="sm" data-testid="fill-value">
        {t('fill.value', { code: first?.code ?? '' })}: <b>{(first && spec ? valueText(heldBy(first, spec.key)) : '') || t('empty')}</b>
      </Text>
    </EditDialog>
  );
}
