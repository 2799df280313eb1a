import { useTranslation } from 'react-i18next';
import type { FindJob, FindNote } from '#shared/contract/jobs.ts';
import { FIND_MESSAGES } from '#shared/domain/find.ts';
import { paramsInWords, useWords } from '../../i18n/words.ts';
import classes from './find.module.css';

/** What a search has found, one line a device. */
export function FoundTable({ job }: { readonly job: FindJob }) {
  const { t } = useTranslation('tools');
  const words = useWords();
  const isOver = job.state !== 'running';
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area has to be reachable by keyboard (WCAG 2.1.1)
    <section className={classes.found} tabIndex={0} aria-label={t('find.found', { count: job.findings.length })}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('find.slave')}</th>
            <th scope="col">{t('find.line')}</th>
            <th scope="col">{t('find.how')}</th>
            <th scope="col">{t('find.latency')}</th>
            <th scope="col">{t('find.identity')}</th>
          </tr>
        </thead>
        <tbody>
          {job.findings.map((device) => (
            <tr key={`${device.line} ${device.slave_id}`} data-testid="found-device" data-slave={device.slave_id}>
              <td className="lc-mono">{device.address}</td>
              <td className="lc-mono">{device.line}</td>
              <td title={words(device.detail_message, device.detail) || undefined}>{t(`find.hows.${device.how}`)}</td>
              <td>{device.latency_ms === null ? '–' : `${device.latency_ms} ms`}</td>
              <td className="lc-ellipsis" title={device.identity || undefined}>
                {device.identity || '–'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {job.findings.length === 0 ? <p className={classes.nothing}>{t(isOver ? 'find.nothing' : 'find.notYet')}</p> : null}
    </section>
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

/** What the search remarks beside what it found; nothing where there is nothing. */
export function FoundNotes({ job }: { readonly job: FindJob }) {
  const { t } = useTranslation('tools');
  if (job.notes.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area has to be reachable by keyboard (WCAG 2.1.1)
    <section className={classes.notes} tabIndex={0} aria-label={t('find.noteList')}>
      <ul>
        {job.notes.map((note, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: notes are only ever added at the end
          <Note key={index} note={note} />
        ))}
      </ul>
    </section>
  );
}
