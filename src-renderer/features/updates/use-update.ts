import type { UseQueryResult } from '@tanstack/react-query';
import type { UpdateNotice } from '#shared/contract/updates.ts';
import type { AppError } from '#shared/domain/errors.ts';
import { useOperation } from '../../api/hooks.ts';

/** The service answers from memory for hours; this often a window that stays open hears of it. */
const ASK_MS = 600_000;

/** What the service knows of newer versions. */
export function useUpdate(): UseQueryResult<UpdateNotice, AppError> {
  return useOperation('updateNotice', {}, { pollMs: ASK_MS });
}
