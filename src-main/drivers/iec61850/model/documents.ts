/** SCL files as documents of a channel. */
import { AppError, type FieldIssue, fieldIssue, issueMessage, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { DocumentDeviceFacts, DocumentKind, DocumentSummary, DriverDocument } from '../../spi/model.ts';
import { memoryOf } from '../channel-memory.ts';
import { partsOf, type SentPart } from './parts.ts';
import { addressesOf } from './scl/communication.ts';
import { readSclDevice } from './scl/device.ts';
import { choicesOf, openScl, type SclChoice, type SclFile } from './scl/file.ts';
import { TypePool } from './types.ts';

/** Devices are checked when a file is looked at until so many characters describe them: it must not take long. */
const CHECKED_LENGTH = 1_500_000;
const MOST_WARNINGS = 50;

const KINDS: Readonly<Record<string, string>> = { icd: 'ICD', cid: 'CID', iid: 'IID', scd: 'SCD', ssd: 'SSD', sed: 'SED' };

/** SCL files (IEC 61850-6). */
export const sclDocuments: DocumentKind = {
  extensions: ['.scd', '.cid', '.iid', '.icd', '.scl', '.xml'],
  maxOctets: 32 * 1024 * 1024,
  setting: 'ied_name',
  read(document) {
    const file = openScl(document.name, document.text);
    return {
      title: titleOf(document, file),
      choices: choicesOf(file).map(({ value, label, choice }) => ({
        value,
        label,
        addresses: addressesOf(file, choice).addresses,
        about: factsOf(choice),
      })),
      warnings: warningsOf(file),
    };
  },
  device: {
    *make(document, settings) {
      yield* partsOf(readSclDevice(openScl(document.name, document.text), String(settings.ied_name ?? '')).model);
    },
    isTaken: (memory) => memoryOf(memory).isDocumentTaken,
    take: (memory, made) => memoryOf(memory).takeMade(made instanceof AppError ? made : (made as readonly SentPart[])),
  },
};

function factsOf({ ied, accessPoint }: SclChoice): DocumentDeviceFacts {
  return {
    device: ied.name,
    access_point: accessPoint.name,
    manufacturer: ied.manufacturer,
    type: ied.type,
    description: ied.description,
  };
}

/** `SCD of schema 2007B4 (edition 2.1), version 4 revision 1`. */
function titleOf({ name }: DriverDocument, file: SclFile): string {
  const kind = KINDS[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'SCL file';
  const { version, revision, id } = file.header;
  const about = [version === '' ? '' : `version ${version}`, revision === '' ? '' : `revision ${revision}`]
    .filter((text) => text !== '')
    .join(' ');
  return [`${kind}${id === '' ? '' : ` ${id}`} of schema ${file.schema} (edition ${file.edition})`, about]
    .filter((text) => text !== '')
    .join(', ');
}

/** What stands in the way of each device; of a large file only of the first ones. */
function warningsOf(file: SclFile): DocumentSummary['warnings'] {
  const choices = choicesOf(file);
  const warnings: FieldIssue[] = [];
  const told = new Set<string>();
  if (choices.length === 0) warnings.push(fieldIssue('', say('scl.no_server_at_all')));
  const pool = new TypePool();
  let length = 0;
  for (const { value, choice } of choices) {
    if (length > CHECKED_LENGTH) break;
    length += choice.ied.element.end - choice.ied.element.start;
    warnings.push(...addressesOf(file, choice).issues);
    try {
      for (const warning of readSclDevice(file, value, pool).warnings) {
        const { path, message } = warning;
        // devices of one file share their types, and what is odd in them
        if (told.has(`${path} ${message}`)) continue;
        told.add(`${path} ${message}`);
        warnings.push(fieldIssue(path, say('common.issue', { path: value, message: issueMessage(warning) })));
      }
    } catch (thrown) {
      warnings.push(fieldIssue(value, say('scl.unusable', { reason: toAppError(thrown).said })));
    }
  }
  return warnings.slice(0, MOST_WARNINGS);
}
