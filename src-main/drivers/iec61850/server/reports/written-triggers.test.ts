/** What an SCL file marks as reasons to report (dchg, qchg, dupd of IEC 61850-6), and what the common data classes say where it marks nothing. */
import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import type { PointConfig } from '../../../spi/index.ts';
import { sclText } from '../../model/testing/files.ts';
import { context, point } from '../testing/asking.ts';
import { Reporting, TRUE, triggers, unsigned } from './testing/reporting.ts';

const BLOCK = 'BAY1LD0/LLN0$RP$urcbStat01';
const MEASURED = 'BAY1LD0/LLN0$RP$urcbMeas01';
const STATE = point(1, FrameType.yx, 'BAY1LD0/GGIO1.Ind1.stVal[ST]');
const POWER = point(2, FrameType.yc, 'BAY1MEAS/MMXU1.TotW.mag.f[MX]');
const VALUE = '<DA name="stVal" bType="BOOLEAN" fc="ST" dchg="true"/>';
const QUALITY = '<DA name="q" bType="Quality" fc="ST"/>';
const MAGNITUDE = '<DA name="mag" bType="Struct" type="AnalogueValue" fc="MX" dchg="true"/>';
const CONTROL = '<ReportControl name="urcbStat"';
const MEASURING =
  '<ReportControl name="urcbMeas" datSet="dsMeas" confRev="1"><TrgOps dchg="true" qchg="true" dupd="true"/><OptFields reasonCode="true"/></ReportControl>';

/** What is told of values of a point, each set with these flags, in a file with these attributes in place of its own. */
async function told(
  block: string,
  one: PointConfig,
  values: readonly (readonly [number, ...'IV'[]])[],
  changes: Readonly<Record<string, string>>,
) {
  let text = sclText('bay.cid').replace(CONTROL, MEASURING + CONTROL);
  for (const [from, to] of Object.entries(changes)) {
    if (!text.includes(from)) throw new Error(`the file has no ${from}`);
    text = text.replaceAll(from, to);
  }
  const device = new Reporting({ points: [STATE, POWER], document: { name: 'bay.cid', text } });
  const reader = await device.reader();
  await reader.write(block, 'TrgOps', triggers('data_change', 'quality_change', 'data_update'));
  await reader.write(block, 'OptFlds', { kind: 'bit-string', size: 10, octets: Uint8Array.of(0x10, 0) });
  await reader.write(block, 'BufTm', unsigned(0));
  expect(await reader.write(block, 'RptEna', TRUE)).toBeNull();
  for (const [value, ...flags] of values) {
    await device.channel.connection.execute({ point: one, step: 'operate', value, options: { flags } }, context());
    await device.pass(0);
  }
  return reader.told().map((report) => report.slice(report.indexOf(':') + 2));
}

describe('reasons to report', () => {
  it('are those of the common data class for an attribute that the file marks nothing of', async () => {
    const values = [[0], [0], [0, 'IV']] as const;
    const expected = ['0=false data-change', '0=false quality-change'];
    expect(await told(BLOCK, STATE, values, {})).toEqual(expected);
    expect(await told(BLOCK, STATE, values, { [VALUE]: VALUE.replace(' dchg="true"', '') })).toEqual(expected);
    const unmarked = { [MAGNITUDE]: MAGNITUDE.replace(' dchg="true"', '') };
    expect(await told(MEASURED, POWER, [[1], [1]], unmarked)).toEqual(['0=0 data-change+data-update', '0=0 data-update']);
  });

  it('are those of the file, all of them, where it marks one', async () => {
    expect(await told(MEASURED, POWER, [[1], [1]], {})).toEqual(['0=0 data-change']);
    expect(await told(MEASURED, POWER, [[1], [1]], { [MAGNITUDE]: MAGNITUDE.replace('dchg', 'dupd') })).toEqual([
      '0=0 data-update',
      '0=0 data-update',
    ]);
    expect(await told(BLOCK, STATE, [[0], [1]], { [VALUE]: VALUE.replace('dchg="true"', 'dchg="false"') })).toEqual([]);
    expect(await told(BLOCK, STATE, [[0], [0]], { [VALUE]: VALUE.replace('dchg="true"', 'dchg="1" dupd="1"') })).toEqual([
      '0=false data-change+data-update',
      '0=false data-update',
    ]);
    const silent = { [VALUE]: VALUE.replace('dchg="true"', 'dchg="false"'), [QUALITY]: QUALITY.replace('/>', ' qchg="false"/>') };
    expect(await told(BLOCK, STATE, [[0], [0, 'IV'], [1]], silent)).toEqual([]);
  });

  it('may be a time that a class says nothing of', async () => {
    const timed = {
      [VALUE]: VALUE.replace('dchg="true"', 'dchg="false"'),
      '<DA name="t" bType="Timestamp" fc="ST"/>': '<DA name="t" bType="Timestamp" fc="ST" dupd="true"/>',
    };
    expect(await told(BLOCK, STATE, [[0]], timed)).toEqual(['0=false data-update']);
  });
});
