import type { CommandResult } from '#shared/contract/points.ts';
import { findDecode } from '#shared/domain/decode.ts';
import { FrameType } from '#shared/domain/enums.ts';
import { asMessage, english, inARow, isMessageId, say } from '#shared/messages/index.ts';
import { type Message, type MessageParam, names } from '#shared/messages/message.ts';
import type { CommandStage, DriverCommandResult, PointConfig } from '../drivers/spi/index.ts';
import type { PointState } from '../runtime/values/point-table.ts';
import { isoTime } from './rows.ts';

type Stage = CommandResult['stages'][number];

/** Digits of a 32-bit float, with room for the arithmetic of a device. */
const RELATIVE_TOLERANCE = 1e-6;

/** A stage in the names of the contract. */
export function stageRow({ name, at, detail }: CommandStage) {
  return { name, at: isoTime(at), detail: english(detail), detail_message: asMessage(detail) };
}

/** A stage that only its protocol knows stays as it is named there. */
function stageName(name: string): MessageParam {
  const id = `stage.${name}`;
  return isMessageId(id) ? { code: id, params: {} } : name;
}

/** What an audit entry keeps of stages and of what else was said, each once. */
export function stagesTold(stages: readonly CommandStage[], also: readonly Message[] = []): Message {
  const told = new Set(stages.map(({ detail }) => english(detail)));
  const parts = stages.map(({ name, detail }) => say('service.stage', { stage: stageName(name), detail: asMessage(detail) }));
  for (const said of also) if (!told.has(english(said))) parts.push(asMessage(said));
  return inARow(parts);
}

/** The stages a driver told. A refusal is always a stage `rejected` with its words, made here for every protocol; `at` is when it was known. */
export function stagesOf(result: DriverCommandResult, at: number): Stage[] {
  const stages: Stage[] = result.stages.map(stageRow);
  if (result.outcome !== 'rejected') return stages;
  const detail = result.refusal?.detail ?? say('service.refused_wordless');
  return [...stages, stageRow({ name: 'rejected', at, detail })];
}

/** What a read of the device after the command brought. A value that nobody can trust is not the written one. */
export function readBackStage(point: PointConfig, written: number, state: PointState, at: number): Stage {
  const equal = state.quality === 'good' && isWritten(point, written, state.value, state.exponent);
  const { value, quality } = state;
  const told = inStates(point, value);
  const detail =
    quality === 'good'
      ? say('service.read_back', { value: told })
      : say('service.read_back_marked', { value: told, quality: say(`service.quality_${quality}`) });
  return { ...stageRow({ name: 'read_back', at, detail }), value, equal };
}

/** Two-bit states (decisions, "Points"); a single control has the first two. */
const STATES = [
  names('off (0)', '分 (0)'),
  names('on (1)', '合 (1)'),
  names('intermediate (2)', '中间态 (2)'),
  names('bad (3)', '坏状态 (3)'),
];

/** A value of a state in its word, any other as it is. */
function inStates({ frame_type }: Pick<PointConfig, 'frame_type'>, value: number): MessageParam {
  const most = frame_type === FrameType.yx ? STATES.length : frame_type === FrameType.yk ? 2 : 0;
  return (value < most && STATES[value]) || value;
}

/**
 * True when a value that was read may be the one that was written: a whole raw number is rounded, so half a step of it is no difference, and
 * neither are the digits that a 32-bit float does not have. `exponent`: power of ten that came with the raw number.
 */
export function isWritten(
  point: Pick<PointConfig, 'decode' | 'mul_coe' | 'add_coe'>,
  written: number,
  read: number,
  exponent = 0,
): boolean {
  const decode = findDecode(point.decode);
  const halfStep = decode && !decode.type.startsWith('float') ? (Math.abs(point.mul_coe) * 10 ** exponent) / 2 : 0;
  const digits = Math.max(Math.abs(written), Math.abs(point.add_coe)) * RELATIVE_TOLERANCE;
  return Math.abs(read - written) <= halfStep + digits;
}
