/** What a person or script may ask a meter for by name. Each is sent once. */
import { z } from 'zod';
import { ConnType } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import type { DriverSecrets } from '../spi.ts';
import type { DriverOperation } from '../spi-operations.ts';
import { ANY_METER, BROADCAST, decodeAddress } from './codec/address.ts';
import type { Dlt645Frame } from './codec/frame.ts';
import { CONTROL_LEVEL, credentialsFor, PARAMETER_LEVEL, passwordChange, passwordName } from './credentials.ts';
import { diText } from './dictionary/dictionary.ts';
import type { MeterRequest } from './meter-request.ts';
import { edition, identifier, identifierOf, level, localDigits, localTime, meter, timeDigits, writableItem } from './operation-params.ts';
import {
  ALL_EVENTS,
  clearDemandRequest,
  clearEventsRequest,
  clearMeterRequest,
  freezeRequest,
  meterText,
  OUTPUTS,
  outputRequest,
  passwordRequest,
  RATE_BITS,
  RELAY_COMMANDS,
  rateRequest,
  readAddressRequest,
  relayRequest,
  targetOfAddress,
  timeRequest,
  writeAddressRequest,
  writeRequest,
} from './write-requests.ts';
import { encodeWritten, layoutOf, MOST_WRITE_DATA } from './write-values.ts';

/** What an operation is made with. */
export interface OperationContext {
  readonly secrets: DriverSecrets | undefined;
  /** UTC milliseconds. */
  readonly wallMs: number;
  /** Local time of the meters, in milliseconds from UTC. */
  readonly utcOffsetMs: number;
}

/** A request of an operation, ready to be sent. */
export interface PreparedOperation {
  readonly request: MeterRequest;
  /** What it asks for, and of whom: `trip of meter 000012345678`. */
  readonly what: string;
  /** Twelve digits of the meter whose block of writes counts; null where no single meter is meant, or nothing is changed. */
  readonly blockedBy: string | null;
  /** True for what changes nothing, which may be repeated after silence. */
  readonly isRead?: true;
  /** What a person should do next, once the meter took it. */
  readonly next?: string;
  /** What the answer says beside yes. */
  readonly result?: (answer: Dlt645Frame) => Readonly<Record<string, unknown>>;
}

interface MeterOperation extends DriverOperation {
  /** Throws `CONFIG_INVALID` and `CONFIG_RANGE`; nothing was sent then. */
  prepare(params: Readonly<Record<string, unknown>>, context: OperationContext): PreparedOperation;
}

const connTypes = [ConnType.rtuMaster, ConnType.tcpClient];
const DANGER = 'Cannot be undone.';

function define<Params extends z.ZodObject>(
  name: string,
  summary: string,
  params: Params,
  prepare: (params: z.output<Params>, context: OperationContext) => PreparedOperation,
  writes = true,
): MeterOperation {
  return { name, summary, params, writes, connTypes, prepare: (given, context) => prepare(params.parse(given), context) };
}

const readAddress = define(
  'read_address',
  'Ask the only meter of the line for its number (13)',
  z.object({}),
  () => ({
    request: readAddressRequest(),
    what: 'the number of the only meter',
    blockedBy: null,
    isRead: true,
    result: ({ data, address }) => ({ meter: decodeAddress(data.length === 6 ? data : address) }),
  }),
  false,
);

const broadcastTime = define(
  'broadcast_time',
  'Set the clocks of all meters of the line, or of one, by a frame that no meter answers (08)',
  z.object({
    meter: z
      .string()
      .trim()
      .regex(/^\d{12}$/, { error: 'must be 12 digits' })
      .default(BROADCAST)
      .describe('999999999999 (default): every meter; else one'),
    time: localTime.optional().describe('local time of the meters; left out: the time of this computer'),
  }),
  (params, { wallMs, utcOffsetMs }) => {
    const digits = params.time === undefined ? localDigits(wallMs + utcOffsetMs) : timeDigits(params.time, 'time');
    return {
      request: timeRequest(params.meter, digits),
      what: `time ${digits} for ${meterText(params.meter)}`,
      blockedBy: params.meter === BROADCAST ? null : params.meter,
      next: 'No meter answers this: read 04000101 and 04000102 to see what was taken. Meters take a few minutes a day at most.',
    };
  },
);

const two = (value: number) => String(value).padStart(2, '0');

const freeze = define(
  'freeze',
  'Freeze the values of one meter or of all, now or at a moment that comes back (16)',
  z.object({
    meter: z
      .string()
      .trim()
      .regex(/^\d{12}$/, { error: 'must be 12 digits' })
      .describe('meter number, 12 digits; 999999999999: every meter, which none answers'),
    when: z.enum(['now', 'hour', 'day', 'month']).default('now').describe('now, or every hour, day or month'),
    minute: z.int().min(0).max(59).default(0),
    hour: z.int().min(0).max(23).default(0).describe('of every day and month'),
    day: z.int().min(1).max(31).default(1).describe('of every month'),
  }),
  (params) => {
    const hour = params.when === 'hour' ? '99' : two(params.hour);
    const day = params.when === 'month' ? two(params.day) : '99';
    const moment = params.when === 'now' ? '99999999' : `99${day}${hour}${two(params.minute)}`;
    const isBroadcast = params.meter === BROADCAST;
    return {
      request: freezeRequest(params.meter, moment),
      what: `freeze ${moment} of ${meterText(params.meter)}`,
      blockedBy: isBroadcast ? null : params.meter,
      ...(isBroadcast ? { next: 'No meter answers a broadcast: read 05010001 to see whether it was taken.' } : {}),
    };
  },
);

const part = z.union([z.number(), z.string().max(400)]);

const writeData = define(
  'write_data',
  'Write a parameter by its identifier, with the value in the format of the dictionary (14; 1997: 04)',
  z.object({
    meter,
    edition,
    identifier: identifier.describe('data identifier, as 04000103 or C111'),
    value: z
      .union([part, z.array(z.union([part, z.array(part).max(50)])).max(50)])
      .describe('number or text; a list of parts or of elements where the item has several; dates with their digits in written order'),
    format: z
      .string()
      .max(100)
      .optional()
      .describe('format of an item the dictionary does not have, as XXXXXX.XX, BIT8 or record (octets in hexadecimal)'),
    level: level(PARAMETER_LEVEL),
  }),
  (params, { secrets }) => {
    const di = identifierOf(params.identifier, params.edition);
    const { item, format } = writableItem(di, params.edition, params.format);
    const value = encodeWritten(params.value, layoutOf(item, format));
    const target = targetOfAddress(params.meter, params.edition);
    const request = writeRequest(
      target,
      di,
      credentialsFor(secrets, { edition: params.edition, needed: PARAMETER_LEVEL, level: params.level }),
      value,
    );
    if (request.data.length > MOST_WRITE_DATA) {
      const message = `A write carries ${MOST_WRITE_DATA} data octets at most, and this one has ${request.data.length}; write fewer elements.`;
      throw new AppError('CONFIG_RANGE', message);
    }
    const name = item ? ` (${item.nameEn})` : '';
    return { request, what: `write of ${diText(di, params.edition)}${name} to ${meterText(params.meter)}`, blockedBy: params.meter };
  },
);

const relayControl = define(
  'relay_control',
  'Relay control: trip, permit or make the closing, alarm, keep the power on (1C). Switches the supply of a customer.',
  z.object({
    meter,
    command: z
      .enum(Object.keys(RELAY_COMMANDS) as [keyof typeof RELAY_COMMANDS, ...(keyof typeof RELAY_COMMANDS)[]])
      .describe('close_permit: the key of the meter closes; hold: keep the power on, release: end of that'),
    valid_minutes: z.int().min(1).max(1440).default(5).describe('how long the command may be carried out, from now'),
    valid_until: localTime.optional().describe('end of its validity in local time of the meters, instead of valid_minutes'),
    level: level(CONTROL_LEVEL),
  }),
  (params, { secrets, wallMs, utcOffsetMs }) => {
    const { command, valid_minutes, valid_until } = params;
    const until =
      valid_until === undefined ? localDigits(wallMs + utcOffsetMs + valid_minutes * 60_000) : timeDigits(valid_until, 'valid_until');
    const credentials = credentialsFor(secrets, { edition: 2007, needed: CONTROL_LEVEL, level: params.level });
    return {
      request: relayRequest(targetOfAddress(params.meter, 2007), command, until, credentials),
      what: `${command} of ${meterText(params.meter)}, valid until ${until}`,
      blockedBy: params.meter,
      next: 'The status word 04000503 says what the relay does: bit 4 relay, bit 6 command.',
    };
  },
);

const setAddress = define(
  'set_address',
  'Give a meter another number (15; 1997: 0A). Without its present number every meter of the line takes it: only one may be connected.',
  z.object({
    new_meter: meter.describe('number it shall have, 12 digits'),
    meter: meter.optional().describe('its present number; left out: the only meter of the line'),
    edition,
  }),
  (params) => {
    const everybody = params.edition === 2007 ? ANY_METER : BROADCAST;
    const address = params.meter ?? everybody;
    return {
      request: writeAddressRequest(address, params.new_meter, params.edition),
      what: `number ${params.new_meter} for ${params.meter === undefined ? 'the only meter of the line' : meterText(address)}`,
      blockedBy: params.meter ?? null,
      next: 'Points of the table keep their slave_id; correct it there.',
    };
  },
);

const rates = [...RATE_BITS.keys()] as [number, ...number[]];

const changeBaudRate = define(
  'change_baud_rate',
  'Change the baud rate of a meter (17; 1997: 0C). It answers with the old one and is silent on this line afterwards.',
  z.object({ meter, edition, baud_rate: z.literal(rates).describe('new baud rate of the meter') }),
  (params) => ({
    request: rateRequest(targetOfAddress(params.meter, params.edition), params.baud_rate),
    what: `baud rate ${params.baud_rate} for ${meterText(params.meter)}`,
    blockedBy: params.meter,
    next: 'The channel keeps its own baud rate; the meter is heard again when baud_rate of the channel is the same.',
  }),
);

const changePassword = define(
  'change_password',
  'Change the password of a level, from the secret of that level to the secret new_password (18; 1997: 0F).',
  z.object({ meter, edition, level: z.int().min(0).max(9).describe('level whose password is changed') }),
  (params, { secrets }) => {
    const { old, next } = passwordChange(secrets, params.level);
    const name = passwordName(params.level);
    return {
      request: passwordRequest(targetOfAddress(params.meter, params.edition), old, next),
      what: `change of the password of level 0${params.level} of ${meterText(params.meter)}`,
      blockedBy: params.meter,
      next: `The secret ${name} still is the old password: set it to the new one once every meter of the channel has it, then remove new_password.`,
    };
  },
);

const clearDemand = define(
  'clear_demand',
  `Clear the maximum demands of a meter (19; 1997: 10). ${DANGER}`,
  z.object({ meter, edition, level: level(PARAMETER_LEVEL) }),
  (params, { secrets }) => ({
    request: clearDemandRequest(
      targetOfAddress(params.meter, params.edition),
      credentialsFor(secrets, { edition: params.edition, needed: PARAMETER_LEVEL, level: params.level }),
    ),
    what: `clearing of the maximum demands of ${meterText(params.meter)}`,
    blockedBy: params.meter,
  }),
);

const clearMeter = define(
  'clear_meter',
  `Clear a meter: energies, demands, freezes and records all become zero (1A). ${DANGER}`,
  z.object({ meter, level: level(CONTROL_LEVEL) }),
  (params, { secrets }) => ({
    request: clearMeterRequest(
      targetOfAddress(params.meter, 2007),
      credentialsFor(secrets, { edition: 2007, needed: CONTROL_LEVEL, level: params.level }),
    ),
    what: `clearing of ${meterText(params.meter)}`,
    blockedBy: params.meter,
  }),
);

const clearEvents = define(
  'clear_events',
  `Clear the event records of a meter, all or those of one identifier (1B). ${DANGER}`,
  z.object({
    meter,
    identifier: identifier.optional().describe('identifier of the events, as 031100FF; left out: all of them'),
    level: level(CONTROL_LEVEL),
  }),
  (params, { secrets }) => {
    const di = params.identifier === undefined ? ALL_EVENTS : identifierOf(params.identifier, 2007);
    const credentials = credentialsFor(secrets, { edition: 2007, needed: CONTROL_LEVEL, level: params.level });
    return {
      request: clearEventsRequest(targetOfAddress(params.meter, 2007), credentials, di),
      what: `clearing of ${di === ALL_EVENTS ? 'all events' : `events ${diText(di, 2007)}`} of ${meterText(params.meter)}`,
      blockedBy: params.meter,
    };
  },
);

const setOutput = define(
  'set_output',
  'Set what the multi-function output of a meter gives (1D)',
  z.object({ meter, output: z.enum(Object.keys(OUTPUTS) as [keyof typeof OUTPUTS, ...(keyof typeof OUTPUTS)[]]) }),
  (params) => ({
    request: outputRequest(targetOfAddress(params.meter, 2007), params.output),
    what: `output ${params.output} of ${meterText(params.meter)}`,
    blockedBy: params.meter,
  }),
);

const SENT: readonly MeterOperation[] = [
  readAddress,
  broadcastTime,
  freeze,
  writeData,
  relayControl,
  setAddress,
  changeBaudRate,
  changePassword,
  setOutput,
  clearDemand,
  clearMeter,
  clearEvents,
];

/** The operation that says which meters nothing is written to. */
export const WRITE_BLOCKS = 'write_blocks';
/** The operation that ends such a block. */
export const LIFT_WRITE_BLOCK = 'lift_write_block';

/** All operations, in the order of buttons. */
export const OPERATIONS: readonly DriverOperation[] = [
  ...SENT,
  {
    name: WRITE_BLOCKS,
    summary: 'List the meters that refused a password, to which nothing is written until the block is lifted; nothing is sent',
    params: z.object({}),
    writes: false,
    connTypes,
  },
  {
    name: LIFT_WRITE_BLOCK,
    summary:
      'Allow writes again to a meter that refused a password; nothing is sent. Another wrong password may lock the meter for 24 hours.',
    params: z.object({ meter }),
    writes: true,
    connTypes,
  },
];

/** The request of an operation. Throws `CONFIG_INVALID` and `CONFIG_RANGE`; nothing was sent then. */
export function prepareOperation(name: string, params: Readonly<Record<string, unknown>>, context: OperationContext): PreparedOperation {
  const found = SENT.find((operation) => operation.name === name);
  if (!found) throw new AppError('CONFIG_INVALID', `There is no operation ${name} for meters.`);
  return found.prepare(params, context);
}
