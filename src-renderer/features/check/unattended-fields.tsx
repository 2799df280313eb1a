import { Checkbox, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { DataOf } from '#shared/contract/index.ts';
import { isServing } from '#shared/domain/enums.ts';
import { useChannels } from '../channels/use-channels.ts';
import classes from './check.module.css';
import { ReferenceFile } from './reference-file.tsx';
import { FILE_REFERENCES, OWN_REFERENCES } from './start-draft.ts';
import { type StartFieldsProps, StartNumber } from './start-number.tsx';

interface UnattendedProps extends StartFieldsProps {
  /** What the items can be compared with; undefined: not known yet. */
  readonly choices: DataOf<'checkReferences'> | undefined;
  /** What is wrong with rows of the file. */
  readonly faults: readonly string[];
}

/** What values are compared with, and how near they have to be. */
export function UnattendedFields({ choices, faults, ...props }: UnattendedProps) {
  const { t } = useTranslation('check');
  const { draft, issues, onChange } = props;
  const { items: count = 0, own = 0, channels = [] } = choices ?? {};
  const isDevice = useChannels().data?.some(({ id, conn_type }) => String(id) === draft.references && isServing(conn_type)) ?? false;
  const isFile = draft.references === FILE_REFERENCES;
  const data = [
    { value: OWN_REFERENCES, label: t('start.own', { matches: own, count }) },
    ...channels.map(({ channel_id, channel, matches }) => ({
      value: String(channel_id),
      label: t('start.otherChannel', { channel, matches, count }),
    })),
    { value: FILE_REFERENCES, label: t('start.fromFile') },
  ];
  return (
    <>
      <div className={classes.whole}>
        <Select
          label={t('start.references')}
          description={t(isFile ? 'start.fileItems' : 'start.referencesHint')}
          data={data}
          value={draft.references}
          allowDeselect={false}
          onChange={(references) => onChange({ references, traces: false })}
          data-path="references"
        />
      </div>
      {isFile ? (
        <ReferenceFile
          file={draft.file}
          issue={issues.file ? t(issues.file.key, { least: 0, most: 0 }) : null}
          faults={faults}
          onChoose={(file) => onChange({ file })}
        />
      ) : null}
      {draft.references === OWN_REFERENCES ? null : (
        <>
          <StartNumber {...props} field="tolerance" label={t('form.tolerance')} hint={t('form.toleranceHint')} />
          <StartNumber {...props} field="percent" label={t('form.percent')} hint={t('form.percentHint')} />
        </>
      )}
      {isDevice ? (
        <div className={classes.whole}>
          <Checkbox
            label={t('start.traces')}
            description={t('start.tracesHint')}
            checked={draft.traces}
            onChange={(event) => onChange({ traces: event.currentTarget.checked })}
            data-path="traces"
          />
        </div>
      ) : null}
      <StartNumber {...props} field="limit" label={t('start.limit')} hint={t('start.limitHint')} />
    </>
  );
}
