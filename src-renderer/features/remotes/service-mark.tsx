import { Button, Tooltip } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useOperation } from '../../api/hooks.ts';
import { shownService, showService } from '../../api/service-place.ts';
import { Icon } from '../../ui/icons.tsx';

/** Tells that the page shows another service, and leads back. Draws nothing where it shows the one it came from. */
export function ServiceMark() {
  const { t } = useTranslation('remotes');
  const remotes = useOperation('listRemotes', {}, { enabled: shownService !== null });
  const shown = remotes.data?.items.find(({ id }) => id === shownService);
  const isGone = shownService !== null && remotes.data !== undefined && shown === undefined;
  useEffect(() => {
    if (isGone) showService(null);
  }, [isGone]);
  if (shownService === null || !shown) return null;
  return (
    <Tooltip label={t('back')}>
      <Button
        size="compact-sm"
        color="amber"
        variant="light"
        leftSection={<Icon name="server" size={14} />}
        rightSection={<Icon name="close" size={12} />}
        aria-label={t('backFrom', { name: shown.name, address: shown.address })}
        onClick={() => showService(null)}
        data-testid="shown-service"
      >
        {`${shown.name} · ${shown.address.replace(/^https?:\/\//, '')}`}
      </Button>
    </Tooltip>
  );
}
