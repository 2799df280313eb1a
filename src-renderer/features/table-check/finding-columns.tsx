import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { TableFinding } from '#shared/contract/table-check.ts';
import { hexAddress } from '#shared/domain/notation.ts';
import { type GridColumn, textColumn } from '../../ui/data-grid/column.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { termsOf, useNotation } from '../channels/protocol-facts.ts';
import { useFieldWords } from '../point-files/field-changes.ts';
import { issueText } from '../point-files/issue-text.ts';
import classes from './table-check.module.css';

const ICONS: Readonly<Record<TableFinding['severity'], IconName>> = { error: 'bad', warning: 'warn', hint: 'info' };

interface FindingActions {
  onMend(finding: TableFinding): void;
  onIgnore(finding: TableFinding): void;
}

/** What was found, at which point, and what can be done at once. */
export function useFindingColumns(
  protocolType: Channel['protocol_type'],
  { onMend, onIgnore }: FindingActions,
): readonly GridColumn<TableFinding>[] {
  const { t } = useTranslation(['tables', 'fields']);
  const { t: ruleWords } = useTranslation('files');
  const notation = useNotation(protocolType);
  const { lineOf } = useFieldWords(protocolType);
  return useMemo(() => {
    const terms = termsOf(notation);
    const isHex = notation.address.form === 'hexadecimal';
    const isNamed = notation.address.form === 'reference';
    const place = ({ address, reference }: TableFinding) => (isNamed ? reference : isHex ? hexAddress(address, notation) : String(address));
    const words = (finding: TableFinding) => issueText(finding, ruleWords, terms);
    const mended = ({ mend }: TableFinding) => (mend ? lineOf(mend) : '');
    const column = textColumn<TableFinding>;
    return [
      {
        ...column('severity', t('tables:check.severity.label'), 96, ({ severity }) => t(`tables:check.one.${severity}`)),
        cell: ({ severity }) => (
          <span className={classes[severity]}>
            <Icon name={ICONS[severity]} size={13} /> {t(`tables:check.one.${severity}`)}
          </span>
        ),
      },
      { ...column('code', t('tables:compare.column.code'), 130, ({ code }) => code), className: 'lc-mono', isRowHeader: true },
      {
        ...column('address', t('fields:place.address', { context: terms.address }), isNamed ? 180 : 84, place),
        ...(isNamed ? {} : { align: 'right' as const }),
      },
      { ...column('found', t('tables:check.found'), 320, words), grows: 3 },
      { ...column('mend', t('tables:check.mendWords'), 190, mended), grows: 1 },
      {
        id: 'actions',
        name: '',
        width: 152,
        isFixed: true,
        cell: (finding) => (
          <span className={classes.actions}>
            {finding.mend ? (
              <Button
                size="compact-xs"
                variant="light"
                tabIndex={-1}
                title={t('tables:check.mendHint', { change: mended(finding) })}
                onClick={() => onMend(finding)}
                data-testid="mend"
              >
                {t('tables:check.mend')}
              </Button>
            ) : null}
            <Button size="compact-xs" variant="subtle" color="gray" tabIndex={-1} onClick={() => onIgnore(finding)} data-testid="ignore">
              {finding.ignored ? t('tables:check.bring') : t('tables:check.ignore')}
            </Button>
          </span>
        ),
      },
    ];
  }, [t, ruleWords, notation, lineOf, onMend, onIgnore]);
}
