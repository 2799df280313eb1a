import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toAppError } from '#shared/domain/errors.ts';
import { POLL, useOperation } from '../../api/hooks.ts';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { notifyError, notifyProblem } from '../../ui/notify.ts';
import { useFocus } from '../../ui/use-focus.ts';
import { useChannels } from '../channels/use-channels.ts';
import { guideTo } from '../guide/guide.ts';
import { exactNumber } from '../points/point-text.ts';
import { ArmNotice } from '../write/arm-notice.tsx';
import { useNeedsArming } from '../write/arming.ts';
import { sendCommand } from '../write/send-command.ts';
import { TargetSummary } from '../write/target-summary.tsx';
import { parseNumber, writeObstacle } from '../write/write-rules.ts';
import type { WriteTarget } from '../write/write-store.ts';
import { useExpectationText } from './check-text.ts';
import type { Guided, GuidedItem } from './use-guided.ts';

interface SendProps {
  /** The item that was on the screen when it was opened. */
  readonly item: GuidedItem;
  readonly guided: Guided;
  onSending(isSending: boolean): void;
  onClose(): void;
}

/** Channel and point of an item as the table has them now; undefined while they are looked for, null where they are gone. */
function useTarget({ channel_id, code, frame_type, point_id }: GuidedItem): WriteTarget | null | undefined {
  const channels = useChannels();
  const input = { channel_id, frame_type, search: code, page: 1, page_size: 1000 };
  const table = useOperation('pointTable', input, { pollMs: POLL.table });
  if (!channels.data || !table.data || table.isPlaceholderData) return undefined;
  const channel = channels.data.find(({ id }) => id === channel_id);
  const point = table.data.items.find(({ id }) => id === point_id);
  return channel && point ? { channel, point } : null;
}

function useSend({ item, guided, onSending, onClose }: SendProps) {
  const { t } = useTranslation('check');
  return async ({ channel }: WriteTarget, value: number | null) => {
    onClose();
    onSending(true);
    try {
      const answer = await sendCommand('sendCheckCommand', channel, { item: item.item, ...(value === null ? {} : { value }) });
      if (answer === null) return;
      guided.ownStep(answer.data.item?.item ?? null);
      await guided.take(answer.data);
    } catch (thrown) {
      const error = toAppError(thrown);
      notifyError(error);
      // raised on this side of the door: the service may have sent it all the same
      if (error.cause !== undefined || error.code === 'INTERNAL') notifyProblem(t('send.lost'));
    } finally {
      onSending(false);
    }
  };
}

function Confirm({ target, ...props }: SendProps & { readonly target: WriteTarget }) {
  const { t } = useTranslation(['check', 'points', 'app']);
  const { item, guided, onClose } = props;
  const { channel, point } = target;
  const { expectation } = item;
  const named = expectation.kind === 'command' || expectation.kind === 'setpoint' ? expectation.value : null;
  const [text, setText] = useState('');
  const cancel = useFocus<HTMLButtonElement>();
  const expectationText = useExpectationText();
  const isReadOnly = useOperation('serviceInfo', {}, { pollMs: POLL.status }).data?.read_only ?? true;
  const isDisarmed = useNeedsArming(channel);
  const send = useSend(props);
  const asked = parseNumber(text);
  const value = named ?? asked;
  const obstacle = writeObstacle(channel, point, isReadOnly);
  const isOther = guided.item?.item !== item.item;
  const reason = obstacle
    ? t(`points:why.${obstacle}`)
    : isOther
      ? t('check:guided.justChanged')
      : isDisarmed
        ? t('points:write.disarmedTitle')
        : value === null
          ? t('check:send.valueMissing')
          : null;
  const words = {
    value: value === null ? '…' : `${exactNumber(value)}${point.unit && ` ${point.unit}`}`,
    code: point.code,
    name: point.name,
  };
  return (
    <Stack gap="sm" data-testid="check-send">
      <TargetSummary target={target} />
      {named === null ? (
        <TextInput
          label={t('check:send.value')}
          value={text}
          error={text !== '' && asked === null ? t('check:send.valueMissing') : null}
          onChange={(event) => setText(event.currentTarget.value)}
          data-path="value"
        />
      ) : null}
      <Text fw={600}>{t('check:send.confirm', { ...words, channel: channel.name })}</Text>
      <Text size="sm">{t('check:send.expected', { what: expectationText(expectation) })}</Text>
      {isDisarmed && obstacle === null ? <ArmNotice channel={channel} onArmed={() => cancel.current?.focus()} /> : null}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose} ref={cancel}>
          {t('app:action.cancel')}
        </Button>
        <GuardedButton
          reason={reason}
          hint=""
          color="red"
          onClick={() => void send(target, named === null ? value : null)}
          testId="check-send-do"
        >
          {t('check:send.do', { value: words.value })}
        </GuardedButton>
      </Group>
    </Stack>
  );
}

/** Names the whole target before anything is sent; the guard of the channel holds. */
export function SendDialog(props: SendProps) {
  const { t } = useTranslation(['check', 'app']);
  const target = useTarget(props.item);
  return (
    <Modal
      {...guideTo('check')}
      opened
      onClose={props.onClose}
      size="md"
      title={t('check:send.title', { code: props.item.code })}
      closeButtonProps={{ 'aria-label': t('app:action.close') }}
    >
      {target === null ? <Text>{t('check:send.noPoint')}</Text> : null}
      {target ? <Confirm {...props} target={target} /> : null}
    </Modal>
  );
}
