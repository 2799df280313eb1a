import type { DocumentDevices } from '#shared/contract/iec61850.ts';

type Choice = DocumentDevices['choices'][number];

/** A device of a file, at one of its addresses. */
export interface DeviceRow {
  /** Unique in the file. */
  readonly id: string;
  readonly choice: Choice;
  /** Null: the file has no Communication for it. */
  readonly address: Choice['addresses'][number] | null;
  readonly device: string;
  readonly accessPoint: string;
  /** `10.1.2.3:102`; empty without an address. */
  readonly place: string;
  /** `0001 / 0001 / 00000001`, transport, session, presentation; a dash for one that the file leaves out. */
  readonly selectors: string;
  readonly maker: string;
}

const SELECTORS = ['remote_transport_selector', 'remote_session_selector', 'remote_presentation_selector'];

/** One row for each address of each device; a device without any has one as well. */
export function deviceRows({ choices }: DocumentDevices): readonly DeviceRow[] {
  return choices.flatMap((choice) => {
    const addresses = choice.addresses.length > 0 ? choice.addresses : [null];
    return addresses.map((address, index) => ({
      id: `${choice.value} ${index} ${address?.value ?? ''}`,
      choice,
      address,
      device: choice.about?.device ?? choice.value,
      accessPoint: address?.value ?? choice.about?.access_point ?? '',
      place: placeOf(address),
      selectors: address ? selectorsOf(address.protocol) : '',
      maker: [choice.about?.manufacturer, choice.about?.type, choice.about?.description].filter(Boolean).join(' · '),
    }));
  });
}

/** The rows that have every word of a filter somewhere. */
export function filterRows(rows: readonly DeviceRow[], filter: string): readonly DeviceRow[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter(({ device, accessPoint, place, maker }) => {
    const text = `${device} ${accessPoint} ${place} ${maker}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function placeOf(address: DeviceRow['address']): string {
  const ip = address?.ip ?? null;
  if (ip === null) return '';
  const host = ip.includes(':') ? `[${ip}]` : ip;
  return address?.port == null ? host : `${host}:${address.port}`;
}

function selectorsOf(protocol: Readonly<Record<string, string | number>>): string {
  const written = SELECTORS.map((name) => protocol[name]);
  return written.some((each) => each !== undefined) ? written.map((each) => String(each ?? '–')).join(' / ') : '';
}
