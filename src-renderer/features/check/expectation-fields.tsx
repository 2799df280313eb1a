import { Checkbox, Select, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './check.module.css';
import type { ExpectationDraft, ExpectationIssues, ExpectationKind } from './expectation-draft.ts';

interface ExpectationFieldsProps {
  readonly kinds: readonly ExpectationKind[];
  readonly draft: ExpectationDraft;
  readonly issues: ExpectationIssues;
  onKind(kind: ExpectationKind): void;
  onChange(change: Partial<ExpectationDraft>): void;
}

type TextName = 'values' | 'states' | 'text' | 'send' | 'feedback' | 'within' | 'count' | 'tolerance' | 'percent';

/** Fields of each kind, in their order. */
const FIELDS: Readonly<Record<ExpectationKind, readonly TextName[]>> = {
  values: ['values', 'tolerance', 'percent'],
  states: ['states'],
  text: ['text'],
  command: ['send', 'feedback', 'within'],
  setpoint: ['send', 'tolerance', 'percent'],
  pulse: ['count', 'tolerance'],
};

/** What has to be seen, as fields of its kind. */
export function ExpectationFields({ kinds, draft, issues, onKind, onChange }: ExpectationFieldsProps) {
  const { t } = useTranslation('check');
  const words = (name: TextName): { label: string; hint?: string } => {
    switch (name) {
      case 'values':
        return { label: t('edit.values'), hint: t('edit.valuesHint') };
      case 'states':
        return { label: t('edit.states'), hint: t('edit.statesHint') };
      case 'text':
        return { label: t('edit.text') };
      case 'send':
        return draft.kind === 'setpoint' ? { label: t('edit.send'), hint: t('edit.sendHint') } : { label: t('edit.send') };
      case 'feedback':
        return { label: t('edit.feedback'), hint: t('edit.feedbackHint') };
      case 'within':
        return { label: t('form.within') };
      case 'count':
        return { label: t('edit.count') };
      case 'tolerance':
        return { label: t('form.tolerance'), hint: t('form.toleranceHint') };
      case 'percent':
        return { label: t('form.percent'), hint: t('form.percentHint') };
    }
  };
  const errorOf = (name: TextName) => {
    const issue = issues[name];
    if (!issue) return null;
    return t(issue.key, { least: 0, most: 0, ...issue });
  };
  return (
    <>
      <div className={classes.whole}>
        <Select
          label={t('edit.kind')}
          data={kinds.map((kind) => ({ value: kind, label: t(`kind.${kind}`) }))}
          value={draft.kind}
          allowDeselect={false}
          onChange={(next) => {
            const kind = kinds.find((each) => each === next);
            if (kind) onKind(kind);
          }}
          data-path="kind"
        />
      </div>
      {FIELDS[draft.kind].map((name) => {
        const { label, hint } = words(name);
        return (
          <div key={name} className={name === 'values' || name === 'states' || name === 'text' ? classes.whole : undefined}>
            <TextInput
              label={label}
              description={hint}
              value={draft[name]}
              maxLength={500}
              error={errorOf(name)}
              onChange={(event) => onChange({ [name]: event.currentTarget.value })}
              data-path={name}
            />
          </div>
        );
      })}
      {draft.kind === 'setpoint' ? (
        <div className={classes.whole}>
          <Checkbox
            label={t('edit.restore')}
            checked={draft.restore}
            onChange={(event) => onChange({ restore: event.currentTarget.checked })}
          />
        </div>
      ) : null}
    </>
  );
}
