/** Names of objects, variables with alternate access, and the variable access specification (ISO 9506-2). */

import { say } from '#shared/messages/index.ts';
import type { BerReader } from '../../../protocol-kit/ber/reader.ts';
import { tagText } from '../../../protocol-kit/ber/reader.ts';
import { smallUnsignedOf, textOf } from '../../../protocol-kit/ber/values.ts';
import type { BerWriter } from '../../../protocol-kit/ber/writer.ts';
import { malformed } from '../../../protocol-kit/malformed.ts';
import { decodeAll } from './data.ts';
import type { AccessSelection, AccessSpec, AccessStep, VariableSpec } from './pdu.ts';
import type { ObjectName } from './types.ts';

const SEQUENCE = 0x30;
const VISIBLE_STRING = 0x1a;
const MAX_INDEX = 0xffff_ffff;

/**
 * The next element as ObjectName. An association name inside a constructed element, as libiec61850 repeats it in answers, is understood as
 * well. Throws `PROTOCOL_MALFORMED`.
 */
export function decodeName(reader: BerReader): ObjectName {
  const element = reader.next();
  if (element.tag === 0x80) return { scope: 'vmd', item: textOf(element) };
  if (element.tag === 0x82) return { scope: 'association', item: textOf(element) };
  if (element.tag === 0xa2) {
    return { scope: 'association', item: textOf(reader.inside(element).expect(VISIBLE_STRING, 'Name of the association')) };
  }
  if (element.tag !== 0xa1) throw malformed(say('mms.no_object_name', { tag: tagText(element.tag) }));
  const parts = reader.inside(element);
  const domain = textOf(parts.expect(VISIBLE_STRING, 'Domain of an object name'));
  return { scope: 'domain', domain, item: textOf(parts.expect(VISIBLE_STRING, 'Item of an object name')) };
}

/** Writes an object name. */
export function encodeName(writer: BerWriter, name: ObjectName): BerWriter {
  if (name.scope !== 'domain') return writer.text(name.scope === 'vmd' ? 0x80 : 0x82, name.item);
  writer.constructed(0xa1, () => {
    writer.text(VISIBLE_STRING, name.domain);
    writer.text(VISIBLE_STRING, name.item);
  });
  return writer;
}

/** The next element as a variable of a list. Only names are understood, not addresses. Throws `PROTOCOL_MALFORMED`. */
export function decodeVariable(reader: BerReader): VariableSpec {
  const fields = reader.inside(reader.expect(SEQUENCE, 'Variable of a list'));
  const name = decodeName(fields.inside(fields.expect(0xa0, 'Name of a variable')));
  const access = fields.optional(0xa5);
  return { name, access: access === null ? null : decodeAll(fields.inside(access), decodeSelection) };
}

/** Writes a variable of a list. */
export function encodeVariable(writer: BerWriter, { name, access }: VariableSpec): BerWriter {
  writer.constructed(SEQUENCE, () => {
    writer.constructed(0xa0, () => encodeName(writer, name));
    if (access === null) return;
    writer.constructed(0xa5, () => {
      for (const selection of access) encodeSelection(writer, selection);
    });
  });
  return writer;
}

/** Tags of a last step (`selectAccess`); a step with more behind it has each one less. */
const STEP_TAGS = { component: 0x81, index: 0x82, range: 0xa3, all: 0x84 } as const satisfies Record<AccessStep['kind'], number>;

function decodeSelection(reader: BerReader): AccessSelection {
  const named = reader.optional(0xa5);
  if (named !== null) {
    const fields = reader.inside(named);
    fields.expect(0x80, 'Name of a selection');
    return decodeSelection(fields);
  }
  const deeper = reader.optional(0xa0);
  if (deeper === null) return { step: decodeStep(reader, 0), inner: null };
  const fields = reader.inside(deeper);
  const step = decodeStep(fields, 1);
  return { step, inner: decodeAll(fields.inside(fields.expect(SEQUENCE, 'Inner alternate access')), decodeSelection) };
}

function decodeStep(reader: BerReader, less: 0 | 1): AccessStep {
  const element = reader.next();
  switch (element.tag + less) {
    case STEP_TAGS.component:
      return { kind: 'component', name: textOf(element) };
    case STEP_TAGS.index:
      return { kind: 'index', index: smallUnsignedOf(element, MAX_INDEX, 'Array index') };
    case STEP_TAGS.range: {
      const fields = reader.inside(element);
      const low = smallUnsignedOf(fields.expect(0x80, 'First index of a range'), MAX_INDEX, 'Array index');
      return { kind: 'range', low, count: smallUnsignedOf(fields.expect(0x81, 'Count of a range'), MAX_INDEX, 'Count of a range') };
    }
    case STEP_TAGS.all:
      return { kind: 'all' };
    default:
      throw malformed(say('mms.no_selection', { tag: tagText(element.tag) }));
  }
}

function encodeSelection(writer: BerWriter, { step, inner }: AccessSelection): BerWriter {
  if (inner === null) return encodeStep(writer, step, 0);
  writer.constructed(0xa0, () => {
    encodeStep(writer, step, 1);
    writer.constructed(SEQUENCE, () => {
      for (const selection of inner) encodeSelection(writer, selection);
    });
  });
  return writer;
}

function encodeStep(writer: BerWriter, step: AccessStep, less: 0 | 1): BerWriter {
  const tag = STEP_TAGS[step.kind] - less;
  switch (step.kind) {
    case 'component':
      return writer.text(tag, step.name);
    case 'index':
      return writer.integer(tag, step.index);
    case 'range':
      return writer.constructed(tag, () => {
        writer.integer(0x80, step.low);
        writer.integer(0x81, step.count);
      });
    default:
      return writer.empty(tag);
  }
}

/** The next element as variable access specification. Throws `PROTOCOL_MALFORMED`. */
export function decodeSpec(reader: BerReader): AccessSpec {
  const list = reader.optional(0xa1);
  if (list !== null) return { kind: 'list', name: decodeName(reader.inside(list)) };
  const items = reader.inside(reader.expect(0xa0, 'Variable access specification'));
  return { kind: 'variables', items: decodeAll(items, decodeVariable) };
}

/** Writes a variable access specification. */
export function encodeSpec(writer: BerWriter, spec: AccessSpec): BerWriter {
  if (spec.kind === 'list') return writer.constructed(0xa1, () => encodeName(writer, spec.name));
  writer.constructed(0xa0, () => {
    for (const item of spec.items) encodeVariable(writer, item);
  });
  return writer;
}
