import { type AppError, toAppError } from '#shared/domain/errors.ts';
import type { DriverChannelSettings } from '../../../drivers/spi.ts';
import type { DriverDiagnostics, ProbeAnswer, Recognition } from '../../../drivers/spi-diagnostics.ts';
import type { JobRecord } from '../job-record.ts';
import type { Asker } from './asker.ts';
import { concatOctets } from './octets.ts';
import type { VerdictSheet } from './verdicts.ts';

/** One address that was asked. */
export interface AddressProbe {
  readonly slaveId: number;
  /** Null when none came. */
  readonly answer: ProbeAnswer | null;
  readonly error: AppError | null;
  readonly recognition: Recognition;
}

/** All addresses that were asked, and the traffic of it. */
export interface AddressRound {
  readonly probes: readonly AddressProbe[];
  readonly heard: Uint8Array;
  readonly sent: readonly Uint8Array[];
}

export interface AddressOptions {
  readonly asker: Asker;
  readonly diagnostics: DriverDiagnostics;
  readonly settings: DriverChannelSettings;
  readonly job: JobRecord;
  /** Waits after an answer, for a second one of another device with the same address. */
  readonly settle: () => Promise<void>;
}

/** Asks each address once. Throws `CANCELLED` between two of them, and what says that the channel is gone. */
export async function probeAddresses(slaveIds: readonly number[], options: AddressOptions): Promise<AddressRound> {
  const { asker, diagnostics, settings, job, settle } = options;
  const probes: AddressProbe[] = [];
  const heard: Uint8Array[] = [];
  const sent: Uint8Array[] = [];
  asker.take();
  for (const slaveId of slaveIds) {
    job.checkpoint();
    if (asker.hasEnded) break;
    job.activity = `Asking address ${addressText(slaveId, diagnostics)}`;
    const end = await probe(slaveId, asker);
    await settle();
    const traffic = asker.take();
    heard.push(traffic.heard);
    sent.push(...traffic.sent);
    probes.push({ slaveId, ...end, recognition: diagnostics.recognise(traffic.heard, traffic.sent, settings) });
  }
  return { probes, heard: concatOctets(heard), sent };
}

async function probe(slaveId: number, asker: Asker): Promise<{ answer: ProbeAnswer | null; error: AppError | null }> {
  try {
    const answer = await asker.ask(({ diagnostics }, context) => {
      if (!diagnostics) throw new TypeError('the driver names diagnostics and its connection has none');
      return diagnostics.probe(slaveId, context);
    });
    return { answer, error: null };
  } catch (thrown) {
    const error = toAppError(thrown);
    // nobody asks for the device any more, or there is none to ask
    if (error.code === 'CANCELLED' || error.code === 'INTERNAL' || error.code === 'STATE_NOT_STARTED') throw error;
    return { answer: null, error };
  }
}

/** Octets in an answer that were no frame, from which on fragments are taken for a collision. */
const FRAGMENT = 4;

/** Judges the layer `address`; `round` has at least one answer. Answers the addresses of devices that can be read. */
export function judgeAddresses(round: AddressRound, sheet: VerdictSheet, diagnostics: DriverDiagnostics): number[] {
  const text = (slaveIds: readonly number[]) => slaveIds.map((slaveId) => addressText(slaveId, diagnostics)).join(', ');
  const list = (probes: readonly AddressProbe[]) => text(probes.map((probe) => probe.slaveId));
  const answered = round.probes.filter((probe) => probe.answer !== null);
  const gateways = answered.filter((probe) => probe.answer?.kind === 'gateway');
  const alive = answered.filter((probe) => probe.answer?.kind !== 'gateway').map((probe) => probe.slaveId);
  const silent = round.probes.filter((probe) => probe.answer === null);
  const doubled = answered.find((probe) => probe.recognition.answersToOne > 1);
  const broken = alive.length > 0 ? silent.find((probe) => probe.recognition.noise >= FRAGMENT) : undefined;
  const gateway = gateways[0];
  const gatewayParams = { asked: list(gateways), detail: gateway?.answer?.detail ?? '' };
  const remarks = answered.flatMap((probe) => probe.answer?.remark ?? []);
  const [remark, ...otherRemarks] = remarks;
  const some = { answering: text(alive), silent: list(silent) };
  if (doubled) sheet.set('address', 'bad', 'ADDRESS_TWO', { address: addressParam(doubled.slaveId, diagnostics) });
  else if (broken) sheet.set('address', 'bad', 'ADDRESS_COLLISION', { address: addressParam(broken.slaveId, diagnostics) });
  else if (alive.length === 0) sheet.set('address', 'bad', 'ADDRESS_GATEWAY', gatewayParams);
  else if (remark) sheet.set('address', remarks.length === alive.length ? 'bad' : 'warning', remark.code, remark.params);
  else if (silent.length > 0) sheet.set('address', 'warning', 'ADDRESS_SOME', some);
  else sheet.set('address', gateway ? 'warning' : 'good', 'ADDRESS_GOOD', { answering: text(alive) });
  for (const other of doubled || broken ? remarks : otherRemarks) sheet.note('address', other.code, other.params);
  if (gateway && alive.length > 0) sheet.note('address', 'ADDRESS_GATEWAY', gatewayParams);
  if ((doubled || broken || remark) && silent.length > 0 && alive.length > 0) sheet.note('address', 'ADDRESS_SOME', some);
  return alive;
}

/** An address as people of the protocol write it. */
export function addressText(slaveId: number, { addressText: own }: Pick<DriverDiagnostics, 'addressText'>): string {
  return own ? own(slaveId) : String(slaveId);
}

/** As it stands among the parameters of a sentence: a number where the protocol has no text of its own. */
function addressParam(slaveId: number, { addressText: own }: Pick<DriverDiagnostics, 'addressText'>): string | number {
  return own ? own(slaveId) : slaveId;
}
