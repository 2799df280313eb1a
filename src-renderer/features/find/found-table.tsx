import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { FindJob, FindNote } from '#shared/contract/jobs.ts';
import { FIND_MESSAGES } from '#shared/domain/find.ts';
import { paramsInWords, useWords } from '../../i18n/words.ts';
import { type GridColumn, textColumn } from '../../ui/data-grid/column.ts';
import { DataGrid } from '../../ui/data-grid/data-grid.tsx';
import { useLocalRows } from '../../ui/data-grid/rows.ts';
import { Icon } from '../../ui/icons.tsx';
import classes from './find.module.css';

type Device = FindJob['findings'][number];

const idOf = (device: Device) => `${device.line} ${device.slave_id}`;
const rowProps = (device: Device) => ({ 'data-testid': 'found-device', 'data-slave': device.slave_id });

/** What a search has found, one line a device. */
export function FoundTable({ job }: { readonly job: FindJob }) {
  const { t } = useTranslation('tools');
  const words = useWords();
  const rows = useLocalRows(job.findings, idOf);
  const columns = useMemo((): readonly GridColumn<Device>[] => {
    const column = textColumn<Device>;
    return [
      column('address', t('find.slave'), 120, (device) => device.address),
      column('line', t('find.line'), 190, (device) => device.line),
      {
        ...column('how', t('find.how'), 130, (device) => t(`find.hows.${device.how}`)),
        titleOf: (device) => words(device.detail_message, device.detail) || undefined,
      },
      column('latency', t('find.latency'), 90, (device) => (device.latency_ms === null ? '–' : `${device.latency_ms} ms`)),
      { ...column('identity', t('find.identity'), 120, (device) => device.identity || '–'), grows: 1 },
    ];
  }, [t, words]);
  return (
    <div className={classes.found}>
      <DataGrid
        name="found"
        label={t('find.found', { count: job.findings.length })}
        rows={rows}
        columns={columns}
        rowProps={rowProps}
        empty={<p className={classes.nothing}>{t(job.state === 'running' ? 'find.notYet' : 'find.nothing')}</p>}
      />
    </div>
  );
}

/** A collision or noise that the search met, in the language of the page. */
function Note({ note }: { readonly note: FindNote }) {
  const { t } = useTranslation('tools');
  // every code has its own parameters; the types of one stand for all
  const say = (part: 'text' | 'next') =>
    t(`find.notes.${note.code}.${part}` as 'find.notes.FIND_TWO.text', paramsInWords(note.params) as { pattern: string });
  return (
    <li data-testid="find-note" data-code={note.code}>
      {say('text')}
      {'next' in FIND_MESSAGES[note.code] ? <span className={classes.next}> {say('next')}</span> : null}
    </li>
  );
}

/** What the search remarks beside what it found, another master first; nothing where there is nothing. */
export function FoundNotes({ job }: { readonly job: FindJob }) {
  const { t } = useTranslation('tools');
  if (job.notes.length === 0 && !job.other_master) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area has to be reachable by keyboard (WCAG 2.1.1)
    <section className={classes.notes} tabIndex={0} aria-label={t('find.noteList')}>
      {job.other_master ? (
        <p className={classes.warning} role="alert">
          <Icon name="warn" size={14} />
          {t('find.otherMaster')}
        </p>
      ) : null}
      <ul>
        {job.notes.map((note, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: notes are only ever added at the end
          <Note key={index} note={note} />
        ))}
      </ul>
    </section>
  );
}
