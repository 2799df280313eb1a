import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { DocumentReport } from '#shared/contract/iec61850.ts';
import { issueMessage } from '#shared/domain/errors.ts';
import { useWords } from '../../i18n/words.ts';
import classes from './model.module.css';

/** What a file has that is allowed and probably worth a look; nothing where there is nothing. */
export function DocumentWarnings({ warnings }: Pick<DocumentReport, 'warnings'>) {
  const { t } = useTranslation('model');
  const words = useWords();
  if (warnings.length === 0) return null;
  return (
    <section className={classes.warnings} aria-label={t('document.warnings')}>
      <Text size="sm" fw={600}>
        {t('document.warnings')}
      </Text>
      <ul>
        {warnings.map((warning) => (
          <li key={`${warning.path} ${warning.message}`}>
            {warning.path ? `${warning.path}: ` : ''}
            {words(issueMessage(warning), warning.message)}
          </li>
        ))}
      </ul>
    </section>
  );
}
