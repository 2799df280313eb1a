import { NumberInput, Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { PublisherSettings } from '#shared/contract/publish.ts';
import classes from './publish.module.css';

type Keep = PublisherSettings['keep'];

/** What is offered first: three days. */
const AT_FIRST = { mb: 512, hours: 72 };

interface KeepFieldsProps {
  readonly keep: Keep;
  /** What the service says against a field, by its path. */
  readonly issues: Readonly<Record<string, ReactNode>>;
  /** True: the target confirms nothing, so nothing can be kept until it does. */
  readonly isUnconfirmed: boolean;
  onChange(keep: Keep): void;
}

/** Whether records wait on the disk while the target is away, and how many. */
export function KeepFields({ keep, issues, isUnconfirmed, onChange }: KeepFieldsProps) {
  const { t } = useTranslation('publish');
  return (
    <>
      <Switch
        label={t('field.keep')}
        description={t(isUnconfirmed ? 'field.keepQos' : 'field.keepHint')}
        checked={keep !== undefined}
        error={issues.keep}
        disabled={isUnconfirmed && keep === undefined}
        onChange={(event) => onChange(event.currentTarget.checked ? AT_FIRST : undefined)}
        data-testid="publisher-keep"
      />
      {keep ? (
        <div className={classes.grid}>
          <NumberInput
            label={t('field.keepMb')}
            value={keep.mb}
            onChange={(value) => onChange({ ...keep, mb: Number(value) })}
            error={issues['keep.mb']}
            min={1}
            max={10_240}
            allowDecimal={false}
            data-testid="publisher-keep-mb"
          />
          <NumberInput
            label={t('field.keepHours')}
            value={keep.hours}
            onChange={(value) => onChange({ ...keep, hours: Number(value) })}
            error={issues['keep.hours']}
            min={1}
            max={8784}
            allowDecimal={false}
            data-testid="publisher-keep-hours"
          />
        </div>
      ) : null}
    </>
  );
}
