import type { CommandResult } from '#shared/contract/points.ts';
import { findDecode } from '#shared/domain/decode.ts';
import type { DriverCommandResult, PointConfig } from '../drivers/spi/index.ts';
import type { PointState } from '../runtime/values/point-table.ts';
import { isoTime } from './rows.ts';

type Stage = CommandResult['stages'][number];

/** Digits of a 32-bit float, with room for the arithmetic of a device. */
const RELATIVE_TOLERANCE = 1e-6;

/** The stages a driver told. A refusal is always a stage `rejected` with its words, made here for every protocol; `at` is when it was known. */
export function stagesOf(result: DriverCommandResult, at: number): Stage[] {
  const stages: Stage[] = result.stages.map((stage) => ({ name: stage.name, at: isoTime(stage.at), detail: stage.detail }));
  if (result.outcome !== 'rejected') return stages;
  const detail = result.refusal?.detail ?? 'The device refused the command and did not say why.';
  return [...stages, { name: 'rejected', at: isoTime(at), detail }];
}

/** What a read of the device after the command brought. A value that nobody can trust is not the written one. */
export function readBackStage(point: PointConfig, written: number, state: PointState, at: number): Stage {
  const equal = state.quality === 'good' && isWritten(point, written, state.value);
  const trust = state.quality === 'good' ? '' : `, marked ${state.quality}`;
  return { name: 'read_back', at: isoTime(at), detail: `read back ${state.value}${trust}`, value: state.value, equal };
}

/**
 * True when a value that was read may be the one that was written: a whole raw number is rounded, so half a step of it is no difference, and
 * neither are the digits that a 32-bit float does not have.
 */
export function isWritten(point: Pick<PointConfig, 'decode' | 'mul_coe' | 'add_coe'>, written: number, read: number): boolean {
  const decode = findDecode(point.decode);
  const halfStep = decode && !decode.type.startsWith('float') ? Math.abs(point.mul_coe) / 2 : 0;
  const digits = Math.max(Math.abs(written), Math.abs(point.add_coe)) * RELATIVE_TOLERANCE;
  return Math.abs(read - written) <= halfStep + digits;
}
