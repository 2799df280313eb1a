import { useTranslation } from 'react-i18next';
import type { FindJob } from '#shared/contract/jobs.ts';
import classes from './find.module.css';

/** What a search has found, one line a device. */
export function FoundTable({ job }: { readonly job: FindJob }) {
  const { t } = useTranslation('tools');
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
              <td>{device.slave_id}</td>
              <td className="lc-mono">{device.line}</td>
              <td title={device.detail || undefined}>{t(`find.hows.${device.how}`)}</td>
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
