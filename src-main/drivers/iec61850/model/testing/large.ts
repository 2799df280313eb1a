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
