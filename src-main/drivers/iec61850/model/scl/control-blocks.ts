/**
 * Control blocks of a logical node as MMS serves them (IEC 61850-8-1, clauses 17 to 19): their types, and the values of the file.
 * Members stand in the order of the standard.
 */
import type { MmsType } from '../../mms/types.ts';
import { type ReportBlockForm, reportBlockType } from '../report-block-types.ts';
import {
  BOOLEAN,
  ENTRY_ID,
  ENTRY_TIME,
  INT8U,
  INT16U,
  INT32U,
  MULTICAST_ADDRESS,
  REFERENCE,
  structure,
  TIMESTAMP,
  TRIGGERS,
} from './basic-types.ts';
import type { XmlElement } from './xml.ts';

const MOST_INSTANCES = 99;

const SETTING_GROUPS = { NumOfSG: INT8U, ActSG: INT8U, EditSG: INT8U, CnfEdit: BOOLEAN, LActTm: TIMESTAMP };
const GOOSE = structure({
  GoEna: BOOLEAN,
  GoID: REFERENCE,
  DatSet: REFERENCE,
  ConfRev: INT32U,
  NdsCom: BOOLEAN,
  DstAddress: MULTICAST_ADDRESS,
  MinTime: INT32U,
  MaxTime: INT32U,
  FixedOffs: BOOLEAN,
});
const SAMPLED_FIRST = { MsvID: REFERENCE, DatSet: REFERENCE, ConfRev: INT32U, SmpRate: INT16U };
const SAMPLED_OPTIONS: MmsType = { kind: 'bit-string', size: -5 };
const SAMPLED_REST = {
  OptFlds: SAMPLED_OPTIONS,
  SmpMod: { kind: 'integer', size: 8 } satisfies MmsType,
  DstAddress: MULTICAST_ADDRESS,
  noASDU: INT16U,
};
const MULTICAST_SAMPLED = structure({ SvEna: BOOLEAN, ...SAMPLED_FIRST, ...SAMPLED_REST });
const UNICAST_SAMPLED = structure({ SvEna: BOOLEAN, Resv: BOOLEAN, ...SAMPLED_FIRST, ...SAMPLED_REST });
export const LOG_BLOCK = structure({
  LogEna: BOOLEAN,
  LogRef: REFERENCE,
  DatSet: REFERENCE,
  OldEntrTm: ENTRY_TIME,
  NewEntrTm: ENTRY_TIME,
  OldEntr: ENTRY_ID,
  NewEntr: ENTRY_ID,
  TrgOps: TRIGGERS,
  IntgPd: INT32U,
});

/** One control block of a logical node. */
export interface ControlBlock {
  readonly constraint: string;
  readonly name: string;
  readonly type: MmsType;
  /** Values by member, as text. */
  readonly values: Readonly<Record<string, string>>;
}

/** What a file says of all its control blocks: the edition of its schema, and whether report blocks tell their owner. */
export interface BlockForm extends Pick<ReportBlockForm, 'edition' | 'hasOwner'> {
  /** Name of a logical device by its instance. */
  domainOf(instance: string): string | undefined;
}

/** Control blocks below a logical node of a file; `place` is `LD/LN`. */
export function controlBlocks(node: XmlElement, place: string, form: BlockForm): ControlBlock[] {
  const dataSet = (block: XmlElement) => (block.text('datSet') === '' ? '' : `${place}$${block.text('datSet')}`);
  return [
    ...node.children('ReportControl').flatMap((block) => reports(block, dataSet(block), place, form)),
    ...node.children('LogControl').map((block) => ({
      constraint: 'LG',
      name: block.text('name'),
      type: LOG_BLOCK,
      values: {
        LogEna: block.attribute('logEna') ?? 'true',
        LogRef: logReference(block, place, form),
        DatSet: dataSet(block),
        ...triggers(block),
      },
    })),
    ...node.children('GSEControl').map((block) => ({
      constraint: 'GO',
      name: block.text('name'),
      type: GOOSE,
      values: { GoID: block.text('appID'), DatSet: dataSet(block), ConfRev: block.attribute('confRev') ?? '0' },
    })),
    ...node.children('SampledValueControl').map((block) => sampled(block, dataSet(block))),
    ...node.children('SettingControl').map((block) => settingGroups(block, form.edition)),
  ];
}

/** A report control of a file stands for as many blocks as clients may enable; their names end in 01, 02 … unless `indexed` is false. */
function reports(block: XmlElement, dataSet: string, place: string, form: BlockForm): ControlBlock[] {
  const isBuffered = block.text('buffered') === 'true';
  const constraint = isBuffered ? 'BR' : 'RP';
  const isIndexed = block.text('indexed') !== 'false';
  const most = Number(block.child('RptEnabled')?.attribute('max') ?? '1');
  const count = isIndexed ? Math.min(MOST_INSTANCES, Math.max(1, Number.isInteger(most) ? most : 1)) : 1;
  const type = reportBlockType({ edition: form.edition, hasOwner: form.hasOwner, isBuffered });
  return Array.from({ length: count }, (_, index) => {
    const name = isIndexed ? `${block.text('name')}${String(index + 1).padStart(2, '0')}` : block.text('name');
    const values = {
      RptID: block.attribute('rptID') ?? `${place}$${constraint}$${name}`,
      DatSet: dataSet,
      ConfRev: block.attribute('confRev') ?? '0',
      BufTm: block.attribute('bufTime') ?? '0',
      OptFlds: optionalFields(block.child('OptFields')),
      ...triggers(block),
    };
    return { constraint, name, type, values };
  });
}

/** The log of a block: LLN0 of its own logical device unless it names another place; empty where it names no log. */
function logReference(block: XmlElement, place: string, form: BlockForm): string {
  const own = place.slice(0, place.indexOf('/'));
  const instance = block.attribute('ldInst');
  const domain = instance ? form.domainOf(instance) : own;
  const node = block.text('prefix') + (block.attribute('lnClass') ?? 'LLN0') + block.text('lnInst');
  return domain === undefined || block.text('logName') === '' ? '' : `${domain}/${node}$${block.text('logName')}`;
}

/** `TrgOps` as bits, bit 0 first, and the integrity period. */
function triggers(block: XmlElement): { readonly TrgOps: string; readonly IntgPd: string } {
  const options = block.child('TrgOps');
  const bit = (name: string, fallback: boolean) => ((options?.attribute(name) ?? String(fallback)) === 'true' ? '1' : '0');
  const bits = ['0', bit('dchg', false), bit('qchg', false), bit('dupd', false), bit('period', false), bit('gi', options !== null)];
  return { TrgOps: bits.join(''), IntgPd: block.attribute('intgPd') ?? '0' };
}

function optionalFields(fields: XmlElement | null): string {
  const bit = (name: string) => (fields?.text(name) === 'true' ? '1' : '0');
  const names = ['seqNum', 'timeStamp', 'reasonCode', 'dataSet', 'dataRef', 'bufOvfl', 'entryID', 'configRef'];
  return `0${names.map(bit).join('')}0`;
}

function sampled(block: XmlElement, dataSet: string): ControlBlock {
  const isMulticast = block.text('multicast') !== 'false';
  const values = {
    MsvID: block.text('smvID'),
    DatSet: dataSet,
    ConfRev: block.attribute('confRev') ?? '0',
    SmpRate: block.attribute('smpRate') ?? '0',
    noASDU: block.attribute('nofASDU') ?? '1',
  };
  const type = isMulticast ? MULTICAST_SAMPLED : UNICAST_SAMPLED;
  return { constraint: isMulticast ? 'MS' : 'US', name: block.text('name'), type, values };
}

function settingGroups(block: XmlElement, edition: string): ControlBlock {
  const members = edition === '1' ? SETTING_GROUPS : { ...SETTING_GROUPS, ResvTms: INT16U };
  const common = { NumOfSG: block.text('numOfSGs'), ActSG: block.attribute('actSG') ?? '1', EditSG: '0' };
  const values = edition === '1' ? common : { ...common, ResvTms: block.attribute('resvTms') ?? '0' };
  return { constraint: 'SP', name: 'SGCB', type: structure(members), values };
}
