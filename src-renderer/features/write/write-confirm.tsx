import { Button, Group, Loader, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { isServing } from '#shared/domain/enums.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { useFocus } from '../../ui/use-focus.ts';
import { useProtocol } from '../channels/protocol-facts.ts';
import { useNeedsArming } from './arming.ts';
import { BeforeCommand } from './before-command.tsx';
import { isTest, optionSpecs } from './command-options.ts';
import { useOptionText } from './option-text.ts';
import { TargetSummary, usePlace } from './target-summary.tsx';
import { TestMark } from './test-mark.tsx';
import { useBefore } from './use-before.ts';
import { useValueWords } from './value-words.ts';
import classes from './write.module.css';
import { endTone, endWord, type WriteEnd } from './write-end.ts';
import { useWriteStore, type WriteTarget } from './write-store.ts';

/** Sends, refreshes what may have changed, and tells the end where the dialog that sent is closed. */
export function useSending(target: WriteTarget): (sending: Promise<WriteEnd | null>) => void {
  const { t } = useTranslation('points');
  const client = useQueryClient();
  const { code } = target.point;
  return useCallback(
    (sending) =>
      void sending.then((end) => {
        void client.invalidateQueries({ queryKey: ['pointTable'] });
        void client.invalidateQueries({ queryKey: ['listAudit'] });
        if (!end || useWriteStore.getState().target === target) return;
        const color = { ok: 'green', warn: 'amber', bad: 'red' }[endTone(end)];
        notifications.show({ message: t('write.notify', { code, outcome: t(`write.${endWord(end)}`) }), color, withBorder: true });
      }),
    [client, code, target, t],
  );
}

/** The cancel of the command under way, and what came of it. */
export function CancelCommand() {
  const { t } = useTranslation('points');
  const cancel = useWriteStore((state) => state.cancel);
  const cancelCommand = useWriteStore((state) => state.cancelCommand);
  const isTaken = cancel?.end?.kind === 'command' && cancel.end.result.outcome === 'accepted';
  return (
    <Stack gap={4} align="flex-start">
      {cancel === null || (cancel.end && !isTaken) ? (
        <Button variant="default" onClick={() => void cancelCommand()} data-testid="write-cancel-command">
          {t('write.cancelCommand')}
        </Button>
      ) : (
        <Text role="status">{t(isTaken ? 'write.cancelAccepted' : 'write.cancelSent')}</Text>
      )}
      {cancel?.end && !isTaken ? <Text role="status">{t('write.cancelFailed')}</Text> : null}
      {cancel?.end && 'error' in cancel.end ? <ErrorNotice error={cancel.end.error} compact /> : null}
    </Stack>
  );
}

/** The wait for the device, with the way out where the protocol has one. */
function UnderWay({ target }: { readonly target: WriteTarget }) {
  const { t } = useTranslation('points');
  const close = useWriteStore((state) => state.close);
  const asked = useWriteStore((state) => state.asked);
  const canCancel = useProtocol(target.channel.protocol_type)?.cancels_under_way === true && asked !== 'cancel';
  return (
    <Group gap="xs" justify="space-between" align="flex-start">
      <Group gap="xs" role="status">
        <Loader size="xs" />
        <Text>{t('write.sending')}</Text>
      </Group>
      <Group gap="xs" align="flex-start">
        {canCancel ? <CancelCommand /> : null}
        <Button variant="default" onClick={close} title={t('write.closeWhileSending')}>
          {t('write.close')}
        </Button>
      </Group>
    </Group>
  );
}

/** What is agreed to: the sentence, and everything that is not as usual. */
function Agreed({ target, isServed }: { readonly target: WriteTarget; readonly isServed: boolean }) {
  const { t } = useTranslation('points');
  const { value, options } = useWriteStore();
  const text = useOptionText();
  const { channel, point } = target;
  const specs = optionSpecs(useProtocol(channel.protocol_type), channel, point);
  const words = {
    value: useValueWords(target, value),
    code: point.code,
    name: point.name,
    channel: channel.name,
    place: usePlace(target),
  };
  const given = specs.flatMap((spec) => (spec.key in options ? [text.said(spec, options[spec.key])] : []));
  return (
    <>
      <Text className={classes.confirmText} data-testid="write-confirm-text">
        {isServed ? t('write.confirmServe', words) : t('write.confirm', words)}
      </Text>
      {given.length > 0 ? (
        <Text size="sm" data-testid="write-given">
          {t('write.options')}: {given.join(' · ')}
        </Text>
      ) : null}
      {isTest(specs, options) ? <TestMark /> : null}
    </>
  );
}

/** Second step: the whole sentence to agree to with what stands before it, and the wait for the device. */
export function WriteConfirm({ target }: { readonly target: WriteTarget }) {
  const { t } = useTranslation('points');
  const back = useFocus<HTMLButtonElement>();
  const { step, options, goTo, send } = useWriteStore();
  const isDisarmed = useNeedsArming(target.channel);
  const { channel, point } = target;
  const isServed = isServing(channel.conn_type);
  const before = useBefore(target, isServed);
  const follow = useSending(target);
  const isMarked = isTest(optionSpecs(useProtocol(channel.protocol_type), channel, point), options);

  useEffect(() => {
    if (isDisarmed && step === 'confirm') goTo('enter');
  }, [isDisarmed, step, goTo]);

  return (
    <Stack gap="sm">
      <TargetSummary target={target} />
      <Agreed target={target} isServed={isServed} />
      {step === 'sending' ? (
        <UnderWay target={target} />
      ) : (
        <>
          <BeforeCommand before={before} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={() => goTo('enter')} ref={back}>
              {t('write.back')}
            </Button>
            {before.canSelect ? (
              <GuardedButton
                variant="default"
                reason={before.reason}
                hint={t('write.selectHint')}
                onClick={() => follow(send('select'))}
                testId="write-select"
              >
                {t('write.select')}
              </GuardedButton>
            ) : null}
            <GuardedButton
              color={isServed ? 'steel' : 'amber'}
              reason={before.reason}
              hint=""
              onClick={() => follow(send())}
              testId="write-send"
            >
              {isServed ? t('write.serveSend') : isMarked ? t('write.sendTest') : t('write.send')}
            </GuardedButton>
          </Group>
        </>
      )}
    </Stack>
  );
}
