import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useFocus } from '../../ui/use-focus.ts';
import { useProtocol } from '../channels/protocol-facts.ts';
import { ArmNotice } from './arm-notice.tsx';
import { countdownText, useNeedsArming } from './arming.ts';
import { isTest, optionSpecs } from './command-options.ts';
import { useOptionText } from './option-text.ts';
import { type Selection, useRemaining } from './selections.ts';
import { TestMark } from './test-mark.tsx';
import { useValueWords } from './value-words.ts';
import { useWriteStore, type WriteTarget } from './write-store.ts';

/** Says that a selection has ended by itself, and that nothing was operated. */
export function SelectionEnded({ ended }: { readonly ended: 'over' | 'lost' }) {
  const { t } = useTranslation('points');
  return (
    <Alert
      color="amber"
      icon={<Icon name="warn" size={18} />}
      title={t('write.selectedOver')}
      role="alert"
      data-testid="write-selection-over"
    >
      {t(ended === 'over' ? 'write.selectedOverText' : 'write.selectedGone')}
    </Alert>
  );
}

interface SelectionPanelProps {
  readonly target: WriteTarget;
  readonly selection: Selection;
  onSend(step: 'execute' | 'cancel'): void;
}

/** What is selected, how long yet, and the two ways to end it. */
export function SelectionPanel({ target, selection, onSend }: SelectionPanelProps) {
  const { t } = useTranslation('points');
  const text = useOptionText();
  const { channel, point } = target;
  const specs = optionSpecs(useProtocol(channel.protocol_type), channel, point);
  const remaining = useRemaining(selection);
  const isDisarmed = useNeedsArming(channel);
  const value = useValueWords(target, selection.value);
  const cancelling = useFocus<HTMLButtonElement>();
  const close = useWriteStore((state) => state.close);
  if (selection.ended) return <SelectionEnded ended={selection.ended} />;
  const given = specs.flatMap((spec) => (spec.key in selection.options ? [text.said(spec, selection.options[spec.key])] : []));
  const reason = isDisarmed ? t('write.disarmedTitle') : null;
  return (
    <Stack gap="sm" data-testid="write-selection">
      {isTest(specs, selection.options) ? <TestMark /> : null}
      <Text fw={600}>{t('write.selectedWhat', { value, code: point.code, channel: channel.name })}</Text>
      {given.length > 0 ? <Text size="sm">{given.join(' · ')}</Text> : null}
      <Group gap="xs">
        <Icon name="busy" size={14} />
        <Text data-testid="write-countdown">
          {remaining === null
            ? t(selection.isEndless ? 'write.selectedOpen' : 'write.selectedUnknown')
            : t('write.selectedLeft', { time: countdownText(remaining) })}
        </Text>
      </Group>
      {isDisarmed ? <ArmNotice channel={channel} /> : null}
      <Group justify="flex-end" gap="xs">
        <Button variant="subtle" onClick={close}>
          {t('write.close')}
        </Button>
        <Button
          variant="default"
          ref={cancelling}
          disabled={isDisarmed}
          onClick={() => onSend('cancel')}
          data-testid="write-cancel-selection"
        >
          {t('write.cancelSelection')}
        </Button>
        <GuardedButton reason={reason} hint="" color="amber" onClick={() => onSend('execute')} testId="write-execute">
          {t('write.execute')}
        </GuardedButton>
      </Group>
    </Stack>
  );
}
