import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatReference, parseReference } from '../references.ts';
import { componentType } from '../types.ts';
import { readSclDevice } from './device.ts';
import { openScl } from './file.ts';

const escaped = (text: string) => text.replace(/[&<>"\t\n\r]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** A logical node with a good data object and one of this name, each with a value, and a data set of both. */
const file = (name: string) => `<SCL version="2007" revision="B"><IED name="T"><AccessPoint name="P"><Server><LDevice inst="LD">
  <LN0 lnClass="LLN0" inst="" lnType="L"><DataSet name="ds"><FCDA ldInst="LD" lnClass="GGIO" lnInst="1" doName="Ind1" fc="ST"/>
  <FCDA ldInst="LD" lnClass="GGIO" lnInst="1" doName="${escaped(name)}" fc="ST"/></DataSet></LN0>
  <LN lnClass="GGIO" inst="1" lnType="G"><DOI name="${escaped(name)}" desc="odd"><DAI name="stVal"><Val>true</Val></DAI></DOI></LN>
  </LDevice></Server></AccessPoint></IED><DataTypeTemplates><LNodeType id="L" lnClass="LLN0"/>
  <LNodeType id="G" lnClass="GGIO"><DO name="Ind1" type="S"/><DO name="${escaped(name)}" type="S"/></LNodeType>
  <DOType id="S" cdc="SPS"><DA name="stVal" bType="BOOLEAN" fc="ST"/><DA name="q" bType="Quality" fc="ST"/></DOType></DataTypeTemplates></SCL>`;

/** Characters that XML 1.0 allows. */
const isXml = (text: string) => /^[\t\n\r\x20-\ud7ff\ue000-\ufffd]*$/.test(text);
const names = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'Ind1',
    'ST',
    'CO',
    'MX',
    'SGCB',
    '__proto__',
    'constructor',
    'toString',
    'Pos(3)',
    'a$b',
    'a.b',
    'a/b',
    '1Ind',
    'Ind-1',
    '\u6e29\u5ea6',
  ),
  fc.string({ maxLength: 80 }).filter(isXml),
  fc.string({ unit: 'binary', maxLength: 20 }).filter(isXml),
  fc.string({ unit: fc.constantFrom('a', 'Z', '0', '_', '-', '.', '$', '(', ')', '3', ' ', '[', ']'), maxLength: 70 }),
);

describe('SCL with any name of a data object', () => {
  it('is read: the rest of the file stays, the name is found by its reference or left out with a warning', () => {
    let [kept, left] = [0, 0];
    fc.assert(
      fc.property(names, (name) => {
        const { model, warnings } = readSclDevice(openScl('odd.cid', file(name)), '');
        const node = model.devices[0]?.nodes.find((each) => each.name === 'GGIO1');
        const states = node && componentType(node.type, 'ST');
        const found = states?.kind === 'structure' ? states.components.map((component) => component.name) : [];
        expect(found[0]).toBe('Ind1');
        expect(model.devices[0]?.dataSets[0]?.members[0]).toBe('TLD/GGIO1$ST$Ind1');
        // spaces around a value are no part of it in XML
        const isStandard = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name.trim()) && found.length === 2;
        if (!isStandard)
          expect(warnings.some(({ message }) => message.includes('Ind1 twice') || message.includes('is no name'))).toBe(true);
        if (found.length === 2) {
          kept += 1;
          const [, odd = ''] = found;
          const reference = { domain: 'TLD', node: 'GGIO1', constraint: 'ST', path: [odd, 'stVal'] };
          expect(parseReference(formatReference(reference))).toEqual(reference);
          expect(parseReference(`TLD/GGIO1$ST$${odd}$stVal`)).toEqual(reference);
        } else left += 1;
      }),
      { numRuns: 500 },
    );
    expect(Math.min(kept, left)).toBeGreaterThan(20);
  });
});
