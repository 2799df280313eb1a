import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { StartDraft, StartIssues } from './start-draft.ts';

/** A check that is to begin, as its fields have it. */
export interface StartFieldsProps {
  readonly draft: StartDraft;
  readonly issues: StartIssues;
  onChange(change: Partial<StartDraft>): void;
}

interface StartNumberProps extends StartFieldsProps {
  readonly field: 'settle' | 'tolerance' | 'percent' | 'limit';
  readonly label: string;
  readonly hint?: string;
}

/** A number of a check that is to begin. */
export function StartNumber({ field, draft, issues, onChange, label, hint }: StartNumberProps) {
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
