import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { slaveText } from '#shared/domain/notation.ts';
import { useOperation } from '../../api/hooks.ts';
import { checkField } from '../../ui/form/issues.ts';
import { type FormRecord, type RecordForm, useRecordForm } from '../../ui/form/record-form.ts';
import type { FieldKind, FieldSpec } from '../../ui/form/schema-field.ts';
import { type FieldWidth, SchemaFields } from '../../ui/form/schema-fields.tsx';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useNotation } from '../channels/protocol-facts.ts';
import { ArmNotice } from '../write/arm-notice.tsx';
import { useNeedsArming } from '../write/arming.ts';
import { OperationConfirm } from './operation-confirm.tsx';
import { isCommand, type Operation, operationObstacle, paramDefaults, paramSpecs, paramsOf, stayingParams } from './operation-model.ts';
import { useOperationText } from './operation-text.ts';
import classes from './operations.module.css';
import { useOperationsStore } from './operations-store.ts';

const WIDTHS: Readonly<Partial<Record<FieldKind, FieldWidth>>> = { json: 'full', lines: 'full' };

/** References and file names need room. */
function widthOf({ maxLength }: FieldSpec): FieldWidth {
  return (maxLength ?? 0) > LONG_TEXT ? 'half' : 'third';
}
const LONG_TEXT = 200;

interface OperationFormProps {
  readonly channel: Channel;
  readonly operation: Operation;
  readonly isUnderWay: boolean;
  onRun(params: Readonly<Record<string, unknown>>): void;
}

/** Errors of the parameters by their path, in the reader's language. */
function useParamCheck(operation: Operation, form: RecordForm): () => Record<string, string> {
  const { t } = useTranslation('fields');
  return () =>
    Object.fromEntries(
      paramSpecs(operation).flatMap((spec) => {
        const text = checkField(t, spec, form.valueOf(spec.key));
        return text ? [[spec.key, text]] : [];
      }),
    );
}

/** What was given last for the parameters that stay from one operation to the next, where it fits this one as well. */
function useGiven(channelId: number, operation: Operation) {
  const { t } = useTranslation('fields');
  const given = useOperationsStore((state) => state.given[channelId]) ?? {};
  const remember = useOperationsStore((state) => state.remember);
  const specs = stayingParams(operation);
  const fitting = specs.filter((spec) => given[spec.names] !== undefined && checkField(t, spec, given[spec.names]) === null);
  return {
    given: Object.fromEntries(fitting.map(({ key, names }) => [key, given[names]])),
    keep: (values: FormRecord) => remember(channelId, Object.fromEntries(specs.map(({ key, names }) => [names, values[key]]))),
  };
}

/** The slaves that were asked on this line, as the protocol writes them. */
function useMeters(channel: Channel, operation: Operation): readonly string[] {
  const isNeeded = paramSpecs(operation).some(({ names }) => names === 'slave');
  const notation = useNotation(channel.protocol_type);
  const stats = useOperation('lineStats', { channel_id: channel.id }, { enabled: isNeeded });
  return (stats.data?.slaves ?? []).map(({ slave_id }) => slaveText(slave_id, notation));
}

/** The parameters of an operation as its schema tells them, and the button that runs it; a command is confirmed first. */
export function OperationForm({ channel, operation, isUnderWay, onRun }: OperationFormProps) {
  const { t } = useTranslation('operations');
  const text = useOperationText();
  const { given, keep } = useGiven(channel.id, operation);
  const form = useRecordForm({ ...paramDefaults(operation), ...given });
  const meters = useMeters(channel, operation);
  const check = useParamCheck(operation, form);
  const isDisarmed = useNeedsArming(channel, operation.effect);
  const isServiceReadOnly = useOperation('serviceInfo', {}).data?.read_only ?? false;
  const [isAsking, setIsAsking] = useState(false);
  const obstacle = operationObstacle(operation, channel, { isServiceReadOnly, isDisarmed });
  const specs = paramSpecs(operation);
  const send = () => {
    setIsAsking(false);
    if (obstacle === null) onRun(paramsOf(form.values, operation));
  };
  const submit = () => {
    const errors = check();
    form.setErrors(errors);
    if (obstacle !== null || isUnderWay || Object.keys(errors).length > 0) return;
    keep(form.values);
    if (isCommand(operation)) setIsAsking(true);
    else send();
  };
  return (
    <form
      className={classes.form}
      noValidate
      data-testid="operation-form"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {specs.length > 0 ? (
        <SchemaFields
          form={form}
          specs={specs}
          texts={Object.fromEntries(
            specs.map((spec) => [
              spec.key,
              { ...text.paramText(spec, operation.name), ...(spec.names === 'slave' ? { suggestions: meters } : {}) },
            ]),
          )}
          widths={Object.fromEntries(specs.map((spec) => [spec.key, WIDTHS[spec.kind] ?? widthOf(spec)]))}
        />
      ) : (
        <p className={classes.hint}>{t('noParams')}</p>
      )}
      {obstacle === 'disarmed' ? <ArmNotice channel={channel} /> : null}
      <div>
        <GuardedButton
          reason={obstacle ? t(`why.${obstacle}`) : null}
          hint=""
          leftSection={<Icon name={isCommand(operation) ? 'send' : 'play'} size={14} />}
          loading={isUnderWay}
          onClick={submit}
          testId="operation-run"
        >
          {isCommand(operation) ? `${t('run')}…` : t('run')}
        </GuardedButton>
        {obstacle && obstacle !== 'disarmed' ? (
          <span className={classes.reason} role="status">
            <Icon name="info" size={14} />
            {t(`why.${obstacle}`)}
          </span>
        ) : null}
      </div>
      {isAsking ? (
        <OperationConfirm
          channel={channel}
          operation={operation}
          params={paramsOf(form.values, operation)}
          onSend={send}
          onClose={() => setIsAsking(false)}
        />
      ) : null}
    </form>
  );
}
