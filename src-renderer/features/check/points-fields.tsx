import { Checkbox, Group, MultiSelect, Select, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { channelPlace } from '#shared/domain/check-place.ts';
import { shownService } from '../../api/service-place.ts';
import { useFirstFound } from '../../ui/form/use-first-found.ts';
import { useChannels } from '../channels/use-channels.ts';
import { FRAME_TYPE_LETTERS } from '../points/point-text.ts';
import { useRemoteViews } from '../remotes/use-remotes.ts';
import classes from './check.module.css';
import { type DraftIssues, type PointsDraft, REFERENCES } from './points-draft.ts';

interface PointsFieldsProps {
  readonly draft: PointsDraft;
  readonly issues: DraftIssues;
  onChange(change: Partial<PointsDraft>): void;
}

/** Which points come into a session, and by what rules their expectations are made. */
export function PointsFields({ draft, issues, onChange }: PointsFieldsProps) {
  const { t } = useTranslation('check');
  const channels = useChannels().data ?? [];
  const found = useFirstFound();
  const services = useRemoteViews();
  // another service that is shown tells of no further ones
  const others = shownService === null ? services : [];
  const errorOf = (field: keyof PointsDraft) => {
    const issue = issues[field];
    if (!issue) return null;
    const { least = 0, most = 0 } = issue;
    return t(issue.key, { least, most });
  };
  const text = (field: 'group' | 'tolerance' | 'percent' | 'within', hint?: string) => (
    <TextInput
      label={t(`form.${field}`)}
      description={hint}
      value={draft[field]}
      maxLength={100}
      error={errorOf(field)}
      onChange={(event) => onChange({ [field]: event.currentTarget.value })}
      data-path={field}
    />
  );
  return (
    <>
      <div className={classes.whole}>
        <MultiSelect
          label={t('form.channels')}
          data={[
            ...channels.map(({ id, name }) => ({ value: String(id), label: name })),
            ...others.flatMap(({ id: service, name, channels: own }) =>
              own.map(({ id, name: channel }) => ({ value: `${service}:${id}`, label: channelPlace({ service: name, channel }) })),
            ),
          ]}
          value={[...draft.channels]}
          error={errorOf('channels')}
          onChange={(next) => onChange({ channels: next })}
          searchable
          {...found}
          data-path="channels"
        />
      </div>
      <div className={classes.whole}>
        <Checkbox.Group label={t('form.types')} value={[...draft.types]} error={errorOf('types')} onChange={(types) => onChange({ types })}>
          <Group gap="md" mt={4}>
            {Object.entries(FRAME_TYPE_LETTERS).map(([type, letters]) => (
              <Checkbox key={type} value={type} label={letters} data-path={`type-${letters}`} />
            ))}
          </Group>
        </Checkbox.Group>
      </div>
      <Select
        label={t('form.references')}
        data={REFERENCES.map((value) => ({ value, label: t(`form.referencesOf.${value}`) }))}
        value={draft.references}
        allowDeselect={false}
        onChange={(next) => onChange({ references: REFERENCES.find((each) => each === next) ?? 'none' })}
        data-path="references"
      />
      {text('within')}
      {text('tolerance', t('form.toleranceHint'))}
      {text('percent', t('form.percentHint'))}
      <div className={classes.whole}>{text('group', t('form.groupHint'))}</div>
    </>
  );
}
