/** What an SCL file holds at its top (IEC 61850-6: SCL, Header, IED). */
import { AppError } from '#shared/domain/errors.ts';
import { firstOf, say } from '#shared/messages/index.ts';
import { type XmlElement, XmlSource } from './xml.ts';

/** Parts of a file that are read only when they are needed. */
const CLOSED = ['IED', 'Substation', 'Line', 'Process', 'Communication', 'DataTypeTemplates', 'Private'].map((name) => `SCL.${name}`);
const CLOSED_IN_IED = ['IED.Services', 'IED.Private', 'IED.AccessPoint.Services', 'IED.AccessPoint.Server.LDevice'];
const CLOSED_IN_COMMUNICATION = ['GSE', 'SMV', 'PhysConn', 'Private'].map((name) => `Communication.SubNetwork.ConnectedAP.${name}`);
/** Devices that an error names one by one. */
const MOST_NAMED = 8;

/** One access point with a server, its own (`serverOf` its name) or the one of another access point (ServerAt). */
export interface SclAccessPoint {
  readonly name: string;
  readonly serverOf: string;
}

export interface SclIed {
  readonly name: string;
  readonly manufacturer: string;
  readonly type: string;
  readonly configVersion: string;
  readonly description: string;
  /** Access points through which the device serves its model; empty for a device that only subscribes. */
  readonly accessPoints: readonly SclAccessPoint[];
  /** The element, its content not read. */
  readonly element: XmlElement;
}

export interface SclFile {
  readonly source: XmlSource;
  /** `2003`, `2007A`, `2007B`, `2007B4`. */
  readonly schema: string;
  /** Edition of the standard the schema belongs to: `1`, `2`, `2.1`. */
  readonly edition: string;
  readonly header: { readonly id: string; readonly version: string; readonly revision: string; readonly tool: string };
  readonly ieds: readonly SclIed[];
  /** The element, its content not read; null where the file has none. */
  readonly templates: XmlElement | null;
  /** Addresses of the devices; null where the file has none. */
  readonly communication: XmlElement | null;
}

/** Device and access point that a setting names. */
export interface SclChoice {
  readonly ied: SclIed;
  readonly accessPoint: SclAccessPoint;
}

/** Reads the top of an SCL file. Throws `CONFIG_INVALID` with the line when it is none. */
export function openScl(name: string, text: string): SclFile {
  const source = new XmlSource(name, text);
  const root = source.root(CLOSED);
  if (root.name !== 'SCL') throw source.fault(root, say('scl.other_root', { root: root.name }));
  const header = root.child('Header');
  const [schema, edition] = schemaOf(root);
  return {
    source,
    schema,
    edition,
    header: {
      id: header?.text('id') ?? '',
      version: header?.text('version') ?? '',
      revision: header?.text('revision') ?? '',
      tool: header?.text('toolID') ?? '',
    },
    ieds: root.children('IED').map((element) => iedOf(source, element)),
    templates: root.child('DataTypeTemplates'),
    communication: communicationOf(source, root),
  };
}

/**
 * The device a setting names: `IED` or `IED/access point`; empty means the only one with a server. Throws `CONFIG_INVALID` with the choices
 * when there is none or more than one.
 */
export function chooseIed(file: SclFile, wanted: string): SclChoice {
  const choices = choicesOf(file);
  if (choices.length === 0) throw file.source.fault(0, say('scl.no_server'));
  const devices = firstOf(
    choices.map(({ value }) => value),
    MOST_NAMED,
  );
  if (wanted === '' && choices.length > 1) {
    throw new AppError('CONFIG_INVALID', say('scl.name_device', { name: file.source.name, count: choices.length, devices }));
  }
  const found = wanted === '' ? choices[0] : (choices.find(({ value }) => value === wanted) ?? namedBy(choices, wanted));
  if (!found) throw new AppError('CONFIG_INVALID', say('scl.no_ied', { name: file.source.name, ied: wanted, devices }));
  return found.choice;
}

/** What can be chosen: the name of the device, with that of the access point where it has several servers. */
export function choicesOf(file: SclFile): { readonly value: string; readonly label: string; readonly choice: SclChoice }[] {
  return file.ieds.flatMap((ied) => {
    const servers = new Set(ied.accessPoints.map(({ serverOf }) => serverOf));
    return [...servers].flatMap((server) => {
      const accessPoint = ied.accessPoints.find(({ name }) => name === server);
      if (!accessPoint) return [];
      const value = servers.size === 1 ? ied.name : `${ied.name}/${server}`;
      const about = [ied.manufacturer, ied.type, ied.configVersion].filter((text) => text !== '').join(' ');
      const details = [about, ied.description].filter((text) => text !== '').join(', ');
      return [{ value, label: details === '' ? value : `${value} (${details})`, choice: { ied, accessPoint } }];
    });
  });
}

type Choices = ReturnType<typeof choicesOf>;

function namedBy(choices: Choices, wanted: string): Choices[number] | undefined {
  return choices.find(
    ({ choice }) => choice.ied.name === wanted || choice.ied.accessPoints.some(({ name }) => `${choice.ied.name}/${name}` === wanted),
  );
}

function communicationOf(source: XmlSource, root: XmlElement): XmlElement | null {
  const element = root.child('Communication');
  return element && source.open(element, CLOSED_IN_COMMUNICATION);
}

function schemaOf(root: XmlElement): [schema: string, edition: string] {
  const version = root.attribute('version');
  if (version === null || version === '2003') return ['2003', '1'];
  const release = root.text('release');
  const schema = `${version}${root.text('revision')}${release}`;
  const isLater = Number(release) >= 3 || root.text('revision') > 'B';
  return [schema, version === '2007' ? (isLater ? '2.1' : '2') : version];
}

function iedOf(source: XmlSource, element: XmlElement): SclIed {
  const name = element.text('name');
  if (name === '') throw source.fault(element, say('scl.ied_nameless'));
  const servers = source.open(element, CLOSED_IN_IED).children('AccessPoint');
  return {
    name,
    manufacturer: element.text('manufacturer'),
    type: element.text('type'),
    configVersion: element.text('configVersion'),
    description: element.text('desc'),
    accessPoints: servers.flatMap((point) => {
      const serverOf = point.child('Server') ? point.text('name') : point.child('ServerAt')?.attribute('apName');
      return serverOf ? [{ name: point.text('name'), serverOf }] : [];
    }),
    element,
  };
}
