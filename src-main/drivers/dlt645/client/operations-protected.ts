/** Operations behind a password of the meter. */

import { z } from 'zod';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { diText } from '../dictionary/dictionary.ts';
import { CONTROL_LEVEL, credentialsFor, PARAMETER_LEVEL, passwordChange, passwordName } from './credentials.ts';
import { define, type MeterOperation } from './meter-operation.ts';
import {
  edition,
  identifier,
  identifierOf,
  level,
  localDigits,
  localTime,
  meter,
  shownTime,
  timeDigits,
  writableItem,
} from './operation-params.ts';
import {
  ALL_EVENTS,
  clearDemandRequest,
  clearEventsRequest,
  clearMeterRequest,
  meterText,
  passwordRequest,
  RELAY_COMMANDS,
  relayRequest,
  targetOfAddress,
  writeRequest,
} from './write-requests.ts';
import { encodeWritten, layoutOf, MOST_WRITE_DATA } from './write-values.ts';

const DANGER = 'Cannot be undone.';

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
      const message = say('dlt645.write_long', { most: MOST_WRITE_DATA, count: request.data.length });
      throw new AppError('CONFIG_RANGE', message);
    }
    const facts = { di: diText(di, params.edition), meter: meterText(params.meter) };
    const what = item ? say('dlt645.what_write_named', { ...facts, name: item.nameEn }) : say('dlt645.what_write', facts);
    return { request, what, blockedBy: params.meter };
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
    const target = targetOfAddress(params.meter, 2007);
    return {
      request: relayRequest(target, command, until, credentials),
      what: say('dlt645.what_relay', { command, meter: meterText(params.meter), until: shownTime(until) }),
      blockedBy: params.meter,
      validity: { target, until },
      next: say('dlt645.next_relay'),
    };
  },
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
      what: say('dlt645.what_password', { level: params.level, meter: meterText(params.meter) }),
      blockedBy: params.meter,
      next: say('dlt645.next_password', { name }),
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
    what: say('dlt645.what_clear_demand', { meter: meterText(params.meter) }),
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
    what: say('dlt645.what_clear_meter', { meter: meterText(params.meter) }),
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
      what:
        di === ALL_EVENTS
          ? say('dlt645.what_clear_all_events', { meter: meterText(params.meter) })
          : say('dlt645.what_clear_events', { di: diText(di, 2007), meter: meterText(params.meter) }),
      blockedBy: params.meter,
    };
  },
);

/** Parameters, relay, passwords, and what clears counters and records. */
export const PROTECTED_OPERATIONS: readonly MeterOperation[] = [
  writeData,
  relayControl,
  changePassword,
  clearDemand,
  clearMeter,
  clearEvents,
];
