import { type ApiRequest, toRequest } from '#shared/client/client.ts';
import type { Effect } from '#shared/contract/effect.ts';
import { type InputOf, type Operation, type OperationName, operations } from '#shared/contract/index.ts';

/** What an action asks of the API, without anything secret. */
export interface ActionRequest {
  readonly name: OperationName;
  readonly effect: Effect;
  readonly request: Pick<ApiRequest, 'method' | 'url' | 'body'>;
  readonly fileName: string | null;
  readonly isDownload: boolean;
}

/** True for what people do: changes, reads and files that they ask for. What the page asks by itself to show something is none. */
export function isAction(name: OperationName): boolean {
  const { effect, download }: Operation = operations[name];
  return effect !== 'query' || (download !== undefined && download.isShown !== true);
}

export function actionRequest<Name extends OperationName>(name: Name, input: InputOf<Name>): ActionRequest {
  const operation: Operation = operations[name];
  const { method, url, body } = toRequest(name, input);
  const file = Object.values(input).find((value) => value instanceof File);
  const shown = withoutSecrets(operation, body);
  const isEmpty = typeof shown === 'object' && shown !== null && Object.keys(shown).length === 0;
  return {
    name,
    effect: operation.effect,
    request: { method, url, ...(shown === undefined || (file && isEmpty) ? {} : { body: shown }) },
    fileName: file?.name ?? null,
    isDownload: operation.download !== undefined,
  };
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
