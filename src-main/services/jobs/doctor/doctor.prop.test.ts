import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { DoctorJob } from '#shared/contract/jobs.ts';
import { ASKING_LAYERS } from '#shared/domain/doctor.ts';
import { modbusTcpDriver } from '../../../drivers/modbus/driver.ts';
import { encodeMbap } from '../../../drivers/modbus/link/mbap.ts';
import { modbusRtuDriver } from '../../../drivers/modbus/rtu/driver.ts';
import { encodeRtu } from '../../../drivers/modbus/rtu/framing.ts';
import { type DeviceScript, JobBench } from '../testing/job-bench.ts';
import { SerialBus } from '../testing/serial-bus.ts';

/** What a device does with one block of octets it receives; `greeting` is the moment of the connection. */
type Move = { readonly kind: 'silent' | 'close' | 'mbap' | 'rtu' | 'exception' } | { readonly kind: 'octets'; readonly octets: Uint8Array };

const move: fc.Arbitrary<Move> = fc.oneof(
  fc.constantFrom('silent', 'close', 'mbap', 'rtu', 'exception').map((kind) => ({ kind }) as Move),
  fc.uint8Array({ minLength: 1, maxLength: 40 }).map((octets) => ({ kind: 'octets', octets }) as Move),
);

function scripted(greeting: Move, moves: readonly Move[]): DeviceScript {
  let at = 0;
  return (peer, bytes) => {
    const now = bytes.length === 0 ? greeting : (moves[at++ % moves.length] ?? greeting);
    const unit = bytes[6] ?? 1;
    const transaction = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
    const quantity = bytes[11] ?? 1;
    const data = Uint8Array.from([3, 2 * quantity, ...new Uint8Array(2 * quantity)]);
    const send = (octets: Uint8Array) => void peer.write(octets).catch(() => undefined);
    if (now.kind === 'close') void peer.close();
    else if (now.kind === 'mbap' && bytes.length > 0) send(encodeMbap(transaction, unit, data));
    else if (now.kind === 'exception' && bytes.length > 0) send(encodeMbap(transaction, unit, Uint8Array.of(0x83, 2)));
    else if (now.kind === 'rtu' && bytes.length > 0) send(encodeRtu(bytes[0] ?? 1, Uint8Array.of(3, 2, 0, 1)));
    else if (now.kind === 'octets') send(now.octets);
  };
}

async function examine(bench: JobBench, channelId: number): Promise<void> {
  const job = bench.start('startDoctor', { channel_id: channelId, slave_ids: [], listen_ms: 100 }) as DoctorJob;
  const ended = await bench.ended(job, 200);
  expect([ended.state, ended.last_error]).toEqual(['done', null]);
  expect(ended.findings.map((verdict) => verdict.layer)).toEqual([...ASKING_LAYERS]);
  for (const { text, next_step } of ended.findings.flatMap((verdict) => [verdict, ...verdict.notes]))
    expect(`${text}${next_step}`).not.toContain('{{');
  expect(bench.functionsOnWire().every((code) => [1, 2, 3, 4].includes(code))).toBe(true);
  await bench.clock.advance(5000);
  expect(bench.clock.pending).toBe(0);
}

const points = [{ slave_id: 1 }, { slave_id: 2, decode: '0x42' }, { slave_id: 1, frame_type: 1, func_code: 1 } as const];

it('whatever a TCP device does, the examination ends with five verdicts, has only read, and leaves nothing behind', async () => {
  await fc.assert(
    fc.asyncProperty(move, fc.array(move, { minLength: 1, maxLength: 6 }), async (greeting, moves) => {
      const bench = new JobBench([modbusTcpDriver]);
      const quiet: Move = greeting.kind === 'octets' || greeting.kind === 'close' ? greeting : { kind: 'silent' };
      await examine(bench, bench.client(await bench.device(scripted(quiet, moves)), points).id);
    }),
    { numRuns: 120 },
  );
});

it('whatever is on a serial line, the same', async () => {
  const format = fc.constantFrom('8N1', '8E1', '8O1', '8N2');
  const pdu = fc.uint8Array({ minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(
      format,
      fc.constantFrom(2400, 9600, 19_200),
      fc.boolean(),
      fc.option(fc.uint8Array({ minLength: 1, maxLength: 30 }), { nil: undefined }),
      fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.option(pdu)), { maxLength: 3 }),
      async (sent, baudRate, echo, traffic, answers) => {
        let bus: SerialBus | null = null;
        const bench: JobBench = new JobBench([modbusRtuDriver], (line) => {
          if (!bus) throw new Error('no bus');
          return bus.connector(line);
        });
        const slaves = answers.map(([address, answer]) => [address, () => answer] as const);
        bus = new SerialBus({ clock: bench.clock, baudRate, format: sent, echo, slaves, ...(traffic ? { traffic } : {}) });
        const channel = bench.client(502, points, { protocol_type: 2, conn_type: 0, com_port: 'COM3', timeout_ms: 50 });
        await examine(bench, channel.id);
        expect(bus.isOpen).toBe(false);
      },
    ),
    { numRuns: 80 },
  );
});
