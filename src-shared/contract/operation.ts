import type { z } from 'zod';
import type { Role } from '../domain/access.ts';
import type { Effect } from './effect.ts';

/**
 * One entry of the contract: everything HTTP routes, OpenAPI, the typed client and copy-as-curl need to know.
 * `query` fields arrive as text; `body` is JSON; `data` is the `data` member of the answer envelope.
 */
export interface Operation<
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodObject = z.ZodObject,
  Data extends z.ZodType = z.ZodType,
  Does extends Effect = Effect,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path with the `/api` prefix; parameters are always in query or body, as in the service document. */
  readonly path: string;
  /** One line for OpenAPI and the command palette. */
  readonly summary: string;
  /** Longer text for OpenAPI: semantics, units, errors. */
  readonly description?: string;
  readonly tag: 'service' | 'project' | 'channels' | 'points' | 'model' | 'tasks' | 'jobs' | 'frames' | 'events' | 'check';
  readonly query: Query;
  readonly body: Body;
  readonly data: Data;
  /** Error statuses this operation can answer with, beside those every operation shares (400, 401, 403, 409 while the service stops or changes its project, 413, 415, 422, 500), commands (507), and uploads (429). */
  readonly errors?: readonly (404 | 409 | 429 | 502 | 503 | 504 | 507)[];
  /**
   * Set when the body is a form with one file in the field `file` (multipart/form-data) instead of JSON; octets the file may have. `toDisk`: it is
   * written to the disk as it arrives, and never in memory as a whole.
   */
  readonly upload?: { readonly largestFile: number; readonly toDisk?: true };
  /** Set when the answer is a file instead of JSON; `data` is then a `DownloadedFile`. `isShown`: a text to be read where it arrives, not to be saved. */
  readonly download?: { readonly mediaTypes: readonly string[]; readonly isShown?: true };
  /** What it does to the world. Retry, arming, audit, read-only and line access follow from it (`EFFECT_RULES`). */
  readonly effect: Does;
  /** Fields of the body with passwords or keys: they are shown and kept nowhere. */
  readonly secretFields?: readonly string[];
  /** Fields of an example of the body, where what is made from the schemas (`contract/example.ts`) would say too little. */
  readonly example?: Readonly<Partial<z.input<Body>>>;
  /** Role of those who may ask it, where it is another than what follows from the effect (`roleOf`). */
  readonly role?: Role;
  /** Set for a `repeatable` that may send octets to a device: it opens, asks or closes a connection. */
  readonly line?: true;
}

/** A file as the answer of an operation. */
export interface DownloadedFile {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** Only a `repeatable` has something to declare: a query never touches the line, a command always may. */
type LineOf<Does extends Effect> = Does extends 'repeatable' ? object : { readonly line?: never };

/** Keeps the literal types of an operation while checking its shape. */
export function operation<Query extends z.ZodObject, Body extends z.ZodObject, Data extends z.ZodType, const Does extends Effect>(
  entry: Operation<Query, Body, Data, Does> & LineOf<Does>,
): Operation<Query, Body, Data, Does> {
  return entry;
}

/** An empty zod object forbids every key; here it must only add none. */
type Fields<Shape> = Shape extends Record<string, never> ? object : Shape;

/** What a caller passes: the query and body fields of the operation in one object (their names never collide). */
export type OperationInput<Op extends Operation> = Fields<z.input<Op['query']>> & Fields<z.input<Op['body']>>;

/** What a handler receives after validation: defaults filled in, text of the query turned into numbers. */
export type OperationRequest<Op extends Operation> = Fields<z.output<Op['query']>> & Fields<z.output<Op['body']>>;

/** The `data` member of a successful answer. */
export type OperationData<Op extends Operation> = z.output<Op['data']>;
