import { Button, Loader } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Comparison, SideFacts } from '#shared/contract/table-compare.ts';
import { Icon } from '../../ui/icons.tsx';
import classes from './compare.module.css';
import type { CompareState } from './use-compare.ts';

interface CompareHeadProps {
  readonly state: CompareState;
  readonly result: Comparison;
  nameOf(side: SideFacts): string;
}

/** Which tables were compared, and the way to compare them anew, the other way round, or others. */
export function CompareHead({ state, result, nameOf }: CompareHeadProps) {
  const { t } = useTranslation('tables');
  return (
    <div className={classes.line}>
      <span className={classes.names} data-testid="compare-names">
        <span className="lc-ellipsis">{nameOf(result.before)}</span>
        <span className={classes.muted}>{t('compare.points', { count: result.before.points })}</span>
        <Icon name="right" size={14} />
        <span className="lc-ellipsis">{nameOf(result.after)}</span>
        <span className={classes.muted}>{t('compare.points', { count: result.after.points })}</span>
      </span>
      {state.isComparing ? <Loader size="xs" /> : null}
      <Button
        size="compact-xs"
        variant="default"
        onClick={state.swap}
        disabled={state.sides.after.of === 'step'}
        data-testid="compare-swap"
      >
        {t('compare.swap')}
      </Button>
      <Button size="compact-xs" variant="default" onClick={state.run} data-testid="compare-again">
        {t('compare.again')}
      </Button>
      <Button size="compact-xs" variant="default" onClick={state.leave}>
        {t('compare.others')}
      </Button>
    </div>
  );
}
