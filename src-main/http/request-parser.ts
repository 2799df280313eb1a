import type { z } from 'zod';
import type { Operation } from '#shared/contract/index.ts';
import { type FieldIssue, invalidInput } from '#shared/domain/errors.ts';
import { boundedIssues, fieldMessage } from '../services/field-messages.ts';
import { unknownFieldFinder, unknownMessage, WarningList } from '../services/unknown-fields.ts';

/** A request after validation: what the handler gets, and what the caller should know. */
export interface ParsedRequest {
  readonly request: Record<string, unknown>;
  readonly warnings: WarningList;
}

export type RequestParser = (query: unknown, body: unknown) => ParsedRequest;

const PARSE_OPTIONS = { reportInput: true, error: fieldMessage } as const;

/**
 * Compiles the validation of one operation. The parser throws `CONFIG_INVALID` with the list of wrong places; fields that are not
 * known never fail a request, they come back as warnings.
 */
export function requestParser(operation: Operation): RequestParser {
  const takesBody = operation.method !== 'GET';
  const findInBody = unknownFieldFinder(operation.body);
  const queryNames = new Set(Object.keys(operation.query.shape));
  const bodyNames = new Set(Object.keys(operation.body.shape));
  return (query, body) => {
    const warnings = new WarningList();
    const parsedQuery = operation.query.safeParse(query, PARSE_OPTIONS);
    const parsedBody = operation.body.safeParse(takesBody && body !== undefined ? body : {}, PARSE_OPTIONS);
    if (!parsedQuery.success || !parsedBody.success) {
      throw invalidInput(boundedIssues([...issuesOf(parsedQuery), ...issuesOf(parsedBody)]));
    }
    for (const key of Object.keys(query ?? {})) {
      if (queryNames.has(key)) continue;
      const message = bodyNames.has(key) ? 'belongs into the JSON body, not into the query' : unknownMessage(key, [...queryNames]);
      warnings.add(key, message);
    }
    if (takesBody) findInBody?.(body, '', warnings);
    return { request: { ...parsedQuery.data, ...parsedBody.data }, warnings };
  };
}

/** One issue a place and kind: a number beyond 2^53 breaks its own bound as well, which is the one to name. */
function issuesOf(result: z.ZodSafeParseResult<unknown>): FieldIssue[] {
  const issues = new Map<string, FieldIssue>();
  for (const { path, code, message } of result.error?.issues ?? []) {
    const place = path.map(String).join('.');
    issues.set(`${place} ${code}`, { path: place, message });
  }
  return [...issues.values()];
}
