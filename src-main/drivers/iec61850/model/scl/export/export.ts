/** The model of a device as an SCL file (IEC 61850-6): an IID, since it has the address of one device that is there. */
import type { Steps } from '../../../../../platform/steps.ts';
import type { DataSet, Identity, LogicalDevice, LogicalNode } from '../../ied-model.ts';
import { findPlace, type ModelIndex } from '../../places.ts';
import { parseReference, splitIndex } from '../../references.ts';
import { type BlockValues, blockNames, REPORT_CONSTRAINTS, setBits } from '../../report-blocks.ts';
import { componentType, typeAt } from '../../types.ts';
import { configurationOf } from './configuration.ts';
import { type DeviceNames, deviceNames, type NodeName, nodeNameOf } from './names.ts';
import { TypeTemplates } from './type-templates.ts';
import { type Attributes, comment, element } from './xml-text.ts';

/** What is known beside the model. */
export interface ExportOptions {
  /** Name of the IED, where the names of its logical devices begin with it. */
  readonly iedName: string;
  /** What the device says of itself; null where it does not. */
  readonly identity: Identity | null;
  /** Parts of its address by their SCL types (`IP`, `OSI-TSEL`). */
  readonly address: Readonly<Record<string, string>>;
  /** What the control blocks of reports, logs and setting groups were set to. */
  readonly blocks: BlockValues;
}

export interface ExportedFile {
  readonly name: string;
  readonly text: string;
  /** What the device has and the file has not. */
  readonly leftOut: readonly string[];
}

const ACCESS_POINT = 'AP1';
/** Names of what is left out that a file lists. */
const MOST_TOLD = 100;
const LOGS = 'LG';
const GOOSE_AND_MORE = ['GO', 'GS', 'MS', 'US'];

/** Writes the file. */
export function* exportScl(index: ModelIndex, options: ExportOptions): Steps<ExportedFile> {
  const { devices } = index.model;
  const names = deviceNames(
    devices.map(({ name }) => name),
    options.iedName,
  );
  const file = new Exported(index, options, names);
  const written: (readonly string[])[] = [];
  for (const device of devices) written.push(yield* file.device(device));
  return { name: `${names.ied}.iid`, text: file.text(written), leftOut: file.leftOut };
}

class Exported {
  readonly #index: ModelIndex;
  readonly #options: ExportOptions;
  readonly #names: DeviceNames;
  readonly #templates: TypeTemplates;
  readonly #leftOut = new Set<string>();

  constructor(index: ModelIndex, options: ExportOptions, names: DeviceNames) {
    this.#index = index;
    this.#options = options;
    this.#names = names;
    this.#templates = new TypeTemplates(index);
  }

  get leftOut(): readonly string[] {
    return [...this.#leftOut, ...this.#templates.leftOut];
  }

  *device(device: LogicalDevice): Steps<readonly string[]> {
    const nodes: (readonly string[])[] = [];
    // the standard has LN0 in front
    for (const node of device.nodes.toSorted((one, other) => Number(other.name === 'LLN0') - Number(one.name === 'LLN0'))) {
      yield;
      const name = nodeNameOf(node.name);
      if (name) nodes.push(this.#node(device, node, name));
      else this.#leftOut.add(`${device.name}/${node.name}`);
    }
    const { instance = device.name, isNamed = true } = this.#names.instances.get(device.name) ?? {};
    const attributes = { inst: instance, ldName: isNamed ? device.name : undefined, desc: device.description || undefined };
    return element('LDevice', attributes, nodes);
  }

  text(devices: readonly (readonly string[])[]): string {
    const { identity } = this.#options;
    const server = element('Server', {}, [element('Authentication', { none: true }), ...devices]);
    const ied = element(
      'IED',
      {
        name: this.#names.ied,
        manufacturer: identity?.vendor || undefined,
        type: identity?.model || undefined,
        configVersion: identity?.revision || undefined,
      },
      [element('AccessPoint', { name: ACCESS_POINT }, [server])],
    );
    const edition: Attributes = this.#isFirstEdition() ? {} : { version: '2007', revision: 'B' };
    const lines = element('SCL', { xmlns: 'http://www.iec.ch/61850/2003/SCL', ...edition }, [
      ...this.#remarks(),
      element('Header', { id: this.#names.ied, toolID: 'Loopcheck' }),
      ...this.#communication(),
      ied,
      this.#templates.section(),
    ]);
    return `<?xml version="1.0" encoding="UTF-8"?>\n${lines.join('\n')}\n`;
  }

  #remarks(): (readonly string[])[] {
    const { leftOut } = this;
    if (leftOut.length === 0) return [];
    const more = leftOut.length > MOST_TOLD ? ` and ${leftOut.length - MOST_TOLD} more` : '';
    return [comment(`Not in this file: ${leftOut.slice(0, MOST_TOLD).join(', ')}${more}`)];
  }

  #communication(): (readonly string[])[] {
    const parts = Object.entries(this.#options.address).filter(([, text]) => text !== '');
    if (parts.length === 0) return [];
    const address = element(
      'Address',
      {},
      parts.map(([type, text]) => element('P', { type }, text)),
    );
    const connected = element('ConnectedAP', { iedName: this.#names.ied, apName: ACCESS_POINT }, [address]);
    return [element('Communication', {}, [element('SubNetwork', { name: 'Net1', type: '8-MMS' }, [connected])])];
  }

  /** Reservation times came with edition 2. */
  #isFirstEdition(): boolean {
    const blocks = this.#index.model.devices.flatMap(({ nodes }) =>
      nodes.flatMap(({ type }) => {
        const buffered = componentType(type, 'BR');
        const groups = typeAt(type, ['SP', 'SGCB']);
        return [...(buffered?.kind === 'structure' ? buffered.components.map((each) => each.type) : []), ...(groups ? [groups] : [])];
      }),
    );
    return blocks.length > 0 && blocks.every((block) => componentType(block, 'ResvTms') === null);
  }

  #node(device: LogicalDevice, node: LogicalNode, { prefix, logicalClass, instance }: NodeName): readonly string[] {
    const domain = device.name;
    const lnType = this.#templates.node({ domain, node: node.name, type: node.type, logicalClass });
    const sets = device.dataSets.filter(({ item }) => item.startsWith(`${node.name}$`));
    const desc = this.#index.notes(domain, node.name)?.description || undefined;
    const content = [
      ...sets.flatMap((set) => this.#dataSet(domain, set)),
      ...this.#reports(domain, node),
      ...this.#logControls(domain, node),
      ...configurationOf(this.#index, domain, node),
      ...this.#logs(domain, node),
      ...this.#settingGroups(domain, node),
    ];
    this.#tellUnwritten(domain, node);
    return node.name === 'LLN0'
      ? element('LN0', { lnClass: 'LLN0', inst: '', lnType, desc }, content)
      : element('LN', { prefix: prefix || undefined, lnClass: logicalClass, inst: instance, lnType, desc }, content);
  }

  #tellUnwritten(domain: string, { name, type }: LogicalNode): void {
    for (const constraint of GOOSE_AND_MORE) {
      const blocks = componentType(type, constraint);
      if (blocks?.kind !== 'structure') continue;
      for (const block of blocks.components) this.#leftOut.add(`${domain}/${name}.${block.name}[${constraint}]`);
    }
  }

  #dataSet(domain: string, { item, members }: DataSet): (readonly string[])[] {
    const name = item.slice(item.indexOf('$') + 1);
    const written = members.map((member) => this.#member(member));
    if (members.length === 0 || written.includes(null)) {
      this.#leftOut.add(`data set ${domain}/${item}`);
      return [];
    }
    return [
      element(
        'DataSet',
        { name },
        written.flatMap((member) => (member ? [member] : [])),
      ),
    ];
  }

  /** An FCDA; null for what this file has no name for. */
  #member(member: string): readonly string[] | null {
    const reference = parseReference(member);
    const device = reference && this.#names.instances.get(reference.domain);
    const node = reference && nodeNameOf(reference.node);
    const place = reference && findPlace(this.#index, reference);
    if (!reference?.constraint || !device || !node || !place) return null;
    const depth = place.parts.filter(({ kind }) => kind === 'data-object').length;
    const indexes = reference.path.flatMap((part) => splitIndex(part).index ?? []);
    const names = reference.path.map((part) => splitIndex(part).name);
    return element('FCDA', {
      ldInst: device.instance,
      prefix: node.prefix || undefined,
      lnClass: node.logicalClass,
      lnInst: node.instance || undefined,
      doName: names.slice(0, depth).join('.'),
      daName: names.slice(depth).join('.') || undefined,
      fc: reference.constraint,
      ix: indexes[0],
    });
  }

  #reports(domain: string, node: LogicalNode): (readonly string[])[] {
    return REPORT_CONSTRAINTS.flatMap((constraint) =>
      blockNames(node, constraint).map((name) => {
        const place = `${domain}/${node.name}`;
        const values = this.#options.blocks.get(`${place}$${constraint}$${name}`);
        if (!values) this.#leftOut.add(`settings of ${place}.${name}[${constraint}]`);
        const text = (member: string) => values?.get(member) ?? '';
        const dataSet = this.#dataSetHere(place, text('DatSet'), `${place}.${name}[${constraint}]`);
        const bits = (kind: 'TrgOps' | 'OptFlds') => Object.fromEntries(setBits(text(kind), kind).map((bit) => [bit, true]));
        return element(
          'ReportControl',
          {
            name,
            rptID: text('RptID') || undefined,
            datSet: dataSet,
            confRev: text('ConfRev') || '0',
            buffered: constraint === 'BR',
            indexed: false,
            bufTime: text('BufTm') || undefined,
            intgPd: text('IntgPd') || undefined,
          },
          [element('TrgOps', { gi: false, ...bits('TrgOps') }), element('OptFields', bits('OptFlds')), element('RptEnabled', { max: 1 })],
        );
      }),
    );
  }

  /** The name of a data set of this logical node; no other can be named by its blocks. */
  #dataSetHere(place: string, dataSet: string, block: string): string | undefined {
    if (dataSet.startsWith(`${place}$`)) return dataSet.slice(place.length + 1);
    if (dataSet !== '') this.#leftOut.add(`data set ${dataSet} of ${block}`);
    return undefined;
  }

  #logControls(domain: string, node: LogicalNode): (readonly string[])[] {
    return blockNames(node, LOGS).map((name) => {
      const place = `${domain}/${node.name}`;
      const block = `${place}.${name}[${LOGS}]`;
      const values = this.#options.blocks.get(`${place}$${LOGS}$${name}`);
      if (!values) this.#leftOut.add(`settings of ${block}`);
      const log = this.#logNamed(values?.get('LogRef') ?? '');
      if (!log) this.#leftOut.add(`log of ${block}`);
      return element(
        'LogControl',
        {
          name,
          datSet: this.#dataSetHere(place, values?.get('DatSet') ?? '', block),
          ...(log && { ldInst: log.ldInst, prefix: log.prefix, lnClass: log.lnClass, lnInst: log.lnInst }),
          logName: log?.name ?? '',
          logEna: values?.get('LogEna') ?? 'false',
          intgPd: values?.get('IntgPd') || undefined,
        },
        [element('TrgOps', { gi: false, ...Object.fromEntries(setBits(values?.get('TrgOps') ?? '', 'TrgOps').map((bit) => [bit, true])) })],
      );
    });
  }

  /** Where a log lies, in the words of the file; null for what this file has no name for. */
  #logNamed(reference: string) {
    const [, domain = '', node = '', name = ''] = /^([^/]+)\/([^$]+)\$(.+)$/.exec(reference) ?? [];
    const device = this.#names.instances.get(domain);
    const lies = nodeNameOf(node);
    if (!device || !lies) return null;
    const { prefix, logicalClass: lnClass, instance } = lies;
    return { name, ldInst: device.instance, prefix: prefix || undefined, lnClass, lnInst: instance || undefined };
  }

  /** The logs that the blocks of the device say lie at this logical node. */
  #logs(domain: string, node: LogicalNode): (readonly string[])[] {
    const here = `${domain}/${node.name}$`;
    const named = [...this.#options.blocks.values()].flatMap((values) => {
      const log = values.get('LogRef') ?? '';
      return log.startsWith(here) ? [log.slice(here.length)] : [];
    });
    return [...new Set(named)].map((name) => element('Log', { name }));
  }

  #settingGroups(domain: string, { name, type }: LogicalNode): (readonly string[])[] {
    if (!typeAt(type, ['SP', 'SGCB'])) return [];
    const values = this.#options.blocks.get(`${domain}/${name}$SP$SGCB`);
    const numOfSGs = values?.get('NumOfSG');
    if (numOfSGs === undefined) {
      this.#leftOut.add(`${domain}/${name}.SGCB[SP]`);
      return [];
    }
    return [element('SettingControl', { numOfSGs, actSG: values?.get('ActSG') || undefined })];
  }
}
