import { create } from 'zustand';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { ActionRequest } from './action-request.ts';

interface HeldState {
  readonly isHolding: boolean;
  /** In the order in which they were asked for. */
  readonly requests: readonly ActionRequest[];
}

const NOTHING: HeldState = { isHolding: false, requests: [] };
const HELD = 'app.held';

/** Actions of the page that are written down in place of being sent. */
export const useHeldRequests = create<HeldState>()(() => NOTHING);

/** From now on no action leaves the page, until `sendActions`: an end by itself would send what somebody means to look at only. */
export function holdActions(): void {
  useHeldRequests.setState({ isHolding: true, requests: [] });
}

/** Actions are sent again; what was held is forgotten and never sent. */
export function sendActions(): void {
  useHeldRequests.setState(NOTHING);
}

export function isHolding(): boolean {
  return useHeldRequests.getState().isHolding;
}

/** Writes an action down, and answers what its caller is told: it was not sent. */
export function heldBack(request: ActionRequest): AppError {
  useHeldRequests.setState(({ requests }) => ({ requests: [...requests, request] }));
  return new AppError('CANCELLED', say(HELD));
}

/** True for an action that was written down. */
export function isHeldBack(error: unknown): boolean {
  return error instanceof AppError && error.said.code === HELD;
}
