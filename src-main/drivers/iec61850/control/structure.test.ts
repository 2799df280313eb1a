/** Control structures and what devices say of controls, against the traffic of libiec61850 and iec61850bean. */
import { describe, expect, it } from 'vitest';
import { decodeMms, encodeMms } from '../mms/codec.ts';
import type { MmsPdu } from '../mms/pdu.ts';
import type { MmsType, MmsValue } from '../mms/types.ts';
import { componentIndex, componentType } from '../model/types.ts';
import { hex, mmsOf, readCapture } from '../testing/captures.ts';
import { readControlReport } from './control-reports.ts';
import { type ControlFields, controlStructure } from './structure.ts';

const SCENARIOS = ['40', '41', '42', '43', '44', '45', '80'];

interface Written {
  readonly item: string;
  readonly type: MmsType;
  readonly value: MmsValue;
}

const pdusOf = (name: string): MmsPdu[] => mmsOf(readCapture(name)).map(({ bytes }) => decodeMms(bytes));

/** The controls that clients wrote in a scenario, with the types that the device told before. */
function controlsOf(name: string): Written[] {
  const types = new Map<string, MmsType>();
  const asked = new Map<number, string>();
  const found: Written[] = [];
  for (const pdu of pdusOf(name)) {
    if (pdu.kind === 'request' && pdu.request.service === 'get-variable-access-attributes') asked.set(pdu.invokeId, pdu.request.name.item);
    if (pdu.kind === 'response' && pdu.response.service === 'get-variable-access-attributes') {
      types.set(asked.get(pdu.invokeId) ?? '', pdu.response.type);
    }
    if (pdu.kind !== 'request' || pdu.request.service !== 'write' || pdu.request.spec.kind !== 'variables') continue;
    const [variable] = pdu.request.spec.items;
    const [value] = pdu.request.values;
    const at = variable?.name.item.lastIndexOf('$') ?? -1;
    const type = types.get(variable?.name.item.slice(0, at) ?? '');
    const part = type && componentType(type, variable?.name.item.slice(at + 1) ?? '');
    if (part && value) found.push({ item: variable?.name.item ?? '', type: part, value });
  }
  return found;
}

function member(type: MmsType, value: MmsValue, name: string): MmsValue | undefined {
  return value.kind === 'structure' ? value.items[componentIndex(type, name)] : undefined;
}

function fieldsIn(type: MmsType, value: MmsValue): ControlFields {
  const at = (name: string) => member(type, value, name);
  const origin = at('origin');
  const [category, identifier] = origin?.kind === 'structure' ? origin.items : [];
  const check = at('Check');
  const bits = check?.kind === 'bit-string' ? (check.octets[0] ?? 0) : 0;
  const test = at('Test');
  const number = at('ctlNum');
  return {
    value: at('ctlVal') ?? at('setVal') ?? at('setMag') ?? expect.fail('no value'),
    category: category?.kind === 'integer' ? Number(category.value) : 0,
    identifier: identifier?.kind === 'octet-string' ? identifier.octets : new Uint8Array(0),
    number: number?.kind === 'unsigned' ? Number(number.value) : 0,
    at: 0,
    operateAt: null,
    isTest: test?.kind === 'boolean' && test.value,
    checksSynchronism: (bits & 0x80) !== 0,
    checksInterlocking: (bits & 0x40) !== 0,
  };
}

/** Octets of a Write of this value; T and an unused operTm are each client's own. */
function octetsOf({ item, type }: Written, value: MmsValue): string {
  const items = value.kind === 'structure' ? [...value.items] : [];
  for (const name of ['T', 'operTm']) {
    const at = componentIndex(type, name);
    if (at >= 0) items[at] = { kind: 'utc-time', octets: new Uint8Array(8) };
  }
  const name = { scope: 'domain', domain: 'D', item } as const;
  const spec = { kind: 'variables', items: [{ name, access: null }] } as const;
  return hex(encodeMms({ kind: 'request', invokeId: 1, request: { service: 'write', spec, values: [{ kind: 'structure', items }] } }));
}

describe('control structures', () => {
  it.each(SCENARIOS)('are made of the type of the device as other clients make them: %s', (name) => {
    const controls = controlsOf(name);
    expect(controls.length).toBeGreaterThan(0);
    for (const control of controls) {
      const made = controlStructure(control.type, fieldsIn(control.type, control.value), control.item.endsWith('Cancel'));
      expect(octetsOf(control, made)).toBe(octetsOf(control, control.value));
    }
  });

  const plain: ControlFields = {
    value: { kind: 'boolean', value: true },
    category: 2,
    identifier: new Uint8Array(0),
    number: 0,
    at: 0,
    operateAt: null,
    isTest: false,
    checksSynchronism: false,
    checksInterlocking: false,
  };
  const structure = (...components: { name: string; type: MmsType }[]): MmsType => ({ kind: 'structure', components });
  const value = { name: 'ctlVal', type: { kind: 'boolean' } } as const;

  it.each<[string, MmsType, Partial<ControlFields>, RegExp]>([
    ['a time without operTm', structure(value), { operateAt: 1 }, /no operTm/],
    ['the test bit without Test', structure(value), { isTest: true }, /no Test bit/],
    ['a check without Check', structure(value), { checksInterlocking: true }, /no Check/],
    ['a member nobody knows', structure(value, { name: 'vendorPin', type: { kind: 'boolean' } }), {}, /member vendorPin/],
    [
      'an origin that is a number',
      structure(value, { name: 'origin', type: { kind: 'integer', size: 8 } }),
      {},
      /origin that is no structure/,
    ],
    [
      'a number that is a text',
      structure(value, { name: 'ctlNum', type: { kind: 'visible-string', size: 5 } }),
      {},
      /ctlNum that is no integer/,
    ],
    ['no structure', { kind: 'boolean' }, {}, /no structure/],
  ])('%s is refused, and nothing is left out silently', (_name, type, fields, message) => {
    expect(() => controlStructure(type, { ...plain, ...fields })).toThrow(message);
  });

  it('edition 1 has T as binary time and setMag for the value', () => {
    const type = structure(
      { name: 'setMag', type: { kind: 'float', width: 32, exponentWidth: 8 } },
      { name: 'T', type: { kind: 'binary-time', hasDate: true } },
    );
    const made = controlStructure(type, { ...plain, value: { kind: 'float', value: 1.5, width: 32 }, at: Date.UTC(1984, 0, 2) });
    expect(made).toEqual({
      kind: 'structure',
      items: [
        { kind: 'float', value: 1.5, width: 32 },
        { kind: 'binary-time', octets: Uint8Array.of(0, 0, 0, 0, 0, 1) },
      ],
    });
  });
});

describe('what a device says of a control', () => {
  const told = (name: string) =>
    pdusOf(name).flatMap((pdu) => {
      const report = pdu.kind === 'information-report' ? readControlReport(pdu.report) : null;
      if (!report) return [];
      const reason =
        report.reason &&
        `${report.reason.service} error ${report.reason.error} number ${report.reason.number} cause ${report.reason.addCause}`;
      return [report.kind === 'refusal' ? `${report.reason.object} ${reason}` : `${report.object} ended${reason ? ` ${reason}` : ''}`];
    });

  it('LastApplError comes before the answer, with object, number and additional cause', () => {
    expect(told('41')).toContain('EMS1LD0/GGIO1$CO$SPCSO2 Oper error 0 number 0 cause 18');
    expect(told('44')).toContain('EMS1LD0/GGIO1$CO$SPCSO7 Oper error 0 number 1 cause 9');
  });

  it('CommandTermination, positive and negative', () => {
    expect(told('42')).toContain('EMS1LD0/GGIO1$CO$SPCSO3 ended');
    expect(told('44')).toContain('EMS1LD0/GGIO1$CO$SPCSO8 ended Oper error 2 number 1 cause 16');
    expect(told('45')).toContain('EMS1LD0/GGIO1$CO$DPCSO1 ended');
  });

  it('reports of data sets are none', () => {
    for (const name of ['50', '51', '52']) expect(told(name)).toEqual([]);
  });
});
