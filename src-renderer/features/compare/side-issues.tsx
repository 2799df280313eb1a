import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Comparison, SideFacts } from '#shared/contract/table-compare.ts';
import { IssueTable } from '../point-files/issue-table.tsx';
import classes from './compare.module.css';

/** What is wrong with the file of a side, opened when somebody wants to see it. */
export function SideIssues({ side, protocolType }: { readonly side: SideFacts; readonly protocolType: Comparison['protocol_type'] }) {
  const { t } = useTranslation('tables');
  const [shown, setShown] = useState<'errors' | 'warnings' | null>(null);
  const { name, counts } = side;
  return (
    <>
      {(['errors', 'warnings'] as const).map((kind) =>
        counts[kind] > 0 ? (
          <Button
            key={kind}
            size="compact-xs"
            variant="subtle"
            color={kind === 'errors' ? 'red' : 'amber'}
            aria-expanded={shown === kind}
            onClick={() => setShown(shown === kind ? null : kind)}
            data-testid={`compare-${kind}`}
          >
            {t(`compare.${kind}`, { name, count: counts[kind] })}
          </Button>
        ) : null,
      )}
      {shown === null ? null : (
        <div className={classes.issues} style={{ flexBasis: '100%', height: 160 }}>
          <IssueTable
            issues={side[shown]}
            label={t(`compare.${shown}`, { name, count: counts[shown] })}
            filter=""
            protocolType={protocolType}
            isError={shown === 'errors'}
            hasSheets={side[shown].some(({ sheet }) => sheet !== '')}
          />
        </div>
      )}
    </>
  );
}
