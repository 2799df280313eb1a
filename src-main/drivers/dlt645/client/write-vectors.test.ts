import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../platform/manual-clock.ts';
import { runSteps } from '../../../platform/steps.ts';
import { hexText } from '../../../protocol-kit/bytes.ts';
import { TestFrames, TestHealth } from '../../testing/sinks.ts';
import { ANY_METER, BROADCAST } from '../codec/address.ts';
import { encodeFrame } from '../codec/frame.ts';
import { Dlt645Framer, type ReceivedFrame } from '../link/framer.ts';
import { Dlt645Server } from '../meter/server.ts';
import { answerFits, type MeterRequest } from '../meter-request.ts';
import { channelSettings } from '../settings.ts';
import { pointsOf, TestLine, testSettings } from '../testing/bench.ts';
import { allVectors, octets } from '../vectors/load.ts';
import { credentialsFor, passwordOctets } from './credentials.ts';
import { writableItem } from './operation-params.ts';
import {
  ALL_EVENTS,
  clearDemandRequest,
  clearEventsRequest,
  clearMeterRequest,
  freezeRequest,
  outputRequest,
  passwordRequest,
  rateRequest,
  readAddressRequest,
  relayRequest,
  targetOfAddress,
  timeRequest,
  writeAddressRequest,
  writeRequest,
} from './write-requests.ts';
import { encodeWritten, layoutOf, type WrittenValue } from './write-values.ts';

const METER = '000012345678';
const SECRETS = { password_02: '000000', password_04: '000000', operator_code: '12345678' };
const meter = targetOfAddress(METER, 2007);
const old = targetOfAddress(METER, 1997);
const at = (level: number) => credentialsFor(SECRETS, { edition: 2007, needed: level, level });
const TIME = '260305143015';
const UNTIL = '260305144000';

function write(di: number, value: WrittenValue, edition: 2007 | 1997 = 2007): MeterRequest {
  const { item, format } = writableItem(di, edition, di === 0x04990001 ? 'XX' : undefined);
  const credentials = credentialsFor(SECRETS, { edition, needed: 2, level: 2 });
  return writeRequest(edition === 2007 ? meter : old, di, credentials, encodeWritten(value, layoutOf(item, format)));
}

/** Each vector with what makes its request. */
const REQUESTS: readonly (readonly [name: string, request: MeterRequest])[] = [
  ['std_read_address', readAddressRequest()],
  ['std_write_address_reply_new', writeAddressRequest(ANY_METER, '000087654321', 2007)],
  ['std_time_sync_broadcast', timeRequest(BROADCAST, TIME)],
  ['tp_timesync_broadcast_2017', timeRequest(BROADCAST, '170605102251')],
  ['tp_timesync_broadcast_2022', timeRequest(BROADCAST, '220317140747')],
  ['tp_timesync_unicast', timeRequest('111111111111', '170605104025')],
  ['std97_time_sync', timeRequest(BROADCAST, TIME)],
  ['std_freeze_monthly', freezeRequest(METER, '99010000')],
  ['std_freeze_daily', freezeRequest(METER, '99990000')],
  ['std_freeze_hourly', freezeRequest(METER, '99999900')],
  ['std_freeze_now', freezeRequest(METER, '99999999')],
  ['std_freeze_broadcast_now', freezeRequest(BROADCAST, '99999999')],
  ['cap_freeze_now_unicast', freezeRequest(METER, '99999999')],
  ['cap_freeze_now_broadcast', freezeRequest(BROADCAST, '99999999')],
  ['cap_change_baud_1200', rateRequest(meter, 1200)],
  ['cap_change_baud_2400', rateRequest(meter, 2400)],
  ...[600, 1200, 2400, 4800, 9600, 19_200].map((rate) => [`std_change_baud_${rate}`, rateRequest(meter, rate)] as const),
  ['std_clear_demand', clearDemandRequest(meter, at(4))],
  ['std_clear_meter', clearMeterRequest(meter, at(2))],
  ['std_clear_events_all', clearEventsRequest(meter, at(2), ALL_EVENTS)],
  // that peer sends the code in written order
  ['cap_clear_all_events', clearEventsRequest(meter, { ...at(2), operator: octets('12345678') }, ALL_EVENTS)],
  ['std_change_password_level4', passwordRequest(meter, passwordOctets(4, '000000'), passwordOctets(4, '112233'))],
  ['std_write_time', write(0x04000102, '14:30:15')],
  ['std_write_date', write(0x04000101, '2026-03-05 04')],
  ['std_write_demand_period', write(0x04000103, 30)],
  ['std_write_settlement_day', write(0x04000b01, '0100')],
  ['std_write_holiday', write(0x04030001, '2026-05-01 01')],
  ['std_write_error_other', write(0x04000103, 99)],
  ['std_write_error_unknown_di', write(0x04990001, 0)],
  ['std_write_error_year_zones', write(0x04000201, 15)],
  ['std_write_error_day_slots', write(0x04000203, 15)],
  ['std_write_error_rates', write(0x04000204, 64)],
  ['std_control_trip', relayRequest(meter, 'trip', UNTIL, at(2))],
  ['std_control_close_permit', relayRequest(meter, 'close_permit', UNTIL, at(2))],
  ['std_control_close_direct', relayRequest(meter, 'close', UNTIL, at(2))],
  ['std_control_alarm_on', relayRequest(meter, 'alarm_on', UNTIL, at(2))],
  ['std_control_alarm_off', relayRequest(meter, 'alarm_off', UNTIL, at(2))],
  ['std_control_keep_power_on', relayRequest(meter, 'hold', UNTIL, at(2))],
  ['std_control_keep_power_off', relayRequest(meter, 'release', UNTIL, at(2))],
  ['std_multifunction_second_pulse', outputRequest(meter, 'second_pulse')],
  ['std_multifunction_demand_period', outputRequest(meter, 'demand_period')],
  ['std_multifunction_slot_switch', outputRequest(meter, 'slot_switch')],
  ['std97_write_time', write(0xc011, '143015', 1997)],
  ['std97_write_address', writeAddressRequest(BROADCAST, METER, 1997)],
];

const vectorOf = (name: string) => {
  const vector = allVectors.find((each) => each.name === name);
  if (!vector) throw new Error(`no vector ${name}`);
  return vector;
};
const plain = (hex: string) => hex.replace(/^(?:FE)+/, '');

/** Simulated meters of both editions on a line, at half past two in the afternoon. */
function meters(secrets: Record<string, string> = {}) {
  const clock = new ManualClock(Date.UTC(2026, 2, 5, 6, 30, 15));
  const line = new TestLine(clock);
  const points = pointsOf([
    { address: 0x02010100, slave_id: Number(METER) },
    { address: 0x9010, slave_id: Number(METER), protocol: { edition: 1997 } },
  ]);
  const settings = { ...testSettings, protocol: channelSettings.parse({ preambles: 0 }) };
  const sink = { values: () => {}, notice: () => {}, lost: () => {} };
  const io = {
    clock,
    points,
    settings,
    sink,
    secrets,
    frames: new TestFrames(),
    health: new TestHealth(),
    serialLine: line,
    onPeer: () => {},
  };
  const server = runSteps(new Dlt645Server(io).started());
  const ask = async (bytes: Uint8Array) => {
    const before = line.sent.length;
    line.receive(bytes);
    await clock.advance(100);
    return line.sent.slice(before).map(({ bytes: sent }) => hexText(sent).replaceAll(' ', ''));
  };
  return { ask, server };
}

describe('requests that change something', () => {
  it.each(REQUESTS)('%s is made octet for octet', (name, request) => {
    expect(hexText(encodeFrame(request)).replaceAll(' ', '')).toBe(plain(vectorOf(name).request_hex ?? ''));
  });

  it.each(REQUESTS.filter(([name]) => vectorOf(name).response_hex !== null))('%s is answered by its answer alone', (name, request) => {
    const answer = octets(vectorOf(name).response_hex ?? '');
    const frames = new Dlt645Framer().push(answer).filter((item): item is ReceivedFrame => item.kind === 'frame');
    expect(frames.map((frame) => answerFits(request, frame))).toEqual([true]);
    for (const [other, otherRequest] of REQUESTS) {
      if (frames[0] && otherRequest.control !== request.control)
        expect([other, answerFits(otherRequest, frames[0])]).toEqual([other, false]);
    }
  });

  it.each(REQUESTS)('%s has the answer of a simulated meter', async (name) => {
    const { request_hex, response_hex, meaning } = vectorOf(name);
    const expected = response_hex === null ? [] : [plain(response_hex)];
    expect(await meters().ask(octets(request_hex ?? '')), String(meaning.values)).toEqual(expected);
  });

  it.each(['std_write_error_password', 'std_control_bad_password', 'std_clear_meter_bad_password', 'std97_write_bad_password'])(
    '%s is refused for its password',
    async (name) => {
      const { request_hex, response_hex } = vectorOf(name);
      const answers = await meters({ password_02: '111111' }).ask(octets(request_hex ?? ''));
      expect(answers).toEqual([plain(response_hex ?? '')]);
    },
  );

  it('in any chunks are the same to a meter', async () => {
    for (const [name] of REQUESTS) {
      const { request_hex, response_hex } = vectorOf(name);
      const bytes = octets(request_hex ?? '');
      for (let split = 1; split < bytes.length; split += 3) {
        const { ask } = meters();
        const first = await ask(bytes.subarray(0, split));
        const second = await ask(bytes.subarray(split));
        expect([name, split, ...first, ...second]).toEqual([name, split, ...(response_hex === null ? [] : [plain(response_hex)])]);
      }
    }
  });
});
