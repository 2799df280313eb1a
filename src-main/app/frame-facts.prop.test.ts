import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dlt645Driver } from '../drivers/dlt645/driver.ts';
import { iec104Driver } from '../drivers/iec104/driver.ts';
import { iec61850Driver } from '../drivers/iec61850/driver.ts';
import { modbusTcpDriver } from '../drivers/modbus/driver.ts';
import { modbusRtuDriver } from '../drivers/modbus/rtu/driver.ts';
import type { ExplainContext, FrameFacts } from '../drivers/spi/index.ts';
import { clientSettings } from '../drivers/testing/settings.ts';

/** A frame of each protocol, to be harmed. */
const FRAMES = [
  '00070000000611030006000300',
  '0103006b00037417',
  '6815080000001e0103000100050000810100008c410719',
  '68120000000001021400010001000000070000 00',
  'fefefe68120000000000681104333434351e16',
  '68120000000000689106333434355655cf16',
  '0300001f02f080010001006112301002010 3a00ba009020105a4040302010100',
].map((hex) => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex')));

const harmed = fc
  .record({ frame: fc.constantFrom(...FRAMES), changes: fc.array(fc.tuple(fc.nat(40), fc.nat(255)), { maxLength: 4 }), cut: fc.nat(60) })
  .map(({ frame, changes, cut }) => {
    const bytes = frame.slice(0, cut);
    for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
    return bytes;
  });
const octets = fc.oneof(harmed, fc.uint8Array({ maxLength: 280 }));
const context: fc.Arbitrary<ExplainContext> = fc.record({
  kind: fc.constantFrom('tx', 'rx', 'noise', 'late'),
  isRequest: fc.boolean(),
  request: fc.option(octets),
  settings: fc.constantFrom(clientSettings(), { ...clientSettings(), addressBase: 1, protocol: { framing: 'ascii' } }),
});

function isSane({ slave, function: code, names = [], addresses = [], references = [] }: FrameFacts): boolean {
  const isNumber = code === undefined || Number.isInteger(code);
  const hasSlave = slave === undefined || typeof slave === 'string' || Number.isInteger(slave);
  return isNumber && hasSlave && addresses.every(({ from, to }) => from <= to) && [...names, ...references].every((text) => text !== '');
}

it.each([dlt645Driver, iec104Driver, iec61850Driver, modbusTcpDriver, modbusRtuDriver])(
  'facts of whatever octets end without a fault, in numbers that are numbers: $descriptor.key',
  ({ facts }) => {
    if (!facts) throw new Error('has no facts');
    fc.assert(
      fc.property(octets, context, (bytes, around) => {
        const told = facts(bytes, around);
        if (told) expect(isSane(told)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  },
);
