import { Chip, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { FrameType } from '#shared/domain/enums.ts';
import { useTerms } from '../channels/protocol-facts.ts';
import { FRAME_TYPE_LETTERS } from '../points/point-text.ts';
import type { ReadDraft } from './task-config.ts';

const TYPES: readonly FrameType[] = [0, 1, 2, 3];

interface FilterFieldsProps {
  readonly protocolType: Channel['protocol_type'];
  readonly draft: ReadDraft;
  readonly isLocked: boolean;
  onChange(draft: ReadDraft): void;
}

/** Which points a task reads; all filters have to fit. */
export function FilterFields({ protocolType, draft, isLocked, onChange }: FilterFieldsProps) {
  const { t } = useTranslation('reading');
  const terms = useTerms(protocolType);
  const toggleType = (type: FrameType) => {
    const has = draft.pointTypes.includes(type);
    onChange({ ...draft, pointTypes: TYPES.filter((item) => (item === type ? !has : draft.pointTypes.includes(item))) });
  };
  return (
    <Stack gap="xs">
      <Text fw={600}>{t('filter.title')}</Text>
      <Group gap={4} role="group" aria-label={t('filter.types')}>
        {TYPES.map((type) => (
          <Chip key={type} size="xs" disabled={isLocked} checked={draft.pointTypes.includes(type)} onChange={() => toggleType(type)}>
            {FRAME_TYPE_LETTERS[type]}
          </Chip>
        ))}
      </Group>
      <Text size="xs" c="dimmed">
        {t('filter.typesHint')}
      </Text>
      <NumberInput
        label={t('filter.slave', { context: terms.slave })}
        placeholder={t('filter.any')}
        min={0}
        max={999_999_999_999}
        allowDecimal={false}
        hideControls
        disabled={isLocked}
        value={draft.slaveId ?? ''}
        onChange={(value) => onChange({ ...draft, slaveId: typeof value === 'number' ? value : null })}
      />
      <TextInput
        label={t('filter.category')}
        placeholder={t('filter.any')}
        disabled={isLocked}
        value={draft.category}
        onChange={(event) => onChange({ ...draft, category: event.currentTarget.value })}
      />
      <TextInput
        label={t('filter.item')}
        placeholder={t('filter.any')}
        disabled={isLocked}
        value={draft.item}
        onChange={(event) => onChange({ ...draft, item: event.currentTarget.value })}
      />
    </Stack>
  );
}
