import { Button, Checkbox, SegmentedControl, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel, ProtocolDescriptor } from '#shared/contract/channels.ts';
import type { Point } from '#shared/contract/points.ts';
import { describeDecode, sameDecode } from '#shared/domain/decode.ts';
import { FrameType } from '#shared/domain/enums.ts';
import { PLAIN_NOTATION } from '#shared/domain/notation.ts';
import { POINT_FIELD_KEYS, pointField } from '#shared/domain/point-fields.ts';
import { Field, type FieldText } from '../../ui/form/field.tsx';
import { FormFrame } from '../../ui/form/form-frame.tsx';
import { FormSection } from '../../ui/form/form-section.tsx';
import type { FieldSpec } from '../../ui/form/schema-field.ts';
import { type FieldWidth, SchemaFields } from '../../ui/form/schema-fields.tsx';
import { termsOf } from '../channels/protocol-facts.ts';
import { AddressField } from './address-field.tsx';
import { ItemHint } from './item-hint.tsx';
import { changeDecode, changeFrameType } from './point-form-model.ts';
import { closePointForm } from './point-form-store.ts';
import { RelatedCodeField } from './related-code-field.tsx';
import { type PointFormState, usePointForm } from './use-point-form.ts';

const WIDTHS: Readonly<Record<string, FieldWidth>> = Object.fromEntries(
  POINT_FIELD_KEYS.flatMap((key) => {
    const width = pointField(key).form?.width;
    return width === undefined ? [] : [[key, width]];
  }),
);

const TYPE_KEYS = ['yc', 'yx', 'yk', 'yt'] as const;
const FUNCTION_KEYS = ['f1', 'f2', 'f3', 'f4', 'f5', 'f6', 'f15', 'f16', 'f22'] as const;

function TypeChoice({ state }: { readonly state: PointFormState }) {
  const { t } = useTranslation('fields');
  const { form, frameType, point } = state;
  const choose = (value: string) => {
    const next = Object.values(FrameType).find((type) => String(type) === value);
    if (next !== undefined) form.setAll(changeFrameType(form.values, next));
  };
  return (
    <SegmentedControl
      aria-label={t('frame_type')}
      data={TYPE_KEYS.map((key) => ({ value: String(FrameType[key]), label: t(`frameTypeOf.${key}`) }))}
      value={String(frameType)}
      onChange={choose}
      disabled={point !== null}
      fullWidth
      data-path="frame_type"
    />
  );
}

/** A decode code with its letters; one that means what an earlier one means says so, for old tables have them all. */
function decodeLabel(code: string, same: (code: string) => string): string {
  const first = sameDecode(code);
  return first === null ? describeDecode(code) : `${describeDecode(code)} · ${same(first)}`;
}

/** Words of a Modbus function code; null for one that has none. */
export function useFunctionText(): (code: string | number) => string | null {
  const { t } = useTranslation('fields');
  return (code) => {
    const key = FUNCTION_KEYS.find((item) => item === `f${code}`);
    return key ? t(`funcOf.${key}`) : null;
  };
}

/** Words of point fields as a protocol has them. */
export function usePointTexts({ notation = PLAIN_NOTATION, hints }: ProtocolDescriptor): Readonly<Record<string, Partial<FieldText>>> {
  const { t } = useTranslation('fields');
  const terms = termsOf(notation);
  const functionText = useFunctionText();
  const functionLabel = (value: string | number | boolean) => functionText(String(value)) ?? String(value);
  return {
    slave_id: { label: t('place.slave', { context: terms.slave }) },
    address: { label: t('place.address', { context: terms.address }), hint: t('hint.address', { context: terms.address }) },
    name: { hint: t(hints === true ? 'hint.itemName' : 'hint.pointName') },
    note: { hint: '' },
    func_code: { choiceLabel: functionLabel },
    decode: { choiceLabel: (value) => decodeLabel(String(value), (code) => t('decodeSame', { code })) },
    min_limit: { hint: t('hint.limits') },
  };
}

interface SectionProps {
  readonly state: PointFormState;
  readonly title: string;
  readonly specs: readonly FieldSpec[];
  readonly prefix?: string;
}

function Section({ state, title, specs, prefix = '' }: SectionProps): ReactNode {
  const { form, channel, descriptor, frameType } = state;
  const texts = usePointTexts(descriptor);
  if (specs.length === 0) return null;
  const funcCode = form.valueOf('func_code');
  return (
    <FormSection title={title}>
      <SchemaFields
        form={form}
        specs={specs}
        prefix={prefix}
        widths={WIDTHS}
        texts={prefix ? {} : texts}
        custom={
          prefix
            ? {}
            : {
                code: (props) => <Field {...props} isFirst />,
                address: (props) => (
                  <AddressField
                    {...props}
                    funcCode={typeof funcCode === 'number' ? funcCode : null}
                    addressBase={channel.address_base}
                    dictionary={
                      descriptor.hints ? { protocolType: descriptor.protocol_type, edition: form.valueOf('protocol.edition') } : undefined
                    }
                  />
                ),
                decode: (props) => <Field {...props} onChange={(value) => form.setAll(changeDecode(form.values, value))} />,
                related_code: (props) => <RelatedCodeField {...props} channelId={channel.id} frameType={frameType} />,
              }
        }
      />
    </FormSection>
  );
}

/** The hint for the address as the form has it. */
function HintOf({ state }: { readonly state: PointFormState }) {
  const { form, descriptor } = state;
  const use = (address: number, protocol: Readonly<Record<string, unknown>>) => {
    const present = form.values.protocol;
    const settings = typeof present === 'object' && present !== null ? present : {};
    form.setAll({ ...form.values, address, protocol: { ...settings, ...protocol } });
  };
  return (
    <ItemHint
      protocolType={descriptor.protocol_type}
      address={form.valueOf('address')}
      edition={form.valueOf('protocol.edition')}
      format={form.valueOf('protocol.format')}
      onUse={use}
    />
  );
}

export interface PointFormProps {
  readonly channel: Channel;
  readonly descriptor: ProtocolDescriptor;
  readonly point: Point | null;
  readonly template: Point | null;
}

/** The form of a point, built from what the channel's protocol says about itself. */
export function PointForm(props: PointFormProps) {
  const { t } = useTranslation(['fields', 'app']);
  const state = usePointForm(props);
  const [keepOpen, setKeepOpen] = useState(false);
  const { sections, point } = state;
  const isNamed = sections.access.some((spec) => spec.key === 'reference');
  const footer = (
    <>
      {point ? (
        <Text size="xs" c="dimmed" mr="auto">
          {t('fields:pointForm.neverWrites')}
        </Text>
      ) : (
        <Checkbox
          mr="auto"
          label={t('fields:pointForm.keepOpen')}
          checked={keepOpen}
          onChange={(event) => setKeepOpen(event.currentTarget.checked)}
        />
      )}
      <Button variant="default" onClick={closePointForm}>
        {t('app:action.cancel')}
      </Button>
      <Button type="submit" loading={state.isPending} data-testid="save-point">
        {point ? t('app:action.save') : t('app:action.add')}
      </Button>
    </>
  );
  return (
    <FormFrame form={state.form} testId="point-form" error={state.error} footer={footer} onSubmit={() => state.submit(keepOpen)}>
      <TypeChoice state={state} />
      <Section state={state} title={t('fields:pointForm.identity')} specs={sections.identity} />
      <Section
        state={state}
        title={
          isNamed
            ? t('fields:pointForm.place')
            : t('fields:pointForm.access', { context: termsOf(props.descriptor.notation ?? PLAIN_NOTATION).address })
        }
        specs={sections.access}
      />
      {props.descriptor.hints ? <HintOf state={state} /> : null}
      <Section state={state} title={t('fields:pointForm.scaling')} specs={sections.scaling} />
      <Section
        state={state}
        title={t('fields:pointForm.protocolSettings', { protocol: props.descriptor.name })}
        specs={sections.protocol}
        prefix="protocol."
      />
      <Section state={state} title={t('fields:pointForm.filing')} specs={sections.filing} />
    </FormFrame>
  );
}
