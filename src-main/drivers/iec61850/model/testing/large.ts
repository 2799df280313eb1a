import type { MmsType } from '../../mms/types.ts';
import type { IedModel } from '../ied-model.ts';
import { structure } from '../scl/basic-types.ts';
import { TypePool } from '../types.ts';

const FLOAT: MmsType = { kind: 'float', width: 32, exponentWidth: 8 };
const BOOL: MmsType = { kind: 'boolean' };
const Q: MmsType = { kind: 'bit-string', size: -13 };
const T: MmsType = { kind: 'utc-time' };
const MV = structure({ mag: structure({ f: FLOAT }), q: Q, t: T });
const SPS = structure({ stVal: BOOL, q: Q, t: T });

/**
 * A learnt device with more than 50,000 attributes: 520 logical nodes of a type of their own each, as some engineering tools write them,
 * which is the worst case.
 */
export function largeModel(): IedModel {
  const pool = new TypePool();
  const nodes = Array.from({ length: 520 }, (_, at) => {
    const objects = Object.fromEntries(Array.from({ length: 24 }, (__, object) => [`Obj${at}x${object}`, object % 2 ? MV : SPS]));
    const parts = { ST: structure(objects), CF: structure({ [`Obj${at}x0`]: structure({ db: BOOL }) }), DC: structure(objects) };
    return { name: `GGIO${at}`, type: pool.intern(structure(parts)), notes: null };
  });
  const devices = [{ name: 'LD', instance: '', description: '', nodes, dataSets: [] }];
  return { name: '', devices, identity: null, configurationRevision: '' };
}

/** A station of at least `octets` octets of SCL text, in devices F0, F1 … of 300 nodes each with a description and a value. */
export function largeStation(octets: number): string {
  const nodes = Array.from(
    { length: 300 },
    (_, at) =>
      `        <LN lnClass="GGIO" inst="${at + 1}" lnType="G" desc="signal ${at}">\n          <DOI name="Ind1" desc="text ${at} of a signal with a name"><DAI name="stVal"><Val>true</Val></DAI></DOI>\n        </LN>\n`,
  ).join('');
  const ied = (at: number) =>
    `<IED name="F${at}" manufacturer="ACME"><AccessPoint name="P"><Server><Authentication/><LDevice inst="LD"><LN0 lnClass="LLN0" inst="" lnType="L"/>\n${nodes}</LDevice></Server></AccessPoint></IED>\n`;
  const count = Math.ceil(octets / ied(1).length);
  return `<SCL version="2007" revision="B">${Array.from({ length: count }, (_, at) => ied(at)).join('')}<DataTypeTemplates>
    <LNodeType id="L" lnClass="LLN0"/><LNodeType id="G" lnClass="GGIO"><DO name="Ind1" type="D"/></LNodeType>
    <DOType id="D" cdc="SPS"><DA name="stVal" bType="BOOLEAN" fc="ST"/><DA name="q" bType="Quality" fc="ST"/></DOType></DataTypeTemplates></SCL>`;
}

/** A device STATION of so many logical devices LD0, LD1 …, each with a data set, a report block and ten nodes of eight states, one of them with a value and words. */
export function manyDevices(count: number): string {
  const device = (at: number) => {
    const nodes = Array.from(
      { length: 10 },
      (_, node) =>
        `<LN lnClass="GGIO" inst="${node + 1}" lnType="G" desc="signals ${node} of bay ${at}"><DOI name="Ind1" desc="signal of bay ${at}"><DAI name="d"><Val>words ${node}</Val></DAI></DOI></LN>`,
    ).join('');
    const members = [1, 2, 3, 4].map((node) => `<FCDA ldInst="LD${at}" lnClass="GGIO" lnInst="${node}" doName="Ind1" fc="ST"/>`).join('');
    return `<LDevice inst="LD${at}" desc="bay ${at}"><LN0 lnClass="LLN0" inst="" lnType="L"><DataSet name="dsStat">${members}</DataSet>
      <ReportControl name="rpStat" datSet="dsStat" confRev="1" buffered="false"><TrgOps dchg="true"/><OptFields seqNum="true"/><RptEnabled max="1"/></ReportControl>
      <DOI name="NamPlt"><DAI name="configRev"><Val>1</Val></DAI></DOI></LN0>
      ${nodes}</LDevice>\n`;
  };
  const objects = [1, 2, 3, 4, 5, 6, 7, 8].map((at) => `<DO name="Ind${at}" type="SPS"/>`).join('');
  return `<SCL xmlns="http://www.iec.ch/61850/2003/SCL" version="2007" revision="B"><Header id="many"/><IED name="STATION"><AccessPoint name="P1">
    <Server><Authentication none="true"/>${Array.from({ length: count }, (_, at) => device(at)).join('')}</Server></AccessPoint></IED><DataTypeTemplates>
    <LNodeType id="L" lnClass="LLN0"><DO name="NamPlt" type="LPL"/></LNodeType><LNodeType id="G" lnClass="GGIO">${objects}</LNodeType>
    <DOType id="LPL" cdc="LPL"><DA name="vendor" bType="VisString255" fc="DC"/><DA name="configRev" bType="VisString255" fc="DC"/></DOType>
    <DOType id="SPS" cdc="SPS"><DA name="stVal" bType="BOOLEAN" fc="ST"/><DA name="q" bType="Quality" fc="ST"/><DA name="t" bType="Timestamp" fc="ST"/><DA name="d" bType="VisString255" fc="DC"/></DOType>
  </DataTypeTemplates></SCL>`;
}
