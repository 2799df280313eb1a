import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../ui/icons.tsx';

/** Says that what is sent, or was sent, is a test. */
export function TestMark() {
  const { t } = useTranslation('points');
  return (
    <Alert color="amber" p="xs" icon={<Icon name="warn" size={18} />} title={t('write.testBadge')} data-testid="write-test">
      {t('write.testText')}
    </Alert>
  );
}
