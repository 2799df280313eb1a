import type { STAGE_MESSAGES } from '#shared/messages/stage.ts';
import type { Translation } from '../../types.ts';
import { points } from '../points.ts';

const { stageOf } = points.write;

export const stage: Translation<typeof STAGE_MESSAGES> = {
  'stage.blocked': stageOf.blocked,
  'stage.fallback': stageOf.fallback,
  'stage.read': stageOf.read,
  'stage.sent': stageOf.sent,
  'stage.broadcast': stageOf.broadcast,
  'stage.confirmed': stageOf.confirmed,
  'stage.acknowledged': stageOf.acknowledged,
  'stage.rejected': stageOf.rejected,
  'stage.clock': stageOf.clock,
  'stage.unanswered': stageOf.unanswered,
  'stage.failed': stageOf.failed,
  'stage.read_back': stageOf.read_back,
  'stage.set': stageOf.set,
  'stage.done': stageOf.done,
  'stage.select_sent': stageOf.select_sent,
  'stage.selected': stageOf.selected,
  'stage.cancel_sent': stageOf.cancel_sent,
  'stage.cancelled': stageOf.cancelled,
  'stage.terminated': stageOf.terminated,
  'stage.not_terminated': stageOf.not_terminated,
  'stage.busy': stageOf.busy,
  'stage.lost': stageOf.lost,
};
