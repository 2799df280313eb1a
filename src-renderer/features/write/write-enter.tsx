import { Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FrameType, isServing } from '#shared/domain/enums.ts';
import { useUiStore } from '../../app/ui-store.ts';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { exactNumber } from '../points/point-text.ts';
import { ArmNotice } from './arm-notice.tsx';
import { TargetSummary } from './target-summary.tsx';
import classes from './write.module.css';
import { isOutsideLimits, parseNumber } from './write-rules.ts';
import { useWriteStore, type WriteTarget } from './write-store.ts';

/** True when nothing may be sent from this window before it is armed. Setting what we serve reaches no device. */
function useNeedsArming(target: WriteTarget): boolean {
  const isArmed = useUiStore((state) => state.armed);
  return !isServing(target.channel.conn_type) && !isArmed;
}

interface ValueFieldProps {
  readonly target: WriteTarget;
  readonly text: string;
  readonly value: number | null;
  onChange(text: string): void;
}

/** On and off for states, a number with unit and limits for everything else. */
function ValueField({ target, text, value, onChange }: ValueFieldProps) {
  const { t } = useTranslation('points');
  const { point } = target;
  const limits = { min: limitText(point.min_limit, t('write.noLimit')), max: limitText(point.max_limit, t('write.noLimit')) };
  if (point.frame_type === FrameType.yk || point.frame_type === FrameType.yx) {
    return (
      <SegmentedControl
        size="sm"
        aria-label={t('write.value')}
        value={text}
        onChange={onChange}
        data={[
          { value: '0', label: t('write.off') },
          { value: '1', label: t('write.on') },
        ]}
      />
    );
  }
  const hasLimits = point.min_limit !== null || point.max_limit !== null;
  return (
    <Stack gap={4}>
      <TextInput
        data-autofocus
        label={t('write.value')}
        description={hasLimits ? t('write.limits', limits) : undefined}
        inputMode="decimal"
        autoComplete="off"
        rightSection={point.unit ? <Text size="xs">{point.unit}</Text> : null}
        rightSectionWidth={point.unit ? 12 + point.unit.length * 9 : undefined}
        value={text}
        error={text.trim() !== '' && value === null ? t('write.notNumber') : undefined}
        onChange={(event) => onChange(event.currentTarget.value)}
        data-testid="write-value"
      />
      {value !== null && isOutsideLimits(value, point) ? (
        <Text className={classes.warning} role="status">
          <Icon name="warn" size={14} />
          {t('write.outside', limits)}
        </Text>
      ) : null}
    </Stack>
  );
}

function limitText(limit: number | null, none: string): string {
  return limit === null ? none : exactNumber(limit);
}

/** First step: the target, the arm state and the new value. */
export function WriteEnter({ target }: { readonly target: WriteTarget }) {
  const { t } = useTranslation('points');
  const { value, setValue, goTo, close } = useWriteStore();
  const [text, setText] = useState(value === null ? '' : exactNumber(value));
  const needsArming = useNeedsArming(target);
  function change(next: string) {
    setText(next);
    setValue(parseNumber(next));
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (value !== null && !needsArming) goTo('confirm');
      }}
    >
      <Stack gap="sm">
        <TargetSummary target={target} />
        {needsArming ? <ArmNotice /> : null}
        <ValueField target={target} text={text} value={value} onChange={change} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {t('write.cancel')}
          </Button>
          <GuardedButton
            reason={needsArming ? t('write.disarmedTitle') : value === null ? t('write.notNumber') : null}
            hint={t('write.confirmTitle')}
            onClick={() => goTo('confirm')}
            testId="write-next"
          >
            {t('write.next')}
          </GuardedButton>
        </Group>
      </Stack>
    </form>
  );
}
