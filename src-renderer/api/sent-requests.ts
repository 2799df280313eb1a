import { create } from 'zustand';
import type { InputOf, OperationName } from '#shared/contract/index.ts';
import { type ActionRequest, actionRequest, isAction } from './action-request.ts';
import { heldBack, isHolding } from './held-requests.ts';

/** Requests that are kept; the oldest give way. */
export const MOST_SENT = 50;

/** An action of somebody on this page. */
export interface SentRequest extends ActionRequest {
  readonly id: number;
  /** UTC, ISO 8601. */
  readonly at: string;
  /** How it ended: null as long as it has not. */
  readonly outcome: 'done' | 'refused' | null;
}

interface SentState {
  /** The newest first. */
  readonly requests: readonly SentRequest[];
}

export const useSentRequests = create<SentState>()(() => ({ requests: [] }));

let next = 1;

/** Keeps what an action sends as it runs, and how it ended. While actions are held back it is written down and not sent. */
export async function keepingRequest<Name extends OperationName, Answer>(
  name: Name,
  input: InputOf<Name>,
  work: () => Promise<Answer>,
): Promise<Answer> {
  if (!isAction(name)) return work();
  const asked = actionRequest(name, input);
  if (isHolding()) throw heldBack(asked);
  const entry: SentRequest = { ...asked, id: next++, at: new Date().toISOString(), outcome: null };
  useSentRequests.setState(({ requests }) => ({ requests: [entry, ...requests].slice(0, MOST_SENT) }));
  const end = (outcome: 'done' | 'refused') =>
    useSentRequests.setState(({ requests }) => ({
      requests: requests.map((each) => (each.id === entry.id ? { ...each, outcome } : each)),
    }));
  try {
    const answer = await work();
    end('done');
    return answer;
  } catch (thrown) {
    end('refused');
    throw thrown;
  }
}
