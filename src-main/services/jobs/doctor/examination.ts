import type { Message } from '#shared/messages/message.ts';
import type { DriverDiagnostics } from '../../../drivers/spi/diagnostics.ts';
import type { DriverChannelSettings, PointConfig, ProtocolDriver } from '../../../drivers/spi/index.ts';
import type { JobRecord } from '../job-record.ts';
import { judgeAddresses } from './address-verdict.ts';
import type { AddressRound } from './addresses.ts';
import type { Asker } from './asker.ts';
import { examineTable } from './table.ts';
import type { VerdictSheet } from './verdicts.ts';

/** What every examination of a channel knows. */
export interface Patient {
  readonly driver: ProtocolDriver;
  readonly diagnostics: DriverDiagnostics;
  /** Name of the protocol for sentences. */
  readonly protocol: string;
  /** TCP port that the protocol usually has. */
  readonly usual: number;
  readonly settings: DriverChannelSettings;
  readonly points: readonly PointConfig[];
  /** Addresses to ask. */
  readonly slaveIds: readonly number[];
  readonly sheet: VerdictSheet;
  readonly job: JobRecord;
}

/** Shows how far the examination is: layers that have their verdict. */
export function showProgress({ job, sheet }: Pick<Patient, 'job' | 'sheet'>, activity: Message | null = job.activity): void {
  job.current = sheet.size;
  job.total = sheet.layers.length;
  job.activity = activity;
}

/** The layers from `bytes` on, once at least one address has answered. */
export async function judgeAnswered(round: AddressRound, asker: Asker, patient: Patient): Promise<void> {
  const { sheet, diagnostics, settings, protocol } = patient;
  const seen = diagnostics.recognise(round.heard, round.sent, settings);
  sheet.set('bytes', 'good', 'BYTES_SEEN', { count: round.heard.length });
  if (seen.noise > 0) sheet.set('framing', 'warning', 'FRAMING_MIXED', { frames: seen.frames, noise: seen.noise, protocol });
  else sheet.set('framing', 'good', 'FRAMING_GOOD', { frames: seen.frames, protocol });
  const alive = judgeAddresses(round, sheet, diagnostics, settings);
  showProgress(patient);
  if (alive.length === 0) return;
  await examineTable(readableOf(round, patient), { asker, diagnostics, settings, job: patient.job, sheet });
}

/** Points of the table whose devices have answered in a round. */
export function readableOf({ probes }: AddressRound, { points, driver }: Pick<Patient, 'points' | 'driver'>): PointConfig[] {
  const alive = probes.filter(({ answer }) => answer !== null && answer.kind !== 'gateway').map(({ slaveId }) => slaveId);
  return points.filter((point) => alive.includes(point.slave_id) && driver.isReadable(point));
}
