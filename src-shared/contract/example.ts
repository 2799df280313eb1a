import { z } from 'zod';
import type { Operation } from './operation.ts';

type Json = Readonly<Record<string, unknown>>;

/** What stands in examples under a name, the first of them that its schema allows: a plant of one storage system. */
const WORDS: Readonly<Record<string, readonly unknown[]>> = {
  add_coe: [0],
  address: [100, '192.168.1.10:502', '0x02010100', 'https://192.168.1.20:8991'],
  address_text: ['0x02010100'],
  applied: [true],
  audit_id: [1],
  auto_reconnect: [true],
  baud_rate: [9600],
  bound_port: [8991],
  channel: ['PCS 1'],
  channel_id: [1],
  channel_name: ['PCS 1'],
  channels: [1],
  choice: ['plain0'],
  client_id: ['loopcheck'],
  code: ['P', 20],
  com_port: ['COM3'],
  complete: [true],
  conforms: [true],
  conn_type: [2],
  cycle_interval_ms: [1000],
  data_bits: [8],
  database: ['plant'],
  dataset: ['BCU1LD0/LLN0$dsMeas'],
  decode: ['0x21'],
  device: ['PCS 1'],
  device_name: ['PCS 1'],
  digest: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  enabled: [true],
  errors: [[]],
  fc: ['MX'],
  filter: ['not error'],
  fingerprint: ['9F:86:D0:81:88:4C:7D:65:9A:2F:EA:A0:C5:5A:D0:15:A3:BF:4F:1B:2B:0B:82:2C:D1:5D:6C:15:B0:F0:0A:08'],
  flags: [[]],
  folder: ['/home/li/plant'],
  forgotten: [true],
  func_code: [3],
  group: ['Storage'],
  hex: ['04D2'],
  host: ['127.0.0.1'],
  id: [1, 'own-plant'],
  ip: ['192.168.1.10'],
  is_current: [true],
  is_present: [true],
  is_reached: [true],
  items: [1],
  last_seq: [417],
  latency_ms: [12],
  mapping: ['{}'],
  measurement: ['loopcheck'],
  message: ['must be a whole number from 1 to 65535'],
  met: [true],
  mul_coe: [0.1],
  name: ['PCS 1'],
  name_en: ['Active power'],
  name_zh: ['有功功率'],
  operator: ['Li'],
  page: [1],
  page_size: [50],
  path: ['/home/li/plant/plant.loopcheck'],
  peer: ['192.168.1.10:502'],
  pid: [4711],
  point_count: [1],
  point_id: [1],
  points: ['1:0:1'],
  port: [502],
  prefix: ['plant/bay1'],
  project_session: ['0b1f4a526f0e'],
  quality: ['good'],
  quantity: [10],
  raw: ['125'],
  raw_hex: ['04D2'],
  reference: ['BCU1LD0/MMXU1.A1[MX]'],
  removed: [true],
  revision: ['12', 12],
  rows: [1],
  seq: [417],
  session: ['1f3c09aa72be'],
  session_id: [1],
  sha256: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  slave_id: [1],
  started: [true],
  status: ['running'],
  stop_bits: [1],
  stopping: [true],
  suspended: [[]],
  table: ['loopcheck_values'],
  text: ['QF1 closed'],
  timeout_ms: [1000],
  token: ['the-token-of-an-access'],
  total: [1],
  unit: ['kW'],
  url: ['mqtt://192.168.1.20:1883', 'http://192.168.1.20:8086', 'postgresql://192.168.1.20:5432/plant'],
  user: ['plant'],
  value: [12.5, '12.5'],
  version: ['0.2.0', 1],
  warnings: [[]],
  writable: [true],
};

/** Fields of requests that are shown although they may be left out. */
const SHOWN: ReadonlySet<string> = new Set(['address', 'code', 'decode', 'ip', 'name', 'port', 'unit', 'value']);

/** How deep examples go: what a tree has below is left out. */
const DEEPEST = 6;
const TIME = '2026-01-31T08:00:00.120Z';
const ID = '0b1f4a52-6f0e-4c3e-9a53-0d9a4c1f7a10';

/** Requests say what they are about, answers what there is. */
type Side = 'input' | 'output';

/** An example of a schema, made from what it says: examples of its own, defaults, enumerations, bounds, and the words above. Of choices the first one. */
export function exampleOf(schema: z.ZodType, side: Side): unknown {
  const whole = z.toJSONSchema(schema, { io: side, unrepresentable: 'any' }) as Json;
  return exampleOfJson(whole, whole, side);
}

/** As `exampleOf`, of a JSON Schema; its references lead into `whole`. */
export function exampleOfJson(schema: Json, whole: Json, side: Side): unknown {
  return new Walk(whole, side).value(schema, '', 0);
}

/** An example of what a caller gives to an operation. */
export function exampleInput({ query, body, example }: Operation): Record<string, unknown> {
  return { ...(exampleOf(query, 'input') as object), ...(exampleOf(body, 'input') as object), ...example };
}

class Walk {
  readonly #whole: Json;
  readonly #side: Side;

  constructor(whole: Json, side: Side) {
    this.#whole = whole;
    this.#side = side;
  }

  value(given: Json, name: string, depth: number): unknown {
    const node = this.#resolved(given);
    const { const: constant, enum: choices, anyOf, oneOf, type } = node;
    if (Array.isArray(node.examples)) return node.examples[0];
    if (constant !== undefined) return constant;
    const word = WORDS[name]?.find((each) => fits(each, node));
    if (word !== undefined) return word;
    if (node.default !== undefined) return node.default;
    if (Array.isArray(choices)) return choices[0];
    const branches = (anyOf ?? oneOf) as readonly Json[] | undefined;
    if (branches && type === undefined) return this.#chosen(branches, name, depth);
    if (type === 'object') return this.#object(node, depth);
    if (type === 'array') return this.#array(node, name, depth);
    if (type === 'string') return text(node);
    if (type === 'integer' || type === 'number') return number(node);
    if (type === 'boolean') return false;
    return null;
  }

  #resolved(node: Json): Json {
    const { $ref, allOf, ...rest } = node;
    const parts = [...(typeof $ref === 'string' ? [this.#at($ref)] : []), ...((allOf ?? []) as Json[])];
    return parts.length === 0 ? node : Object.assign({}, ...parts.map((part) => this.#resolved(part)), rest);
  }

  #at(reference: string): Json {
    const places = reference.slice(1).split('/').filter(Boolean);
    return places.reduce<Json>((place, key) => place[key] as Json, this.#whole);
  }

  #chosen(branches: readonly Json[], name: string, depth: number): unknown {
    const resolved = branches.map((branch) => this.#resolved(branch));
    const isNullable = resolved.some(({ type }) => type === 'null');
    const real = resolved.filter(({ type }) => type !== 'null');
    const [first] = real;
    const isDeep = first?.type === 'object' || first?.type === 'array' || first?.anyOf !== undefined;
    return !first || (isNullable && (isDeep || depth > DEEPEST)) ? null : this.value(first, name, depth);
  }

  #object({ properties = {}, required = [], additionalProperties, propertyNames }: Json, depth: number): unknown {
    const keys = (propertyNames as Json | undefined)?.enum;
    if (Array.isArray(keys))
      return Object.fromEntries(keys.map((key) => [key, this.value(additionalProperties as Json, String(key), depth + 1)]));
    const names = Object.keys(properties as Json).filter(
      (name) => (required as string[]).includes(name) || (this.#side === 'input' && SHOWN.has(name)),
    );
    if (names.length === 0 && additionalProperties) return {};
    return Object.fromEntries(names.map((name) => [name, this.value((properties as Record<string, Json>)[name] as Json, name, depth + 1)]));
  }

  #array({ items, minItems = 0, prefixItems }: Json, name: string, depth: number): unknown[] {
    if (Array.isArray(prefixItems)) return prefixItems.map((item) => this.value(item as Json, name, depth + 1));
    if (depth > DEEPEST && minItems === 0) return [];
    const count = Math.max(1, Number(minItems));
    return Array.from({ length: count }, () => this.value(items as Json, singular(name), depth + 1));
  }
}

function singular(name: string): string {
  return name.replace(/ies$/, 'y').replace(/s$/, '');
}

function fits(
  value: unknown,
  { type, enum: choices, pattern, minimum, maximum, minLength, maxLength, minItems = 0, anyOf, oneOf }: Json,
): boolean {
  if (Array.isArray(choices)) return choices.includes(value);
  const branches = (anyOf ?? oneOf) as readonly Json[] | undefined;
  if (branches && type === undefined) return branches.some((branch) => fits(value, branch));
  if (typeof value === 'number') {
    const isType = type === 'number' || (type === 'integer' && Number.isInteger(value));
    return isType && value >= Number(minimum ?? -Infinity) && value <= Number(maximum ?? Infinity);
  }
  if (typeof value === 'string') {
    const isLength = value.length >= Number(minLength ?? 0) && value.length <= Number(maxLength ?? Infinity);
    return type === 'string' && isLength && (typeof pattern !== 'string' || new RegExp(pattern, 'u').test(value));
  }
  return Array.isArray(value) ? type === 'array' && Number(minItems) <= value.length : typeof value === type;
}

function text({ format, minLength = 0 }: Json): string {
  if (format === 'date-time') return TIME;
  if (format === 'uuid') return ID;
  if (format === 'binary') return '(octets of the file)';
  return Number(minLength) === 0 ? '' : 'x'.repeat(Number(minLength));
}

function number({ minimum = 0, exclusiveMinimum = -1, maximum = Infinity }: Json): number {
  return Math.min(Number(maximum), Math.max(0, Number(minimum), Number(exclusiveMinimum) + 1));
}
