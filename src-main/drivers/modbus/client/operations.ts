/** What a person or script may ask a Modbus device for by name, beside its points. */
import { z } from 'zod';
import { ConnType } from '#shared/domain/enums.ts';
import { AppError, invalidField } from '#shared/domain/errors.ts';
import type { SettingMeta } from '#shared/domain/setting-meta.ts';
import { say } from '#shared/messages/index.ts';
import { schemaWords } from '#shared/messages/schema-words.ts';
import type { Clock } from '../../../platform/clock.ts';
import { hexText, u16 } from '../../../protocol-kit/bytes.ts';
import type { ExchangeContext } from '../../spi/index.ts';
import type { DriverOperation, OperationResult } from '../../spi/operations.ts';
import { Exception, exceptionMessage, functionMessage } from '../codec/functions.ts';
import { encodeRequest } from '../codec/request.ts';
import { decodeResponse, exceptionOf, type ModbusResponse } from '../codec/response.ts';
import { Diagnostics, FILE_RECORDS, type ServiceRequest } from '../codec/service-functions.ts';
import type { ExchangeSession } from '../link/exchange-session.ts';

type Params = Readonly<Record<string, unknown>>;
type Result = OperationResult['result'];

const unit = z
  .int()
  .min(0)
  .max(255)
  .default(1)
  .describe('unit id')
  .meta({ names: 'slave', stays: true } satisfies SettingMeta);
const address = (about: string) => z.int().min(0).max(65_535).describe(about);
const file = z.int().min(1).max(65_535).describe('number of the file, from 1');
const record = z
  .int()
  .min(0)
  .max(FILE_RECORDS - 1)
  .default(0)
  .describe('first record of the file, a register each');
/** Registers that one answer has room for, and one request (V1.1b3, 6.14 and 6.15). */
const MOST_READ = 121;
const MOST_WRITTEN = 122;
const connTypes = [ConnType.rtuMaster, ConnType.tcpClient] as const;

/** What Return … Count and the like tell, by the names of the operation. */
const TELLING = {
  diagnostic_register: Diagnostics.returnDiagnosticRegister,
  bus_messages: Diagnostics.busMessageCount,
  bus_errors: Diagnostics.busErrorCount,
  exceptions: Diagnostics.exceptionErrorCount,
  server_messages: Diagnostics.serverMessageCount,
  no_responses: Diagnostics.noResponseCount,
  naks: Diagnostics.nakCount,
  busy: Diagnostics.busyCount,
  overruns: Diagnostics.overrunCount,
} as const;
type Telling = keyof typeof TELLING;

interface ServiceOperation extends Omit<DriverOperation, 'connTypes'> {
  request(params: Params): ServiceRequest;
  /** What came of it, by names of the operation. */
  result(answer: ModbusResponse, params: Params): Result;
}

/** Definitions in the order of buttons. */
const SERVICE: readonly ServiceOperation[] = [
  {
    name: 'report_server_id',
    summary: 'Ask a device for its server id and whether it runs (function 17)',
    params: z.object({ unit_id: unit }),
    effect: 'repeatable',
    request: () => ({ functionCode: 17 }),
    result: (answer) => (answer.kind === 'server-id' ? serverId(answer.octets) : {}),
  },
  {
    name: 'read_exception_status',
    summary: 'Read the eight exception status outputs of a device (function 7)',
    params: z.object({ unit_id: unit }),
    effect: 'repeatable',
    request: () => ({ functionCode: 7 }),
    result: (answer) => (answer.kind === 'status' ? { status: answer.status, outputs: answer.status.toString(2).padStart(8, '0') } : {}),
  },
  {
    name: 'read_diagnostics',
    summary: 'Read a counter of the line as the device keeps it, or its diagnostic register (function 8)',
    params: z.object({
      unit_id: unit,
      counter: z
        .enum(Object.keys(TELLING) as [Telling, ...Telling[]])
        .default('bus_messages')
        .describe('what is read'),
    }),
    effect: 'repeatable',
    request: ({ counter }) => ({ functionCode: 8, subFunction: TELLING[counter as Telling], octets: NO_DATA }),
    result: (answer, { counter }) => (answer.kind === 'diagnostics' ? { counter, count: u16(answer.octets, 0) } : {}),
  },
  {
    name: 'test_communication',
    summary: 'Have a device return two octets as they are (function 8, sub-function 0)',
    params: z.object({ unit_id: unit }),
    effect: 'repeatable',
    request: () => ({ functionCode: 8, subFunction: Diagnostics.returnQueryData, octets: TEST_DATA }),
    result: (answer) => (answer.kind === 'diagnostics' ? { returned: hexText(answer.octets) } : {}),
  },
  {
    name: 'read_event_counter',
    summary: 'Read how many requests a device has carried out (function 11)',
    params: z.object({ unit_id: unit }),
    effect: 'repeatable',
    request: () => ({ functionCode: 11 }),
    result: (answer) => (answer.kind === 'events' ? { is_busy: answer.status !== 0, events: answer.events } : {}),
  },
  {
    name: 'read_event_log',
    summary: 'Read the communication events of a device, the latest first (function 12)',
    params: z.object({ unit_id: unit }),
    effect: 'repeatable',
    request: () => ({ functionCode: 12 }),
    result: (answer) =>
      answer.kind === 'log'
        ? { is_busy: answer.status !== 0, events: answer.events, messages: answer.messages, log: [...answer.octets].map(eventRow) }
        : {},
  },
  {
    name: 'read_fifo_queue',
    summary: 'Read the queue of a holding register, 31 values at most (function 24). They stay in the queue.',
    params: z.object({ unit_id: unit, address: address('address of the queue on the wire') }),
    effect: 'repeatable',
    request: ({ address: at }) => ({ functionCode: 24, address: Number(at) }),
    result: (answer) => (answer.kind === 'fifo' ? { values: registersOf(answer.octets) } : {}),
  },
  {
    name: 'read_file_record',
    summary: 'Read registers of a file of a device (function 20)',
    params: z.object({
      unit_id: unit,
      file,
      record,
      length: z.int().min(1).max(MOST_READ).default(10).describe('registers'),
    }),
    effect: 'repeatable',
    request: ({ file: of, record: from, length }) => ({
      functionCode: 20,
      ranges: [{ file: Number(of), record: Number(from), length: Number(length) }],
    }),
    result: (answer, { file: of, record: from }) => {
      const octets = answer.kind === 'file' ? answer.parts[0]?.octets : undefined;
      return octets ? { file: of, record: from, octets: hexText(octets), text: plainText(octets), registers: registersOf(octets) } : {};
    },
  },
  {
    name: 'write_file_record',
    summary: 'Write registers of a file of a device (function 21)',
    params: z.object({
      unit_id: unit,
      file,
      record,
      octets: z
        .string()
        .trim()
        .regex(/^(?:[0-9A-Fa-f]{2}\s*)+$/, { error: schemaWords(say('modbus.octets_form')) })
        .describe('octets in hexadecimal, two a register: 0D FE 00 20'),
    }),
    effect: 'command',
    request: ({ file: of, record: from, octets }) => ({
      functionCode: 21,
      records: [{ file: Number(of), record: Number(from), octets: writtenOctets(String(octets)) }],
    }),
    result: (answer) => (answer.kind === 'file-written' ? { registers: (answer.records[0]?.octets.length ?? 0) / 2 } : {}),
  },
  {
    name: 'clear_counters',
    summary: 'Set the counters and the diagnostic register of a device to 0 (function 8, sub-function 10)',
    params: z.object({ unit_id: unit }),
    effect: 'command',
    request: () => ({ functionCode: 8, subFunction: Diagnostics.clearCounters, octets: NO_DATA }),
    result: () => ({}),
  },
  {
    name: 'restart_communications',
    summary: 'Have a device restart its port and clear its counters; the only way out of listen only mode (function 8, sub-function 1)',
    params: z.object({ unit_id: unit, clear_log: z.boolean().default(false).describe('clear the event log as well') }),
    effect: 'command',
    request: ({ clear_log }) => ({
      functionCode: 8,
      subFunction: Diagnostics.restartCommunications,
      octets: Uint8Array.of(clear_log === true ? 0xff : 0, 0),
    }),
    result: () => ({}),
  },
  {
    name: 'force_listen_only',
    summary:
      'Have a device answer and carry out nothing until its communications are restarted (function 8, sub-function 4). It does not answer.',
    params: z.object({ unit_id: unit }),
    effect: 'command',
    request: () => ({ functionCode: 8, subFunction: Diagnostics.forceListenOnly, octets: NO_DATA }),
    result: () => ({}),
  },
];

const NO_DATA = Uint8Array.of(0, 0);
const TEST_DATA = Uint8Array.of(0xa5, 0x37);

/** Operations as the descriptor has them. */
export const SERVICE_OPERATIONS: readonly DriverOperation[] = SERVICE.map(({ request: _, result: __, ...operation }) => ({
  ...operation,
  connTypes,
}));

interface OperationEnvironment {
  readonly session: Pick<ExchangeSession, 'exchange'>;
  readonly clock: Clock;
  readonly context: ExchangeContext;
}

/** Runs such an operation. Throws before anything is sent where its parameters cannot be sent, and for a question that is not answered. */
export async function runServiceOperation(name: string, params: Params, environment: OperationEnvironment): Promise<OperationResult> {
  const operation = SERVICE.find((each) => each.name === name);
  if (!operation) throw new AppError('CONFIG_INVALID', say('runtime.no_operation', { name }));
  const { session, clock, context } = environment;
  const pdu = encodeRequest(operation.request(params));
  const stage = (stageName: string, detail: ReturnType<typeof say>) => ({ name: stageName, at: clock.wallMs(), detail });
  const isCommand = operation.effect === 'command';
  const sent = stage('sent', say('modbus.operation_sent', { unit: Number(params.unit_id), function: functionMessage(pdu[0] ?? 0) }));
  const request = { unitId: Number(params.unit_id), pdu, check: (answer: Uint8Array) => void decodeResponse(answer) };
  const end = await session.exchange(request, isCommand ? { ...context, retries: 0, isStopping: () => context.isStopping() } : context);
  if (end.kind === 'failed') {
    if (!isCommand || !end.isSent) throw end.error;
    const said = name === 'force_listen_only' ? say('modbus.listen_only_silent') : end.error.said;
    return { outcome: 'unknown', stages: [sent, stage('unanswered', said)], result: {} };
  }
  const exception = exceptionOf(end.pdu);
  if (exception !== 0) {
    const said = say('modbus.answered', { exception: exceptionMessage(exception) });
    const isOpen = isCommand && exception === Exception.gatewayTargetFailed;
    return { outcome: isOpen ? 'unknown' : 'rejected', stages: [sent, stage(isOpen ? 'unanswered' : 'rejected', said)], result: {} };
  }
  const result = operation.result(decodeResponse(end.pdu), params);
  const confirmed = isCommand ? [stage('confirmed', say('modbus.confirmed'))] : [];
  return { outcome: 'accepted', stages: [sent, ...confirmed], result };
}

/** Octets of a written record. Throws CONFIG_INVALID for half a register, and for more than a request has room for. */
function writtenOctets(text: string): Uint8Array {
  const octets = Uint8Array.from(Buffer.from(text.replaceAll(/\s/g, ''), 'hex'));
  const isWhole = octets.length % 2 === 0 && octets.length <= 2 * MOST_WRITTEN;
  if (!isWhole) throw invalidField('params.octets', say('modbus.octets_count', { count: octets.length, most: 2 * MOST_WRITTEN }));
  return octets;
}

function registersOf(octets: Uint8Array): number[] {
  return Array.from({ length: octets.length / 2 }, (_, at) => u16(octets, 2 * at));
}

function plainText(octets: Uint8Array): string {
  return String.fromCharCode(...octets).replaceAll(/[^\x20-\x7e]/g, '.');
}

/** The run indicator is 00 or FF (V1.1b3, 6.13): behind an id of one octet, or at the end; null where neither is one. */
function serverId(octets: Uint8Array): Result {
  const indicator = [octets.at(-1), octets[1]].find((octet) => octet === 0 || octet === 0xff);
  return { octets: hexText(octets), text: plainText(octets), is_running: indicator === undefined ? null : indicator === 0xff };
}

/** An event of the log by its bits (V1.1b3, 6.10). */
function eventRow(event: number): Result {
  const hex = `0x${event.toString(16).toUpperCase().padStart(2, '0')}`;
  if ((event & 0x80) !== 0) return { event: hex, kind: 'received', listen_only: (event & 0x20) !== 0, error: (event & 0x12) !== 0 };
  if ((event & 0x40) !== 0) return { event: hex, kind: 'sent', listen_only: (event & 0x20) !== 0, error: (event & 0x1f) !== 0 };
  return { event: hex, kind: event === 0x04 ? 'listen_only' : 'restarted', listen_only: event === 0x04, error: false };
}
