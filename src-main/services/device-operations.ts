import type { OperationReport, UnknownObject as UnknownRow } from '#shared/contract/device-operations.ts';
import { isCommandType, isServing } from '#shared/domain/enums.ts';
import { type FieldIssue, invalidField, invalidInput } from '#shared/domain/errors.ts';
import { english, say } from '#shared/messages/index.ts';
import { isMessage } from '#shared/messages/message.ts';
import type { DriverOperation, OperationResult, UnknownObject } from '../drivers/spi/operations.ts';
import type { ChannelRuntime } from '../runtime/types.ts';
import { askedBy, NO_POINT } from './audit-trail.ts';
import { checkProtocolSettings } from './channel-settings.ts';
import { stageRow, stagesTold } from './command-stages.ts';
import type { CallContext, Handlers } from './handlers.ts';
import { findChannel } from './lookup.ts';
import { perform } from './perform.ts';
import type { ServiceDeps } from './ports.ts';
import { isoTime } from './rows.ts';

const DEFAULT_PAGE = 100;

/** What protocols offer beside reads and commands: operations by name, and the objects that no table has. */
export function deviceOperationHandlers(deps: ServiceDeps): Pick<Handlers, 'deviceOperation' | 'unknownObjects'> {
  return {
    async deviceOperation({ channel_id, operation, params }, context) {
      const channel = findChannel(deps.projects.current(), channel_id);
      const found = findOperation(channel, operation);
      const checked = checkParams(found, params, context);
      // the operation of the protocol says what is done, which the contract cannot know
      const { done, auditId } = await perform(deps, channel, found.effect, {
        entry: { ...NO_POINT, operation: { name: operation, params: checked }, ...askedBy(context) },
        send: () => channel.operate(operation, checked),
        outcomeOf: ({ outcome, stages }) => ({ outcome, detail: stagesTold(stages) }),
        isOpen: ({ code }) => code === 'INTERNAL' || code === 'CANCELLED',
      });
      return { ...reportOf(done), ...(auditId === undefined ? {} : { audit_id: auditId }) };
    },
    unknownObjects({ channel_id, page = 1, page_size = DEFAULT_PAGE }) {
      const channel = findChannel(deps.projects.current(), channel_id);
      const { items, dropped } = channel.unknownObjects();
      const isAsking = !isServing(channel.settings.conn_type);
      const unknown = isAsking && channel.state().status === 'stopped' ? withoutTable(items, channel) : items;
      const first = (page - 1) * page_size;
      return { total: unknown.length, items: unknown.slice(first, first + page_size).map(unknownRow), dropped };
    },
  };
}

function reportOf({ outcome, stages, result }: OperationResult): OperationReport {
  return {
    outcome,
    stages: stages.map(stageRow),
    result: inRows(result),
  };
}

/** A result with its messages in words: `x` in English with `x_message` beside it, and `x_messages` beside a list of words. */
function inRows(result: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(result).flatMap(([name, value]): [string, unknown][] => {
      if (!isObject(value)) return [[name, value]];
      if (isMessage(value))
        return [
          [name, english(value)],
          [`${name}_message`, value],
        ];
      if (!Array.isArray(value)) return [[name, inRows(value)]];
      const isSaid = value.length > 0 && value.every((item) => isObject(item) && isMessage(item));
      const rows = value.map((item: unknown) =>
        isObject(item) && !Array.isArray(item) ? (isMessage(item) ? english(item) : inRows(item)) : item,
      );
      return isSaid
        ? [
            [name, rows],
            [`${name}_messages`, value],
          ]
        : [[name, rows]];
    }),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function findOperation(channel: ChannelRuntime, name: string): DriverOperation {
  const mine = (channel.driver.descriptor.operations ?? []).filter((item) => item.connTypes.includes(channel.settings.conn_type));
  const found = mine.find((item) => item.name === name);
  if (found) return found;
  const names = mine.length === 0 ? say('runtime.none') : mine.map((item) => item.name);
  throw invalidField('operation', say('service.no_operation', { channel: channel.settings.name, name, names }));
}

function checkParams(found: DriverOperation, params: Readonly<Record<string, unknown>>, context: CallContext): Record<string, unknown> {
  const issues: FieldIssue[] = [];
  const known = checkProtocolSettings(found.params, params, 'params', issues, context);
  if (issues.length > 0) throw invalidInput(issues);
  return found.params.parse(known);
}

/** A stopped channel does not see that points were added. */
function withoutTable(items: readonly UnknownObject[], channel: ChannelRuntime): readonly UnknownObject[] {
  if (items.length === 0) return items;
  const known = new Set(
    channel.points
      .configs()
      .filter((point) => !isCommandType(point.frame_type))
      .map((point) => `${point.slave_id} ${point.address}`),
  );
  return items.filter((item) => !known.has(`${item.slaveId} ${item.address}`));
}

function unknownRow(item: UnknownObject): UnknownRow {
  return {
    slave_id: item.slaveId,
    address: item.address,
    type: item.typeText,
    frame_type: item.frameType,
    func_code: item.funcCode ?? null,
    decode: item.decode ?? '',
    protocol: { ...item.protocol },
    count: item.count,
    value: item.value,
    value_text: item.valueText,
    flags: [...item.flags],
    source_time: isoTime(item.sourceTime),
    first_seen: isoTime(item.firstSeen),
    last_seen: isoTime(item.lastSeen),
  };
}
