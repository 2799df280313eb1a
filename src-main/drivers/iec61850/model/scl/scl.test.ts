import { describe, expect, it } from 'vitest';
import { fieldIssue } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { MmsType } from '../../mms/types.ts';
import { sclDocuments } from '../documents.ts';
import { attributeNotes, writtenValue } from '../places.ts';
import { sclDevice, sclText } from '../testing/files.ts';
import { typeAt } from '../types.ts';
import { readSclDevice } from './device.ts';
import { choicesOf, openScl } from './file.ts';
import { decodeEntities } from './xml.ts';

const read = (text: string, ied = '') => readSclDevice(openScl('test.scd', text), ied);
const nodeOf = (file: string, ied: string, domain: string, name: string) => {
  const device = sclDevice(file, ied).model.devices.find((each) => each.name === domain);
  const node = device?.nodes.find((each) => each.name === name);
  if (!node) throw new Error(`no ${domain}/${name}`);
  return node;
};
/** `{stVal:boolean, q:bit-string-13}`: a type in one line. */
function short(type: MmsType | null): string {
  if (!type) return 'none';
  if (type.kind === 'structure') return `{${type.components.map(({ name, type: part }) => `${name}:${short(part)}`).join(', ')}}`;
  if (type.kind === 'array') return `[${type.count}]${short(type.element)}`;
  if (type.kind === 'float') return `float${type.width}`;
  return 'size' in type ? `${type.kind}${type.size}` : type.kind;
}

/** Without their lines. */
const messages = (warnings: readonly { readonly message: string }[]) => warnings.map(({ message }) => message.replace(/^line \d+: /, ''));

describe('a CID file of edition 2', () => {
  const { model, warnings } = sclDevice('bay.cid');

  it('has its logical devices by their domains, and their nodes', () => {
    expect(model.devices.map(({ name, nodes }) => [name, nodes.map((node) => node.name)])).toEqual([
      ['BAY1LD0', ['LLN0', 'LPHD1', 'Q1CSWI1', 'GGIO1']],
      ['BAY1MEAS', ['LLN0', 'MMXU1', 'MMTR1', 'MHAI1']],
      ['Protection', ['LLN0', 'PTOC1']],
    ]);
    expect(model.identity).toEqual({ vendor: 'ACME', model: 'BC-7', revision: '1.2' });
    expect(model.configurationRevision).toBe('rev-7');
  });

  it.each([
    ['BAY1LD0', 'GGIO1', ['ST', 'Ind1'], '{stVal:boolean, q:bit-string-13, t:utc-time}'],
    ['BAY1LD0', 'GGIO1', ['SV', 'Ind1'], '{subEna:boolean, subVal:boolean, subQ:bit-string-13}'],
    ['BAY1MEAS', 'MMXU1', ['MX', 'PhV', 'phsA'], '{cVal:{mag:{f:float32}, ang:{f:float32}}, q:bit-string-13, t:utc-time}'],
    ['BAY1MEAS', 'MMTR1', ['ST', 'TotWh', 'actVal'], 'integer64'],
    ['BAY1MEAS', 'MHAI1', ['MX', 'HA', 'phsAHar'], '[16]{mag:{f:float32}, ang:{f:float32}}'],
    ['BAY1LD0', 'Q1CSWI1', ['CO', 'Pos', 'Cancel', 'origin'], '{orCat:integer8, orIdent:octet-string-64}'],
    ['BAY1LD0', 'Q1CSWI1', ['ST', 'Pos', 'stVal'], 'bit-string2'],
    ['Protection', 'PTOC1', ['SE', 'StrVal'], '{setMag:{f:float32}}'],
    [
      'BAY1LD0',
      'LLN0',
      ['SP', 'SGCB'],
      '{NumOfSG:unsigned8, ActSG:unsigned8, EditSG:unsigned8, CnfEdit:boolean, LActTm:utc-time, ResvTms:unsigned16}',
    ],
    ['BAY1LD0', 'LLN0', ['GO', 'gcb01', 'DstAddress', 'APPID'], 'unsigned16'],
  ])('type of %s/%s %j', (domain, node, path, text) => {
    expect(short(typeAt(nodeOf('bay.cid', '', domain, node).type, path))).toBe(text);
  });

  it('a report control is as many blocks as may be enabled, with the values of the file', () => {
    const node = nodeOf('bay.cid', '', 'BAY1LD0', 'LLN0');
    const reports = typeAt(node.type, ['RP']);
    expect(reports?.kind === 'structure' && reports.components.map(({ name }) => name)).toEqual(['urcbStat01', 'urcbStat02']);
    expect(short(typeAt(node.type, ['BR', 'brcbMeas', 'ResvTms']))).toBe('integer16');
    expect(Object.fromEntries([...(node.notes?.values ?? [])].filter(([key]) => key.startsWith('RP$urcbStat02')))).toEqual({
      RP$urcbStat02$RptID: 'STAT',
      RP$urcbStat02$DatSet: 'BAY1LD0/LLN0$dsStat',
      RP$urcbStat02$ConfRev: '3',
      RP$urcbStat02$BufTm: '0',
      RP$urcbStat02$OptFlds: '0110100010',
      RP$urcbStat02$TrgOps: '011011',
      RP$urcbStat02$IntgPd: '5000',
    });
    expect(node.notes?.values.get('BR$brcbMeas$TrgOps')).toBe('010000');
    expect(node.notes?.values.get('BR$brcbMeas$RptID')).toBe('BAY1LD0/LLN0$BR$brcbMeas');
  });

  it('data sets have their members as MMS names them', () => {
    expect(model.devices[0]?.dataSets).toEqual([
      {
        item: 'LLN0$dsStat',
        members: ['BAY1LD0/GGIO1$ST$Ind1', 'BAY1LD0/GGIO1$ST$Ind2', 'BAY1LD0/Q1CSWI1$ST$Pos$stVal', 'BAY1LD0/Q1CSWI1$ST$Pos$q'],
        isDeletable: false,
      },
      { item: 'LLN0$dsMeas', members: ['BAY1MEAS/MMXU1$MX$TotW', 'BAY1MEAS/MMXU1$MX$PhV$phsA$cVal$mag$f'], isDeletable: false },
    ]);
  });

  it.each([
    ['doName="HA" daName="phsAHar.mag.f" ix="3"', 'HA$phsAHar(3)$mag$f'],
    ['doName="HA.phsAHar" ix="0"', 'HA$phsAHar(0)'],
    ['doName="Nothing" daName="x" ix="2"', 'Nothing$x(2)'],
    ['doName="HA.phsAHar(3)" ix="3"', 'HA$phsAHar(3)'],
    ['doName="HA" daName="phsAHar(3).mag.f" ix="3"', 'HA$phsAHar(3)$mag$f'],
    ['doName="Nothing" daName="x(2)" ix="2"', 'Nothing$x(2)'],
  ])('a member %s names an element of an array', (written, path) => {
    const first = '<FCDA ldInst="MEAS"';
    const member = `<FCDA ldInst="MEAS" lnClass="MHAI" lnInst="1" fc="MX" ${written}/>`;
    const [device] = read(sclText('bay.cid').replace(first, `${member}${first}`)).model.devices;
    expect(device?.dataSets[1]?.members[0]).toBe(`BAY1MEAS/MHAI1$MX$${path}`);
  });

  it('values of instances stand before defaults of types, words belong to their enumeration', () => {
    const { notes } = nodeOf('bay.cid', '', 'BAY1LD0', 'LLN0');
    expect(writtenValue(notes, 'ST', ['Mod', 'stVal'])).toBe('on');
    expect(writtenValue(notes, 'DC', ['NamPlt', 'swRev'])).toBe('2.0');
    expect(writtenValue(notes, 'DC', ['NamPlt', 'vendor'])).toBe('ACME');
    expect(writtenValue(notes, 'DC', ['NamPlt', 'd'])).toBe('bay controller');
    expect(attributeNotes(notes, 'ST', ['Beh', 'stVal'])?.words?.get(4)).toBe('test/blocked');
    const protection = nodeOf('bay.cid', '', 'Protection', 'PTOC1').notes;
    expect(['SG', 'SE'].map((constraint) => writtenValue(protection, constraint, ['StrVal', 'setMag', 'f']))).toEqual(['1.5', '1.5']);
  });

  it('descriptions come from desc and dU, entities are the five of XML', () => {
    const { notes } = nodeOf('bay.cid', '', 'BAY1LD0', 'GGIO1');
    expect([notes?.descriptions.get('Ind1'), notes?.descriptions.get('SPCSO1')]).toEqual(['门开 door', 'Fan']);
    expect(openScl('bay.cid', sclText('bay.cid')).ieds[0]?.description).toBe('Feeder <Q01>');
    expect(decodeEntities('a&#x41;&#66;&amp;lt;&unknown;&#9999999;')).toBe('aAB&lt;&unknown;&#9999999;');
  });

  it('what the file says and no type has is a remark with its line', () => {
    const line =
      sclText('bay.cid')
        .split('\n')
        .findIndex((text) => text.includes('Unknown9')) + 1;
    const unknown = say('scl.no_object', { node: 'GGIO1', object: 'Unknown9' });
    expect(warnings).toEqual([fieldIssue('', say('scl.line', { line, message: unknown }))]);
    expect(warnings[0]?.message).toBe(`line ${line}: GGIO1 has a DOI Unknown9, and its type has no such data object`);
  });

  it('equal types are one object', () => {
    const one = nodeOf('bay.cid', '', 'BAY1LD0', 'GGIO1').type;
    expect(typeAt(one, ['ST', 'Ind1'])).toBe(typeAt(one, ['ST', 'Ind2']));
  });
});

describe('an ICD file of edition 1, with prefixed elements', () => {
  const { model } = sclDevice('relay-ed1.icd');

  it('is read like any other', () => {
    expect(model.devices.map(({ name, dataSets }) => [name, dataSets[0]?.members])).toEqual([
      ['TEMPLATERelay', ['TEMPLATERelay/GGIO1$ST$Ind1$stVal']],
    ]);
  });

  it('has report blocks without what came later', () => {
    const { type } = nodeOf('relay-ed1.icd', '', 'TEMPLATERelay', 'LLN0');
    expect(typeAt(type, ['BR', 'brcb01', 'EntryID'])).not.toBeNull();
    expect(typeAt(type, ['BR', 'brcb01', 'ResvTms'])).toBeNull();
  });
});

describe('an SCD file of edition 2.1', () => {
  const file = openScl('station-ed21.scd', sclText('station-ed21.scd'));

  it('offers the devices that have a server, by access point where there are several', () => {
    expect(choicesOf(file).map(({ value, label }) => [value, label])).toEqual([
      ['F01', 'F01 (ACME R-2 7)'],
      ['F02/P1', 'F02/P1 (ACME R-2)'],
      ['F02/S1', 'F02/S1 (ACME R-2)'],
      ['BROKEN', 'BROKEN (ACME R-3)'],
    ]);
  });

  it.each([
    ['F01', 'F01A'],
    ['F01/P2', 'F01A'],
    ['F02', 'F02A'],
    ['F02/S1', 'F02B'],
  ])('%s has the domain %s', (ied, domain) => {
    expect(readSclDevice(file, ied).model.devices.map(({ name }) => name)).toEqual([domain]);
  });

  it.each([
    ['', /4 devices; ied_name has to name one: F01, F02\/P1, F02\/S1, BROKEN/],
    ['SCADA', /no IED "SCADA" with a server; it has F01/],
    ['BROKEN', /line 2\d: LN0 LLN0 has the type "Missing", and DataTypeTemplates has no LNodeType/],
  ])('refuses %j', (ied, words) => {
    expect(() => readSclDevice(file, ied)).toThrow(words);
  });

  it('is told as a document with its choices and what is wrong with them', () => {
    const summary = sclDocuments.read({ name: 'station-ed21.scd', text: sclText('station-ed21.scd') });
    expect(summary.title).toBe('SCD station of schema 2007B4 (edition 2.1), version 4 revision 1');
    expect(summary.choices.map(({ value }) => value)).toEqual(['F01', 'F02/P1', 'F02/S1', 'BROKEN']);
    expect(summary.warnings).toMatchObject([{ path: 'BROKEN', message: expect.stringMatching(/Missing/) }]);
  });
});

describe('the addresses of a device', () => {
  const network = (name: string, ap: string, parts: string) =>
    `<SubNetwork name="${name}" type="8-MMS"><ConnectedAP iedName="BAY1" apName="${ap}"><Address>${parts}</Address><GSE ldInst="x" cbName="y"/></ConnectedAP></SubNetwork>`;
  const withNetworks = (...networks: string[]) =>
    sclText('bay.cid').replace(/<SubNetwork[\s\S]*<\/SubNetwork>/, `<Text>notes</Text>${networks.join('')}`);
  const read = (text: string) => sclDocuments.read({ name: 'bay.cid', text });
  const part = (type: string, text: string) => `<P type="${type}">${text}</P>`;
  const all = [
    part('IP', '10.1.2.3'),
    part('IP-SUBNET', '255.255.255.0'),
    part('OSI-TSEL', '00000001'),
    part('OSI-SSEL', '00ab'),
    part('OSI-PSEL', '0001'),
    part('OSI-AP-Title', '1,3,9999,23'),
    part('OSI-AE-Qualifier', '23'),
    part('MMS-Port', '8102'),
  ].join('');
  const whole = {
    value: 'W1/P1',
    ip: '10.1.2.3',
    port: 8102,
    protocol: {
      remote_transport_selector: '00000001',
      remote_session_selector: '00AB',
      remote_presentation_selector: '0001',
      remote_ap_title: '1.3.9999.23',
      remote_ae_qualifier: 23,
    },
  };

  it('are read with selectors, AP title and port', () => {
    expect(sclDocuments.read({ name: 'bay.cid', text: sclText('bay.cid') }).choices).toMatchObject([
      { value: 'BAY1', addresses: [{ value: 'W1/P1', ip: '192.0.2.10', port: null, protocol: {} }] },
    ]);
    expect(read(withNetworks(network('W1', 'P1', all))).choices[0]?.addresses).toEqual([whole]);
  });

  it('are read as edition 1 types them, and as later files write AP titles', () => {
    const typed = all.replace(/type="([^"]*)"/g, 'type="$1" xsi:type="tP_$1"').replaceAll(',', '.');
    const swapped = all.replace(/type="([^"]*)"/g, 'xsi:type="tP_$1" type="$1"');
    for (const parts of [typed, swapped]) {
      const text = withNetworks(network('W1', 'P1', parts)).replace('<SCL ', '<SCL xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ');
      expect(read(text).choices[0]?.addresses).toEqual([whole]);
    }
  });

  it('are several where the device is on several networks; those of other devices and access points are left out', () => {
    const other = network('W3', 'P1', part('IP', '10.9.9.9')).replace('BAY1', 'BAY2');
    const summary = read(
      withNetworks(
        network('W1', 'P1', part('IP', '10.1.2.3')),
        network('W2', 'P1', part('IP', '10.2.2.3')),
        network('W3', 'P7', all),
        other,
      ),
    );
    expect(summary.choices[0]?.addresses?.map(({ value, ip }) => [value, ip])).toEqual([
      ['W1/P1', '10.1.2.3'],
      ['W2/P1', '10.2.2.3'],
    ]);
  });

  it('that were not filled in are none, and what cannot be used is told with what would be right', () => {
    expect(read(withNetworks(network('W1', 'P1', part('IP', '0.0.0.0')))).choices[0]?.addresses).toEqual([]);
    const bad = [
      part('OSI-TSEL', '1'),
      part('OSI-AP-Title', 'none'),
      part('OSI-AE-Qualifier', '70000'),
      part('MMS-Port', '0'),
      part('IP', '10.1.2.3'),
    ];
    const { choices, warnings } = read(withNetworks(network('W1', 'P1', bad.join(''))));
    expect(choices[0]?.addresses).toEqual([{ value: 'W1/P1', ip: '10.1.2.3', port: null, protocol: {} }]);
    expect(warnings.filter(({ path }) => path === 'W1/P1').map(({ message }) => message)).toEqual([
      'OSI-TSEL "1" is not taken; it should be at most 32 octets in hexadecimal',
      'OSI-AP-Title "none" is not taken; it should be an object identifier like 1,1,999,1',
      'OSI-AE-Qualifier "70000" is not taken; it should be a number from 0 to 65535',
      'MMS-Port "0" is not taken; it should be a number from 1 to 65535',
    ]);
  });

  it('are none without Communication, as in a template of a device', () => {
    expect(read(sclText('bay.cid').replace(/<Communication>[\s\S]*<\/Communication>/, '')).choices[0]?.addresses).toEqual([]);
  });
});

const scl = (templates: string, lnType = 'L') =>
  `<SCL version="2007" revision="B"><IED name="A"><AccessPoint name="P"><Server><LDevice inst="LD"><LN0 lnClass="LLN0" inst="" lnType="${lnType}"/>
   </LDevice></Server></AccessPoint></IED><DataTypeTemplates>${templates}</DataTypeTemplates></SCL>`;
const node = '<LNodeType id="L" lnClass="LLN0"><DO name="Beh" type="D"/></LNodeType>';

it.each([
  ['SG', '<DA name="setVal" bType="INT32" fc="SG"/>'],
  ['SE', '<DA name="setVal" bType="INT32" fc="SE"/>'],
  ['both', '<DA name="setVal" bType="INT32" fc="SG"/><DA name="setVal" bType="INT32" fc="SE"/>'],
])('a setting of a group is there to be read and to be edited, named as %s', (_name, attributes) => {
  const [device] = read(scl(`${node}<DOType id="D" cdc="ING">${attributes}</DOType>`)).model.devices;
  const type = device?.nodes[0]?.type;
  expect(['SG', 'SE'].map((constraint) => type && short(typeAt(type, [constraint, 'Beh'])))).toEqual(Array(2).fill('{setVal:integer32}'));
});

describe('a file that is no good is told with its line', () => {
  it.each([
    ['nothing', '', /line 1: this is no XML/],
    ['text', 'hello', /line 1: this is no XML; an SCL file begins with <\?xml or <SCL/],
    ['a workbook', 'PK\u0003\u0004', /line 1: this is no XML/],
    ['JSON', '{"a": 1}', /line 1: this is no XML/],
    ['another root', '<?xml version="1.0"?>\n<Project/>', /line 2: this is XML, but no SCL: its root is Project/],
    ['an element that is not closed', '<SCL>\n<IED name="A">\n</SCL>', /line 3: .*IED/],
    ['an attribute twice', '<SCL>\n<IED name="A" name="B"/></SCL>', /line 2: .*name/],
    ['a cut file', '<SCL><IED name="A">', /line 1: /],
    ['no device', '<SCL><Header id="x"/></SCL>', /no IED of this file has an access point with a Server/],
    ['a device without a name', '<SCL>\n<IED/></SCL>', /line 2: an IED has no name/],
  ])('%s', (_name, text, words) => {
    expect(() => read(text)).toThrow(words);
  });

  it.each([
    ['a data object type', node, /DataTypeTemplates has no DOType of this id/],
    ['an attribute type', `${node}<DOType id="D" cdc="INS"><DA name="x" bType="Struct" type="S" fc="ST"/></DOType>`, /no DAType/],
    ['an enumeration', `${node}<DOType id="D" cdc="INS"><DA name="x" bType="Enum" type="E" fc="ST"/></DOType>`, /no EnumType/],
    ['a basic type', `${node}<DOType id="D" cdc="INS"><DA name="x" bType="INT7" fc="ST"/></DOType>`, /bType "INT7" of x is not known/],
    ['a constraint', `${node}<DOType id="D" cdc="INS"><DA name="x" bType="INT8"/></DOType>`, /no functional constraint/],
    [
      'a count',
      `${node}<DOType id="D" cdc="INS"><DA name="x" bType="INT8" fc="ST" count="many"/></DOType>`,
      /count "many" of x should be a number/,
    ],
    ['a type that holds itself', `${node}<DOType id="D" cdc="WYE"><SDO name="x" type="D"/></DOType>`, /DOType D holds itself/],
  ])('missing or wrong: %s', (_name, templates, words) => {
    expect(() => read(scl(templates))).toThrow(words);
    expect(() => read(scl(templates))).toThrow(/^test.scd, line \d+: /);
  });
});

describe('a member that cannot be', () => {
  const good = '<DA name="stVal" bType="INT8" fc="ST"/>';
  it.each([
    ['a name that no reference can hold', '<DA name="a$b" bType="INT8" fc="ST"/>', /"a\$b" is no name for a DA; it is left out/],
    ['a name twice', '<DA name="stVal" bType="INT16" fc="ST"/>', /the type has stVal twice; the second DA is left out/],
  ])('%s is left out with a warning, the rest stays', (_name, odd, words) => {
    const { model, warnings } = read(scl(`${node}<DOType id="D" cdc="INS">${good}${odd}</DOType>`));
    const [, type] = model.devices[0]?.nodes.map((each) => each.type) ?? [];
    expect(JSON.stringify(type ?? model.devices[0]?.nodes[0]?.type)).toContain('{"name":"stVal","type":{"kind":"integer","size":8}}');
    expect(warnings).toMatchObject([{ path: '', message: expect.stringMatching(words) }]);
  });

  it('a logical node twice: the first one stays', () => {
    const text = sclText('bay.cid').replace('<LN prefix="Q1"', '<LN lnClass="GGIO" inst="1" lnType="GGIO_T"/><LN prefix="Q1"');
    const { model, warnings } = read(text);
    expect(model.devices[0]?.nodes.filter(({ name }) => name === 'GGIO1').length).toBe(1);
    expect(messages(warnings)).toContain('logical node BAY1LD0/GGIO1 is there twice; the second one is left out');
  });

  it('an index that differs from the one in the name is told', () => {
    const first = '<FCDA ldInst="MEAS"';
    const member = '<FCDA ldInst="MEAS" lnClass="MHAI" lnInst="1" fc="MX" doName="HA.phsAHar(3)" ix="4"/>';
    const { model, warnings } = read(sclText('bay.cid').replace(first, `${member}${first}`));
    expect(model.devices[0]?.dataSets[1]?.members[0]).toBe('BAY1MEAS/MHAI1$MX$HA$phsAHar(3)');
    expect(messages(warnings)).toContain('a member of a data set names element 3 and ix 4; 3 is taken');
  });
});

describe('a hostile file', () => {
  it('declares no entities', () => {
    const bomb = '<?xml version="1.0"?>\n<!DOCTYPE SCL [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>\n<SCL><Header id="&b;"/></SCL>';
    expect(() => read(bomb)).toThrow(/line 2: a document type declaration is refused/);
    expect(() => read('<!DOCTYPE SCL SYSTEM "file:///etc/passwd"><SCL/>')).toThrow(/document type declaration/);
  });

  it('has types that multiply each other', () => {
    const levels = Array.from({ length: 12 }, (_, level) => {
      const parts = Array.from({ length: 10 }, (__, part) => `<BDA name="p${part}" bType="Struct" type="S${level + 1}"/>`);
      return `<DAType id="S${level}">${parts.join('')}</DAType>`;
    });
    const templates = `${node}<DOType id="D" cdc="X"><DA name="x" bType="Struct" type="S0" fc="ST"/></DOType>${levels.join('')}<DAType id="S12"><BDA name="v" bType="INT8"/></DAType>`;
    expect(() => read(scl(templates))).toThrow(/more than 100000 attributes/);
  });

  it('nests types or elements without end', () => {
    const chain = Array.from(
      { length: 5000 },
      (_, level) => `<DAType id="S${level}"><BDA name="p" bType="Struct" type="S${level + 1}"/></DAType>`,
    );
    const templates = `${node}<DOType id="D" cdc="X"><DA name="x" bType="Struct" type="S0" fc="ST"/></DOType>${chain.join('')}`;
    expect(() => read(scl(templates))).toThrow(/more than 40 deep/);
    expect(() => read(`<SCL>${'<a>'.repeat(200)}${'</a>'.repeat(200)}</SCL>`)).toThrow(/nested/);
    expect(() => read(`<SCL>${'<a>'.repeat(100_000)}`)).toThrow(/^test.scd, line 1: .{1,250}$/);
  });

  it('names things like parts of objects of this program', () => {
    expect(() => read('<SCL><IED name="__proto__"/><Header __proto__="x" constructor="y"/></SCL>')).toThrow();
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});

it('of a large station the first devices are checked, and always one', () => {
  const filler = `<!--${'x'.repeat(1000)}-->`.repeat(1200);
  const ied = (name: string) =>
    `<IED name="${name}"><AccessPoint name="P"><Server><LDevice inst="LD">${filler}<LN0 lnClass="LLN0" inst="" lnType="none"/></LDevice></Server></AccessPoint></IED>`;
  const text = `<SCL>${['A', 'B', 'C', 'D'].map(ied).join('')}<DataTypeTemplates/></SCL>`;
  const { choices, warnings } = sclDocuments.read({ name: 'x.scd', text });
  expect([choices.map(({ value }) => value), warnings.map(({ path }) => path)]).toEqual([
    ['A', 'B', 'C', 'D'],
    ['A', 'B'],
  ]);
});
