import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Publisher } from '#shared/contract/publish.ts';
import { shownNumber } from '../../ui/number.ts';
import { Said } from '../../ui/said.tsx';

const MIB = 1024 * 1024;

/** What of a publisher waits on the disk, and why it does not where it cannot. */
export function BufferLine({ buffer }: { readonly buffer: Publisher['buffer'] }) {
  const { t } = useTranslation('publish');
  if (!buffer) return null;
  const { records, octets, dropped, error, error_message } = buffer;
  const shown = {
    records: shownNumber(String(records)),
    mib: shownNumber((octets / MIB).toFixed(1)),
    dropped: shownNumber(String(dropped)),
  };
  return (
    <>
      <Text size="xs" c="dimmed" data-testid="publisher-buffer">
        {t('buffered', shown)}
      </Text>
      {error === null ? null : (
        <Text size="sm" c="red" data-testid="publisher-buffer-error">
          <Said text={error} message={error_message} />
        </Text>
      )}
    </>
  );
}
