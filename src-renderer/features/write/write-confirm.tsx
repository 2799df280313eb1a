import { Button, Group, Loader, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { isServing } from '#shared/domain/enums.ts';
import { useFocus } from '../../ui/use-focus.ts';

import { useNeedsArming } from './arming.ts';
import { TargetSummary, usePlace } from './target-summary.tsx';
import { useValueWords } from './value-words.ts';
import classes from './write.module.css';
import { endTone, endWord } from './write-end.ts';
import { useWriteStore, type WriteTarget } from './write-store.ts';

/** Second step: the whole sentence to agree to, and the wait for the device. */
export function WriteConfirm({ target }: { readonly target: WriteTarget }) {
  const { t } = useTranslation('points');
  const client = useQueryClient();
  const back = useFocus<HTMLButtonElement>();
  const { step, value, goTo, send, close } = useWriteStore();
  const isDisarmed = useNeedsArming(target.channel);
  const { channel, point } = target;
  const place = usePlace(target);
  const isServed = isServing(channel.conn_type);
  const words = {
    value: useValueWords(target, value),
    code: point.code,
    name: point.name,
    channel: channel.name,
    place,
  };

  useEffect(() => {
    if (isDisarmed && step === 'confirm') goTo('enter');
  }, [isDisarmed, step, goTo]);

  async function confirm() {
    const end = await send();
    void client.invalidateQueries({ queryKey: ['pointTable'] });
    void client.invalidateQueries({ queryKey: ['listAudit'] });
    if (end && useWriteStore.getState().target !== target) {
      const color = { ok: 'green', warn: 'amber', bad: 'red' }[endTone(end)];
      notifications.show({
        message: t('write.notify', { code: point.code, outcome: t(`write.${endWord(end)}`) }),
        color,
        withBorder: true,
      });
    }
  }

  return (
    <Stack gap="sm">
      <TargetSummary target={target} />
      <Text className={classes.confirmText} data-testid="write-confirm-text">
        {isServed ? t('write.confirmServe', words) : t('write.confirm', words)}
      </Text>
      {step === 'sending' ? (
        <Group gap="xs" justify="space-between">
          <Group gap="xs" role="status">
            <Loader size="xs" />
            <Text>{t('write.sending')}</Text>
          </Group>
          <Button variant="default" onClick={close} title={t('write.closeWhileSending')}>
            {t('write.close')}
          </Button>
        </Group>
      ) : (
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => goTo('enter')} ref={back}>
            {t('write.back')}
          </Button>
          <Button color={isServed ? 'steel' : 'amber'} onClick={() => void confirm()} data-testid="write-send">
            {isServed ? t('write.serveSend') : t('write.send')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
