/** Where an SCL file says a device is to be found (IEC 61850-6, 9.4; IEC 61850-8-1, 25: names of the parts of an address). */
import type { FieldIssue } from '#shared/domain/errors.ts';
import type { DocumentAddress } from '../../../spi/model.ts';
import type { SclChoice, SclFile } from './file.ts';
import type { XmlElement } from './xml.ts';

/** Addresses of a device that are shown; more have redundant networks at most. */
const MOST_ADDRESSES = 8;
/** What stands in files that were not filled in. */
const NOWHERE = /^(?:|0\.0\.0\.0|::)$/;

type Part = (text: string) => string | number | null;

const octets =
  (most: number): Part =>
  (text) =>
    text.length <= 2 * most && /^(?:[0-9a-f]{2})*$/i.test(text) ? text.toUpperCase() : null;

const whole =
  (least: number, most: number) =>
  (text: string): number | null => {
    const value = /^\d{1,5}$/.test(text) ? Number(text) : -1;
    return value >= least && value <= most ? value : null;
  };

/** `1,1,999,1` in edition 1 and `1.1.999.1` later. */
const objectIdentifier: Part = (text) => {
  const dotted = text.replace(/[\s,.]+/g, '.');
  return /^[0-2](?:\.\d{1,9}){1,20}$/.test(dotted) ? dotted : null;
};

/** Parts of an address, the channel settings they are for, and what would be right. */
const PARTS: Readonly<Record<string, { readonly setting: string; readonly read: Part; readonly right: string }>> = {
  'OSI-TSEL': { setting: 'remote_transport_selector', read: octets(32), right: 'at most 32 octets in hexadecimal' },
  'OSI-SSEL': { setting: 'remote_session_selector', read: octets(16), right: 'at most 16 octets in hexadecimal' },
  'OSI-PSEL': { setting: 'remote_presentation_selector', read: octets(16), right: 'at most 16 octets in hexadecimal' },
  'OSI-AP-Title': { setting: 'remote_ap_title', read: objectIdentifier, right: 'an object identifier like 1,1,999,1' },
  'OSI-AE-Qualifier': { setting: 'remote_ae_qualifier', read: whole(0, 65_535), right: 'a number from 0 to 65535' },
};

const port = whole(1, 65_535);

/** The addresses of a device in the order of the file, and what of them cannot be used. */
export function addressesOf(file: SclFile, choice: SclChoice): { readonly addresses: DocumentAddress[]; readonly issues: FieldIssue[] } {
  const issues: FieldIssue[] = [];
  const serving = new Set(
    choice.ied.accessPoints.filter(({ serverOf }) => serverOf === choice.accessPoint.serverOf).map(({ name }) => name),
  );
  const addresses = (file.communication?.children('SubNetwork') ?? []).flatMap((network) =>
    network
      .children('ConnectedAP')
      .filter((point) => point.text('iedName') === choice.ied.name && serving.has(point.text('apName')))
      .flatMap((point) => {
        const value = `${network.text('name')}/${point.text('apName')}`;
        const address = addressOf(value, point.child('Address'), issues);
        return address ? [address] : [];
      }),
  );
  return { addresses: addresses.slice(0, MOST_ADDRESSES), issues };
}

/** Null where nothing of use is written. */
function addressOf(value: string, element: XmlElement | null, issues: FieldIssue[]): DocumentAddress | null {
  const written = new Map(element?.children('P').map((part) => [part.text('type').replace(/^tP_/, ''), part.content]) ?? []);
  const protocol: Record<string, string | number> = {};
  for (const [type, { setting, read, right }] of Object.entries(PARTS)) {
    const text = written.get(type);
    if (text === undefined || text === '') continue;
    const meant = read(text);
    if (meant === null) issues.push({ path: value, message: `${type} "${text.slice(0, 80)}" is not taken; it should be ${right}` });
    else protocol[setting] = meant;
  }
  const ip = [written.get('IP'), written.get('IPv6')].find((text) => text !== undefined && !NOWHERE.test(text)) ?? null;
  const given = written.get('MMS-Port') ?? '';
  const mmsPort = given === '' ? null : port(given);
  if (given !== '' && mmsPort === null) {
    issues.push({ path: value, message: `MMS-Port "${given.slice(0, 80)}" is not taken; it should be a number from 1 to 65535` });
  }
  if (ip === null && mmsPort === null && Object.keys(protocol).length === 0) return null;
  return { value, ip, port: mmsPort, protocol };
}
