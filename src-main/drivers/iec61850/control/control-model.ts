/** The control model that a command goes by (IEC 61850-7-2, 20.1), and whether the device has what it needs. */
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { PointConfig } from '../../spi/index.ts';
import type { MmsType } from '../mms/types.ts';
import { componentType } from '../model/types.ts';
import type { ControlState } from './control-object.ts';

export const SBO_NORMAL = 2;
const DIRECT_ENHANCED = 3;
const SBO_ENHANCED = 4;

/** The device ends a command of this model by telling how it went. */
export function isEnhanced(model: number): boolean {
  return model === DIRECT_ENHANCED || model === SBO_ENHANCED;
}

/** A command of this model is selected before it is operated. */
export function hasSelection(model: number): boolean {
  return model === SBO_NORMAL || model === SBO_ENHANCED;
}

/** The control model that a point is set to; null: it is as the device says. */
export function ownModel({ protocol }: PointConfig): number | null {
  return typeof protocol.control_model === 'number' ? protocol.control_model : null;
}

/** The control model of a command, and that the device has what it needs. Throws `CONFIG_INVALID`. */
export function modelOf(config: PointConfig, { model: told, modelProblem }: ControlState, types: MmsType): number {
  const { code: point } = config;
  const model = ownModel(config) ?? told;
  if (model === null) throw new AppError('CONFIG_INVALID', say('control.model_unknown', { point, reason: modelProblem ?? '' }));
  if (model === 0) throw new AppError('CONFIG_INVALID', say('control.status_only', { point }));
  const needed = ['Oper', ...(model === SBO_NORMAL ? ['SBO'] : model === SBO_ENHANCED ? ['SBOw'] : [])];
  const missing = needed.filter((name) => componentType(types, name) === null);
  if (missing.length === 0) return model;
  const present = types.kind === 'structure' ? types.components.map(({ name }) => name) : [];
  throw new AppError('CONFIG_INVALID', say('control.model_lies', { point, model, missing, present }));
}
