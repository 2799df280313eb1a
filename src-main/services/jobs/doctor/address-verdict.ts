import type { DoctorCode, DoctorParams, VerdictState } from '#shared/domain/doctor.ts';
import type { DriverDiagnostics } from '../../../drivers/spi/diagnostics.ts';
import type { DriverChannelSettings } from '../../../drivers/spi/index.ts';
import { type AddressProbe, type AddressRound, addressText } from './addresses.ts';
import type { VerdictSheet } from './verdicts.ts';

/** Octets in an answer that were no frame, from which on fragments are taken for a collision. */
const FRAGMENT = 4;

interface Finding {
  readonly state: VerdictState;
  readonly code: DoctorCode;
  readonly params: DoctorParams;
}

/** Judges the layer `address`; `round` has at least one answer, in time or late. Answers the addresses of devices that can be read. */
export function judgeAddresses(
  round: AddressRound,
  sheet: VerdictSheet,
  diagnostics: DriverDiagnostics,
  settings: Pick<DriverChannelSettings, 'timeoutMs'>,
): number[] {
  const { probes } = round;
  const text = (slaveIds: readonly number[]) => slaveIds.map((slaveId) => addressText(slaveId, diagnostics)).join(', ');
  const answered = probes.filter((probe) => probe.answer !== null);
  const gateways = answered.filter((probe) => probe.answer?.kind === 'gateway');
  const alive = answered.filter((probe) => probe.answer?.kind !== 'gateway').map(({ slaveId }) => slaveId);
  const findings = findingsOf(probes, alive, diagnostics, settings);
  const isCured = findings.length === 0;
  const gateway = gateways[0];
  const gatewayParams = { asked: text(gateways.map(({ slaveId }) => slaveId)), detail: gateway?.answer?.detail ?? '' };
  if (gateway && alive.length === 0) findings.unshift({ state: 'bad', code: 'ADDRESS_GATEWAY', params: gatewayParams });
  else if (gateway) findings.push({ state: 'warning', code: 'ADDRESS_GATEWAY', params: gatewayParams });
  if (alive.length > 0 && isCured) {
    findings.unshift({ state: gateway ? 'warning' : 'good', code: 'ADDRESS_GOOD', params: { answering: text(alive) } });
  }
  const [verdict, ...others] = findings;
  if (verdict) sheet.set('address', verdict.state, verdict.code, verdict.params);
  for (const { code, params } of others) sheet.note('address', code, params);
  return alive;
}

/** What is not as it should be, the gravest first. */
function findingsOf(
  probes: readonly AddressProbe[],
  alive: readonly number[],
  diagnostics: DriverDiagnostics,
  settings: Pick<DriverChannelSettings, 'timeoutMs'>,
): Finding[] {
  const text = (slaveIds: readonly number[]) => slaveIds.map((slaveId) => addressText(slaveId, diagnostics)).join(', ');
  const address = (probe: AddressProbe) => ({ address: addressParam(probe.slaveId, diagnostics) });
  const late = probes.filter(({ lateMs }) => lateMs !== null);
  const silent = probes.filter(({ answer, lateMs }) => answer === null && lateMs === null);
  const remarks = probes.flatMap(({ answer }) => answer?.remark ?? []);
  const findings: Finding[] = [];
  const add = (state: VerdictState, code: DoctorCode, params: DoctorParams) => findings.push({ state, code, params });
  const doubled = probes.find(({ isDoubled }) => isDoubled);
  const broken = alive.length > 0 ? silent.find(isInFragments) : undefined;
  if (doubled) add('bad', 'ADDRESS_TWO', address(doubled));
  else if (broken) add('bad', 'ADDRESS_COLLISION', address(broken));
  for (const { code, params } of remarks) add(remarks.length === alive.length ? 'bad' : 'warning', code, params);
  if (late.length > 0) add(alive.length > 0 ? 'warning' : 'bad', 'ADDRESS_LATE', lateParams(late, diagnostics, settings));
  for (const probe of probes) if (hasMissed(probe)) add('warning', 'ADDRESS_UNSTEADY', { ...address(probe), ...countsOf(probe) });
  if (silent.length > 0 && alive.length > 0) {
    add('warning', 'ADDRESS_SOME', { answering: text(alive), silent: text(silent.map(({ slaveId }) => slaveId)) });
  }
  return findings;
}

function lateParams(
  late: readonly AddressProbe[],
  diagnostics: DriverDiagnostics,
  { timeoutMs }: Pick<DriverChannelSettings, 'timeoutMs'>,
) {
  const ms = Math.max(...late.map(({ lateMs }) => lateMs ?? 0));
  const address = late.map(({ slaveId }) => addressText(slaveId, diagnostics)).join(', ');
  return { address, ms, timeout: timeoutMs, suggested: suggestedTimeout(ms) };
}

/** Waiting time that suits a device that took `ms`: half as much again, in full tenths of a second. */
export function suggestedTimeout(ms: number): number {
  return Math.ceil((ms * 1.5) / 100) * 100;
}

/** Answered at last, and not at first. */
function hasMissed({ answer, attempts, isDoubled }: AddressProbe): boolean {
  const [first] = attempts;
  return answer !== null && !isDoubled && attempts.length > 1 && first !== undefined && first.recognition.answersToOne === 0;
}

function countsOf({ attempts }: AddressProbe): { readonly answered: number; readonly asked: number } {
  return { answered: attempts.filter(({ recognition }) => recognition.answersToOne > 0).length, asked: attempts.length };
}

function isInFragments({ attempts }: AddressProbe): boolean {
  return attempts.some(({ recognition }) => recognition.noise >= FRAGMENT);
}

/** As it stands among the parameters of a sentence: a number where the protocol has no text of its own. */
function addressParam(slaveId: number, { addressText: own }: Pick<DriverDiagnostics, 'addressText'>): string | number {
  return own ? own(slaveId) : slaveId;
}
