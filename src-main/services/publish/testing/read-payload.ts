import { readFields } from '../sparkplug/protobuf.ts';

/** A metric as a host sees it. */
export interface SeenMetric {
  readonly name?: string;
  readonly alias?: number;
  readonly timestamp?: number;
  readonly datatype?: number;
  readonly isHistorical?: true;
  /** Null: `is_null` stands there. Left out: no value stands there. */
  readonly value?: number | boolean | null;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, number | string>>;
}

/** A payload of Sparkplug B as a host sees it. Throws for what is none. */
export function readPayload(octets: string | Uint8Array) {
  const fields = fieldsOf(octets);
  const metrics = fields.filter(({ field }) => field === 2).map(({ value }) => readMetric(value));
  return { timestamp: numberOf(fields, 1), seq: numberOf(fields, 3), metrics };
}

function readMetric(octets: number | Uint8Array): SeenMetric {
  const fields = fieldsOf(octets);
  const find = (wanted: number) => fields.find(({ field }) => field === wanted)?.value;
  const double = find(13);
  const boolean = find(14);
  const value = () => {
    if (find(7) === 1) return null;
    if (boolean !== undefined) return boolean === 1;
    return double instanceof Uint8Array ? new DataView(double.buffer, double.byteOffset).getFloat64(0, true) : numberOf(fields, 11);
  };
  const metadata = find(8);
  const properties = find(9);
  return Object.fromEntries(
    Object.entries({
      name: textIn(find(1)),
      alias: find(2),
      timestamp: find(3),
      datatype: find(4),
      isHistorical: find(5) === 1 ? true : undefined,
      value: value(),
      description: metadata === undefined ? undefined : textIn(fieldsOf(metadata)[0]?.value),
      properties: properties === undefined ? undefined : readProperties(properties),
    }).filter(([, one]) => one !== undefined),
  );
}

function readProperties(octets: number | Uint8Array): Record<string, number | string> {
  const fields = fieldsOf(octets);
  const keys = fields.filter(({ field }) => field === 1).map(({ value }) => textIn(value) ?? '');
  const values = fields.filter(({ field }) => field === 2).map(({ value }) => fieldsOf(value).find(({ field }) => field > 2)?.value ?? -1);
  return Object.fromEntries(keys.map((key, at) => [key, typeof values[at] === 'number' ? values[at] : (textIn(values[at]) ?? '')]));
}

function fieldsOf(octets: string | number | Uint8Array) {
  const fields = octets instanceof Uint8Array ? readFields(octets) : null;
  if (!fields) throw new Error('it is no message of protobuf');
  return fields;
}

function numberOf(fields: ReturnType<typeof fieldsOf>, wanted: number): number | undefined {
  const value = fields.find(({ field }) => field === wanted)?.value;
  return typeof value === 'number' ? value : undefined;
}

function textIn(value: number | Uint8Array | undefined): string | undefined {
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : undefined;
}
