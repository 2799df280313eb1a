import { Alert, Button, Checkbox, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FrameType } from '#shared/domain/enums.ts';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useProtocol } from '../channels/protocol-facts.ts';
import { exactNumber } from '../points/point-text.ts';
import { ArmNotice } from './arm-notice.tsx';
import { useNeedsArming } from './arming.ts';
import { optionSpecs } from './command-options.ts';
import { OptionsFold, useOptionsForm } from './options-fold.tsx';
import { SelectionEnded } from './selection-panel.tsx';
import { useSelectionStore } from './selections.ts';
import { TargetSummary } from './target-summary.tsx';
import { useValueWords } from './value-words.ts';
import { WhereToLook } from './where-to-look.tsx';
import classes from './write.module.css';
import { isOutsideLimits, parseNumber } from './write-rules.ts';
import { mustLook, useWriteStore, type WriteTarget } from './write-store.ts';

/** What was sent last and never answered, with the word of a person that they have looked at the device since. */
function UnresolvedNotice({ target, sent }: { readonly target: WriteTarget; readonly sent: number }) {
  const { t } = useTranslation('points');
  const hasLooked = useWriteStore((state) => state.hasLooked);
  const setHasLooked = useWriteStore((state) => state.setHasLooked);
  return (
    <Alert color="amber" icon={<Icon name="question" size={18} />} title={t('write.unresolvedTitle')} data-testid="write-unresolved">
      <Stack gap="xs">
        <Text>{t('write.unresolvedText', { value: useValueWords(target, sent) })}</Text>
        <Text>
          <WhereToLook target={target} />
        </Text>
        <Checkbox
          label={t('write.hasLooked')}
          checked={hasLooked}
          onChange={(event) => setHasLooked(event.currentTarget.checked)}
          data-testid="write-has-looked"
        />
      </Stack>
    </Alert>
  );
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
  const isDisarmed = useNeedsArming(target.channel);
  const isUnseen = useWriteStore(mustLook);
  const unresolved = useWriteStore((state) => state.unresolved[target.point.id]);
  const ended = useSelectionStore((state) => state.selections[target.point.id]?.ended);
  const protocol = useProtocol(target.channel.protocol_type);
  const specs = useMemo(() => optionSpecs(protocol, target.channel, target.point), [protocol, target]);
  const { form, wrong } = useOptionsForm(specs);
  const [isWrong] = Object.values(wrong);
  const reason = isDisarmed
    ? t('write.disarmedTitle')
    : isUnseen
      ? t('write.lookFirst')
      : value === null
        ? t('write.notNumber')
        : (isWrong ?? null);
  const valueBox = useRef<HTMLDivElement>(null);
  const toValue = () => valueBox.current?.querySelector('input')?.focus();
  function change(next: string) {
    setText(next);
    setValue(parseNumber(next));
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (reason === null) goTo('confirm');
      }}
    >
      <Stack gap="sm">
        <TargetSummary target={target} />
        {isDisarmed ? <ArmNotice channel={target.channel} onArmed={toValue} /> : null}
        {unresolved === undefined ? null : <UnresolvedNotice target={target} sent={unresolved} />}
        {ended ? <SelectionEnded ended={ended} /> : null}
        <div ref={valueBox}>
          <ValueField target={target} text={text} value={value} onChange={change} />
        </div>
        {specs.length > 0 ? <OptionsFold specs={specs} form={form} isWrong={isWrong !== undefined} /> : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {t('write.cancel')}
          </Button>
          <GuardedButton reason={reason} hint={t('write.confirmTitle')} onClick={() => goTo('confirm')} testId="write-next">
            {t('write.next')}
          </GuardedButton>
        </Group>
      </Stack>
    </form>
  );
}
