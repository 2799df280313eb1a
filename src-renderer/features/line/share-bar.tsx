import { useTranslation } from 'react-i18next';
import classes from './line.module.css';
import { formatPercent } from './line-text.ts';

/** A share of the line as a bar over the whole line: light what is in use, dark what its octets take. Numbers stand beside it. */
export function ShareBar({ load, busy }: { readonly load: number | null; readonly busy: number }) {
  const { t } = useTranslation('line');
  return (
    <div className={classes.bar} role="img" aria-label={t('shareText', { load: formatPercent(load), busy: formatPercent(busy) })}>
      <div className={classes.busy} style={{ width: `${busy}%` }} />
      <div className={classes.load} style={{ width: `${load ?? 0}%` }} />
    </div>
  );
}
