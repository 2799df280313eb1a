/** Words for the numbers of refusals (ISO 9506-2): data access errors, service errors, rejects. */

import { say } from '#shared/messages/index.ts';
import { type Message, type Names, names } from '#shared/messages/message.ts';
import { CHINESE_WORDS } from './chinese-words.ts';
import type { ServiceError } from './pdu.ts';

type Word = keyof typeof CHINESE_WORDS;

const ACCESS_ERRORS = [
  'object-invalidated',
  'hardware-fault',
  'temporarily-unavailable',
  'object-access-denied',
  'object-undefined',
  'invalid-address',
  'type-unsupported',
  'type-inconsistent',
  'object-attribute-inconsistent',
  'object-access-unsupported',
  'object-non-existent',
  'object-value-invalid',
] as const;

/** DataAccessError codes that our side gives. */
export const ACCESS_ERROR = {
  hardwareFault: 1,
  temporarilyUnavailable: 2,
  accessDenied: 3,
  invalidAddress: 5,
  typeInconsistent: 7,
  attributeInconsistent: 8,
  accessUnsupported: 9,
  nonExistent: 10,
  valueInvalid: 11,
} as const;

/** `object-access-denied (3)`; an unknown code as a number alone. */
export function accessErrorText(code: number): Message {
  const word = ACCESS_ERRORS[code];
  return word === undefined ? say('mmsframe.access_error_number', { code }) : say('mmsframe.access_error', { name: named(word), code });
}

interface ErrorClass {
  readonly name: Word;
  readonly codes: readonly Word[];
}

const ERROR_CLASSES: readonly ErrorClass[] = [
  {
    name: 'vmd-state',
    codes: ['other', 'vmd-state-conflict', 'vmd-operational-problem', 'domain-transfer-problem', 'state-machine-id-invalid'],
  },
  {
    name: 'application-reference',
    codes: ['other', 'application-unreachable', 'connection-lost', 'application-reference-invalid', 'context-unsupported'],
  },
  {
    name: 'definition',
    codes: [
      'other',
      'object-undefined',
      'invalid-address',
      'type-unsupported',
      'type-inconsistent',
      'object-exists',
      'object-attribute-inconsistent',
    ],
  },
  {
    name: 'resource',
    codes: [
      'other',
      'memory-unavailable',
      'processor-resource-unavailable',
      'mass-storage-unavailable',
      'capability-unavailable',
      'capability-unknown',
    ],
  },
  {
    name: 'service',
    codes: [
      'other',
      'primitives-out-of-sequence',
      'object-state-conflict',
      'pdu-size',
      'continuation-invalid',
      'object-constraint-conflict',
    ],
  },
  { name: 'service-preempt', codes: ['other', 'timeout', 'deadlock', 'cancel'] },
  { name: 'time-resolution', codes: ['other', 'unsupportable-time-resolution'] },
  {
    name: 'access',
    codes: ['other', 'object-access-unsupported', 'object-non-existent', 'object-access-denied', 'object-invalidated'],
  },
  {
    name: 'initiate',
    codes: [
      'other',
      'version-incompatible',
      'max-segment-insufficient',
      'max-services-outstanding-calling-insufficient',
      'max-services-outstanding-called-insufficient',
      'service-cbb-insufficient',
      'parameter-cbb-insufficient',
      'nesting-level-insufficient',
    ],
  },
  { name: 'conclude', codes: ['other', 'further-communication-required'] },
  { name: 'cancel', codes: ['other', 'invoke-id-unknown', 'cancel-not-possible'] },
  {
    name: 'file',
    codes: [
      'other',
      'filename-ambiguous',
      'file-busy',
      'filename-syntax-error',
      'content-type-invalid',
      'position-invalid',
      'file-access-denied',
      'file-non-existent',
      'duplicate-filename',
      'insufficient-space-in-filestore',
    ],
  },
  { name: 'others', codes: [] },
];

/** Service errors that our side gives. */
export const SERVICE_ERROR = {
  definitionUndefined: { errorClass: 2, code: 1 },
  definitionInvalidAddress: { errorClass: 2, code: 2 },
  definitionExists: { errorClass: 2, code: 5 },
  resourceOther: { errorClass: 3, code: 0 },
  resourceMemory: { errorClass: 3, code: 1 },
  constraintConflict: { errorClass: 4, code: 5 },
  accessUnsupported: { errorClass: 7, code: 1 },
  accessNonExistent: { errorClass: 7, code: 2 },
  accessDenied: { errorClass: 7, code: 3 },
  cancelUnknown: { errorClass: 10, code: 1 },
  positionInvalid: { errorClass: 11, code: 5 },
  fileNonExistent: { errorClass: 11, code: 7 },
  fileOther: { errorClass: 11, code: 0 },
} as const satisfies Record<string, { errorClass: number; code: number }>;

/** `access: object-non-existent (7/2)`, with the text of the device where it sent one. */
export function errorText({ errorClass, code, text }: ServiceError): Message {
  const known = ERROR_CLASSES[errorClass];
  const numbers = `${errorClass}/${code}`;
  const word = known?.codes[code];
  const error =
    known === undefined
      ? say('mmsframe.error_class', { numbers })
      : say('mmsframe.service_error', {
          class: named(known.name),
          name: word === undefined ? say('mmsframe.code_number', { code }) : named(word),
          numbers,
        });
  return text === null || text === '' ? error : say('mmsframe.service_error_text', { error, text });
}

const REJECT_KINDS: readonly { readonly name: Word; readonly codes: readonly (Word | '')[] }[] = [
  { name: 'reject', codes: [] },
  {
    name: 'confirmed request',
    codes: [
      'other',
      'unrecognized-service',
      'unrecognized-modifier',
      'invalid-invoke-id',
      'invalid-argument',
      'invalid-modifier',
      'max-services-outstanding-exceeded',
      '',
      'max-recursion-exceeded',
      'value-out-of-range',
    ],
  },
  {
    name: 'confirmed response',
    codes: ['other', 'unrecognized-service', 'invalid-invoke-id', 'invalid-result', '', 'max-recursion-exceeded', 'value-out-of-range'],
  },
  { name: 'confirmed error', codes: ['other', 'unrecognized-service', 'invalid-invoke-id', 'invalid-service-error', 'value-out-of-range'] },
  { name: 'unconfirmed', codes: ['other', 'unrecognized-service', 'invalid-argument', 'max-recursion-exceeded', 'value-out-of-range'] },
  { name: 'PDU', codes: ['unknown-pdu-type', 'invalid-pdu', 'illegal-acse-mapping'] },
  { name: 'cancel request', codes: ['other', 'invalid-invoke-id'] },
  { name: 'cancel response', codes: ['other', 'invalid-invoke-id'] },
  { name: 'cancel error', codes: ['other', 'invalid-invoke-id', 'invalid-service-error', 'value-out-of-range'] },
  { name: 'conclude request', codes: ['other', 'invalid-argument'] },
  { name: 'conclude response', codes: ['other', 'invalid-result'] },
  { name: 'conclude error', codes: ['other', 'invalid-service-error', 'value-out-of-range'] },
];

/** `confirmed request rejected: unrecognized-service (1/1)`. */
export function rejectText(reason: number, code: number): Message {
  const known = REJECT_KINDS[reason];
  const word = known?.codes[code];
  const kind = known ? named(known.name) : say('mmsframe.pdu_kind', { kind: reason });
  const numbers = `${reason}/${code}`;
  return word ? say('mmsframe.rejected_word', { kind, word: named(word), numbers }) : say('mmsframe.rejected', { kind, numbers });
}

function named(word: Word): Names {
  return names(word, CHINESE_WORDS[word]);
}
