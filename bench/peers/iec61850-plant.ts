/** A device of 10,000 attributes as an SCL file: four logical devices of ten nodes with 42 measured values each, no two nodes of one type. */

const DEVICES = ['BAY', 'LINE', 'BUS', 'TRAFO'];
const NODES_A_DEVICE = 10;
const OBJECTS_A_NODE = 42;
const IED = 'BENCH';

/** What is learnt and read. */
export const PLANT = {
  domains: DEVICES.length,
  /** With the LLN0 of each domain. */
  logicalNodes: DEVICES.length * (NODES_A_DEVICE + 1),
  dataSets: DEVICES.length,
  points: DEVICES.length * NODES_A_DEVICE * OBJECTS_A_NODE,
} as const;

const nodes = Array.from({ length: NODES_A_DEVICE }, (_, at) => at + 1);
/** Names of the measured values of a node: those of another are others. */
const objectsOf = (device: number, node: number) =>
  Array.from({ length: OBJECTS_A_NODE }, (_, at) => `AnIn${(device * NODES_A_DEVICE + node - 1) * OBJECTS_A_NODE + at + 1}`);

/** Domain and item of every measured value: `BENCHBAY`, `GGIO1$MX$AnIn1`. */
export function measuredValues(): readonly { readonly domain: string; readonly item: string }[] {
  return DEVICES.flatMap((name, device) =>
    nodes.flatMap((node) => objectsOf(device, node).map((object) => ({ domain: IED + name, item: `GGIO${node}$MX$${object}` }))),
  );
}

/** The SCL file. */
export function plantFile(): string {
  const devices = DEVICES.map((name, device) => {
    const members = nodes.map((node) => `<FCDA ldInst="${name}" lnClass="GGIO" lnInst="${node}" doName="Beh" fc="ST"/>`);
    const list = nodes.map((node) => `<LN lnClass="GGIO" inst="${node}" lnType="GGIO_${device}_${node}"/>`);
    return `<LDevice inst="${name}"><LN0 lnClass="LLN0" inst="" lnType="LLN0"><DataSet name="dsBeh">${members.join('')}</DataSet>
      <DOI name="NamPlt"><DAI name="configRev"><Val>1</Val></DAI></DOI></LN0>${list.join('')}</LDevice>`;
  });
  const types = DEVICES.flatMap((_, device) =>
    nodes.map((node) => {
      const objects = objectsOf(device, node).map((object) => `<DO name="${object}" type="MV"/>`);
      return `<LNodeType id="GGIO_${device}_${node}" lnClass="GGIO"><DO name="Beh" type="ENS"/>${objects.join('')}</LNodeType>`;
    }),
  );
  return `<SCL xmlns="http://www.iec.ch/61850/2003/SCL" version="2007" revision="B"><Header id="bench"/>
    <IED name="${IED}"><AccessPoint name="P1"><Server><Authentication none="true"/>${devices.join('\n')}</Server></AccessPoint></IED>
    <DataTypeTemplates><LNodeType id="LLN0" lnClass="LLN0"><DO name="Beh" type="ENS"/><DO name="NamPlt" type="LPL"/></LNodeType>
    ${types.join('\n')}${COMMON_TYPES}</DataTypeTemplates></SCL>`;
}

const COMMON_TYPES = `
  <DOType id="ENS" cdc="ENS"><DA name="stVal" bType="Enum" type="BehKind" fc="ST"/><DA name="q" bType="Quality" fc="ST"/><DA name="t" bType="Timestamp" fc="ST"/></DOType>
  <DOType id="LPL" cdc="LPL"><DA name="vendor" bType="VisString255" fc="DC"/><DA name="swRev" bType="VisString255" fc="DC"/><DA name="configRev" bType="VisString255" fc="DC"/></DOType>
  <DOType id="MV" cdc="MV"><DA name="mag" bType="Struct" type="AnalogueValue" fc="MX"/><DA name="q" bType="Quality" fc="MX"/><DA name="t" bType="Timestamp" fc="MX"/>
    <DA name="units" bType="Struct" type="Unit" fc="CF"/><DA name="db" bType="INT32U" fc="CF"/></DOType>
  <DAType id="AnalogueValue"><BDA name="f" bType="FLOAT32"/></DAType>
  <DAType id="Unit"><BDA name="SIUnit" bType="INT8"/><BDA name="multiplier" bType="INT8"/></DAType>
  <EnumType id="BehKind"><EnumVal ord="1">on</EnumVal><EnumVal ord="5">off</EnumVal></EnumType>`;
