/** Operations that meters ask no password for. */

import { z } from 'zod';
import { say } from '#shared/messages/index.ts';
import { schemaWords } from '#shared/messages/schema-words.ts';
import { ANY_METER, BROADCAST, decodeAddress } from '../codec/address.ts';
import { define, type MeterOperation } from './meter-operation.ts';
import { edition, localDigits, localTime, meter, meterNumber, SLAVE, shownTime, timeDigits } from './operation-params.ts';
import {
  freezeRequest,
  meterText,
  OUTPUTS,
  outputRequest,
  RATE_BITS,
  rateRequest,
  readAddressRequest,
  targetOfAddress,
  timeRequest,
  writeAddressRequest,
} from './write-requests.ts';

const readAddress = define(
  'read_address',
  'Ask the only meter of the line for its number (13)',
  z.object({}),
  () => ({
    request: readAddressRequest(),
    what: say('dlt645.what_number'),
    blockedBy: null,
    result: ({ data, address }) => ({ meter: decodeAddress(data.length === 6 ? data : address) }),
  }),
  'repeatable',
);

const broadcastTime = define(
  'broadcast_time',
  'Set the clocks of all meters of the line, or of one, by a frame that no meter answers (08)',
  z.object({
    meter: z
      .string()
      .trim()
      .regex(/^\d{12}$/, { error: schemaWords(say('dlt645.digits')) })
      .default(BROADCAST)
      .describe('999999999999 (default): every meter; else one')
      .meta(SLAVE),
    time: localTime.optional().describe('local time of the meters; left out: the time of this computer'),
  }),
  (params, { wallMs, utcOffsetMs }) => {
    const digits = params.time === undefined ? localDigits(wallMs + utcOffsetMs) : timeDigits(params.time, 'time');
    return {
      request: timeRequest(params.meter, digits),
      what: say('dlt645.what_time', { time: shownTime(digits), meter: meterText(params.meter) }),
      blockedBy: params.meter === BROADCAST ? null : params.meter,
      next: say('dlt645.next_time'),
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
      .regex(/^\d{12}$/, { error: schemaWords(say('dlt645.digits')) })
      .describe('meter number, 12 digits; 999999999999: every meter, which none answers')
      .meta(SLAVE),
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
      what: say('dlt645.what_freeze', { moment, meter: meterText(params.meter) }),
      blockedBy: isBroadcast ? null : params.meter,
      ...(isBroadcast ? { next: say('dlt645.next_freeze') } : {}),
    };
  },
);

const setAddress = define(
  'set_address',
  'Give a meter another number (15; 1997: 0A). Without its present number every meter of the line takes it: only one may be connected.',
  z.object({
    new_meter: meterNumber.describe('number it shall have, 12 digits'),
    meter: meterNumber.optional().describe('its present number; left out: the only meter of the line').meta(SLAVE),
    edition,
  }),
  (params) => {
    const everybody = params.edition === 2007 ? ANY_METER : BROADCAST;
    const address = params.meter ?? everybody;
    return {
      request: writeAddressRequest(address, params.new_meter, params.edition),
      what: say('dlt645.what_address', {
        number: params.new_meter,
        meter: params.meter === undefined ? say('dlt645.only_meter') : meterText(address),
      }),
      blockedBy: params.meter ?? null,
      next: say('dlt645.next_address'),
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
    what: say('dlt645.what_rate', { rate: params.baud_rate, meter: meterText(params.meter) }),
    blockedBy: params.meter,
    next: say('dlt645.next_rate'),
  }),
);

const setOutput = define(
  'set_output',
  'Set what the multi-function output of a meter gives (1D)',
  z.object({ meter, output: z.enum(Object.keys(OUTPUTS) as [keyof typeof OUTPUTS, ...(keyof typeof OUTPUTS)[]]) }),
  (params) => ({
    request: outputRequest(targetOfAddress(params.meter, 2007), params.output),
    what: say('dlt645.what_output', { output: params.output, meter: meterText(params.meter) }),
    blockedBy: params.meter,
  }),
);

/** Number, clock, freeze, baud rate and output. */
export const OPEN_OPERATIONS: readonly MeterOperation[] = [readAddress, broadcastTime, freeze, setAddress, changeBaudRate, setOutput];
