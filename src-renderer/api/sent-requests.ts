import { create } from 'zustand';
import { type ApiRequest, toRequest } from '#shared/client/client.ts';
import type { Effect } from '#shared/contract/effect.ts';
import { type InputOf, type Operation, type OperationName, operations } from '#shared/contract/index.ts';

/** Requests that are kept; the oldest give way. */
export const MOST_SENT = 50;

/** A request that somebody has caused on this page, without anything secret. */
export interface SentRequest {
  readonly id: number;
  /** UTC, ISO 8601. */
  readonly at: string;
  readonly name: OperationName;
  readonly effect: Effect;
  readonly request: Pick<ApiRequest, 'method' | 'url' | 'body'>;
  readonly fileName: string | null;
  readonly isDownload: boolean;
  /** How it ended: null as long as it has not. */
  readonly outcome: 'done' | 'refused' | null;
}

interface SentState {
  /** The newest first. */
  readonly requests: readonly SentRequest[];
}

export const useSentRequests = create<SentState>()(() => ({ requests: [] }));

let next = 1;

/** True for what people do: changes, reads and files that they ask for. What the page asks by itself to show something is none. */
function isAction({ effect, download }: Operation): boolean {
  return effect !== 'query' || (download !== undefined && download.isShown !== true);
}

/** A body without its passwords and keys; that they were given is told. */
function withoutSecrets({ secretFields = [] }: Operation, body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, secretFields.includes(key) ? hidden(value) : value]));
}

function hidden(value: unknown): unknown {
  if (value === null) return null;
  return typeof value === 'object' ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, hidden(each)])) : '…';
}

/** Keeps what an action sends as it runs, and how it ended. */
export async function keepingRequest<Name extends OperationName, Answer>(
  name: Name,
  input: InputOf<Name>,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const operation: Operation = operations[name];
  if (!isAction(operation)) return work();
  const { method, url, body } = toRequest(name, input);
  const file = Object.values(input).find((value) => value instanceof File);
  const shown = withoutSecrets(operation, body);
  const isEmpty = typeof shown === 'object' && shown !== null && Object.keys(shown).length === 0;
  const entry: SentRequest = {
    id: next++,
    at: new Date().toISOString(),
    name,
    effect: operation.effect,
    request: { method, url, ...(shown === undefined || (file && isEmpty) ? {} : { body: shown }) },
    fileName: file?.name ?? null,
    isDownload: operation.download !== undefined,
    outcome: null,
  };
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
