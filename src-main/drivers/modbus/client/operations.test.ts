import { describe, expect, it } from 'vitest';
import { english, type Said } from '#shared/messages/index.ts';
import { ManualClock } from '../../../platform/manual-clock.ts';
import { clientSettings } from '../../testing/settings.ts';
import { exchangeContext, TestFrames, TestHealth, TestSink } from '../../testing/sinks.ts';
import { modbusTcpDriver } from '../driver.ts';
import { encodeMbap } from '../link/mbap.ts';
import { TestLine } from '../testing/line.ts';
import { octets } from '../vectors/load.ts';
import { SERVICE_OPERATIONS } from './operations.ts';

/** Runs an operation against a device that answers a PDU; '' for silence. */
async function run(name: string, params: Record<string, unknown>, answer: string) {
  const line = new TestLine();
  const clock = new ManualClock();
  line.onWrite = (bytes) => {
    if (answer !== '') line.receive(encodeMbap(((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0), bytes[6] ?? 0, octets(answer)));
  };
  const parts = { clock, sink: new TestSink(), frames: new TestFrames(), health: new TestHealth(), line };
  const client = await modbusTcpDriver.connect({ ...parts, settings: clientSettings(), points: [] }, new AbortController().signal);
  const found = SERVICE_OPERATIONS.find((operation) => operation.name === name);
  const running = client.operate?.(name, found?.params.parse(params) ?? {}, exchangeContext());
  running?.catch(() => undefined);
  await clock.advance(5000);
  const sent = line.sent.map((bytes) => Buffer.from(bytes.subarray(6)).toString('hex'));
  return {
    sent,
    end: await running?.then(
      (done) => ({ done, error: null }),
      (error: unknown) => ({ done: null, error }),
    ),
  };
}

describe('operations of Modbus', () => {
  it.each([
    ['report_server_id', {}, '0111', '11 03 41 FF 31', { octets: '41 FF 31', text: 'A.1', is_running: true }],
    ['report_server_id', {}, '0111', '11 03 41 42 00', { octets: '41 42 00', text: 'AB.', is_running: false }],
    ['report_server_id', {}, '0111', '11 03 41 42 43', { octets: '41 42 43', text: 'ABC', is_running: null }],
    ['read_exception_status', { unit_id: 3 }, '0307', '07 6D', { status: 0x6d, outputs: '01101101' }],
    ['read_diagnostics', { counter: 'exceptions' }, '0108000d0000', '08 00 0D 01 21', { counter: 'exceptions', count: 289 }],
    ['test_communication', {}, '01080000a537', '08 00 00 A5 37', { returned: 'A5 37' }],
    ['read_event_counter', {}, '010b', '0B FF FF 01 08', { is_busy: true, events: 264 }],
    [
      'read_event_log',
      {},
      '010c',
      '0C 08 00 00 01 08 01 21 41 80',
      {
        is_busy: false,
        events: 264,
        messages: 289,
        log: [
          { event: '0x41', kind: 'sent', listen_only: false, error: true },
          { event: '0x80', kind: 'received', listen_only: false, error: false },
        ],
      },
    ],
    ['read_fifo_queue', { address: 1246 }, '011804de', '18 00 06 00 02 01 B8 12 84', { values: [440, 4740] }],
    [
      'read_file_record',
      { file: 4, record: 1, length: 2 },
      '01140706000400010002',
      '14 06 05 06 4F 4B 00 20',
      { file: 4, record: 1, octets: '4F 4B 00 20', text: 'OK. ', registers: [0x4f4b, 0x20] },
    ],
    [
      'write_file_record',
      { file: 4, record: 7, octets: '06 AF' },
      '0115090600040007000106af',
      '15 09 06 00 04 00 07 00 01 06 AF',
      { registers: 1 },
    ],
    ['clear_counters', {}, '0108000a0000', '08 00 0A 00 00', {}],
    ['restart_communications', { clear_log: true }, '01080001ff00', '08 00 01 FF 00', {}],
  ])('%s %j', async (name, params, request, answer, result) => {
    const { sent, end } = await run(name, params, answer);
    expect(sent).toEqual([request]);
    expect(end?.done).toMatchObject({ outcome: 'accepted', result });
  });

  it('what changes something in the device is a command, and nothing else is', () => {
    const commands = SERVICE_OPERATIONS.filter(({ effect }) => effect === 'command').map(({ name }) => name);
    expect(commands).toEqual(['write_file_record', 'clear_counters', 'restart_communications', 'force_listen_only']);
    expect(SERVICE_OPERATIONS.filter(({ effect }) => effect !== 'command').every(({ effect }) => effect === 'repeatable')).toBe(true);
  });

  it('a refusal is a result', async () => {
    expect((await run('read_fifo_queue', { address: 1 }, '98 02')).end?.done).toMatchObject({ outcome: 'rejected' });
    expect((await run('clear_counters', {}, '88 0B')).end?.done).toMatchObject({ outcome: 'unknown' });
  });

  it('a command without an answer is unknown and sent once, a question fails', async () => {
    const listening = await run('force_listen_only', {}, '');
    expect(listening.sent).toHaveLength(1);
    expect(listening.end?.done).toMatchObject({ outcome: 'unknown' });
    const said = listening.end?.done?.stages.map(({ detail }: { detail: Said }) => english(detail)).join(' ');
    expect(said).toContain('as the standard has it');
    expect((await run('report_server_id', {}, '')).end?.error).toMatchObject({ code: 'TIMEOUT_RESPONSE' });
  });

  it('an answer that does not fit is no result', async () => {
    expect((await run('read_fifo_queue', { address: 1 }, '18 00 06 00 01 01 B8')).end?.error).toMatchObject({ code: 'PROTOCOL_MALFORMED' });
  });

  it('half a register is refused before anything is sent', async () => {
    const { sent, end } = await run('write_file_record', { file: 1, octets: '06' }, '');
    expect(sent).toEqual([]);
    expect(end?.error).toMatchObject({ code: 'CONFIG_INVALID' });
  });
});
