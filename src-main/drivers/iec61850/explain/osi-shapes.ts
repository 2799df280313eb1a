/** Shapes of presentation and ACSE (ITU-T X.226 and X.227). */
import { integerOf, octetsOf, oidOf } from '../../../protocol-kit/ber/values.ts';
import { diagnosticText, MMS_APPLICATION_CONTEXT } from '../osi/acse.ts';
import { ACSE_SYNTAX, BER_SYNTAX, MMS_SYNTAX } from '../osi/presentation.ts';
import { byTag, type Lookup, octetText, type Shape } from './tree.ts';

const OID_WORDS: Readonly<Record<string, string>> = {
  [ACSE_SYNTAX]: 'ACSE',
  [MMS_SYNTAX]: 'MMS',
  [BER_SYNTAX]: 'basic encoding rules',
  [MMS_APPLICATION_CONTEXT]: 'application context of MMS',
  '2.2.3.1': 'password',
};

const oid = (name: string): Shape => ({
  name,
  value: (element) => {
    const text = oidOf(element);
    return OID_WORDS[text] ? `${text} (${OID_WORDS[text]})` : text;
  },
});
const number = (name: string, words: readonly string[] = []): Shape => ({
  name,
  value: (element) => {
    const value = integerOf(element);
    const word = words[Number(value)];
    return word === undefined ? String(value) : `${value} (${word})`;
  },
});
const selector = (name: string): Shape => ({ name, value: (element) => octetText(octetsOf(element)) || 'empty' });

type Words = readonly string[];
const RESULTS: Words = ['acceptance', 'refused by the user', 'refused by the provider'];
const ASSOCIATE_RESULTS: Words = ['accepted', 'rejected for good', 'rejected for now'];

/** MMS inside another layer. */
const carriesMms = (mms: Lookup) => () => ({ name: 'MMS', shapes: mms });

/** Presentation data values of user data: the content is ACSE (application tags 0 to 4) or MMS. */
function userData(mms: Lookup): Shape {
  const carries = (first: number) => (first >= 0x60 && first <= 0x64 ? { name: 'ACSE', shapes: acseShapes(mms) } : carriesMms(mms)());
  const fields: Lookup = (tag) => {
    if (tag === 0x06) return oid('transfer syntax');
    return tag === 0x02 ? number('context') : { name: 'value', carries };
  };
  return { name: 'user data', inside: () => ({ name: 'presentation data values', inside: fields }) };
}

const context: Shape = {
  name: 'context',
  inside: byTag({
    2: number('identifier'),
    6: oid('abstract syntax'),
    48: { name: 'transfer syntaxes', inside: () => oid('transfer syntax') },
  }),
};
const result: Shape = {
  name: 'result',
  inside: byTag({ 128: number('result', RESULTS), 129: oid('transfer syntax'), 130: number('reason') }),
};

/** PPDUs by their tags: what an SPDU carries. */
export function presentationShapes(mms: Lookup): Lookup {
  const parameters = byTag({
    129: selector('calling selector'),
    130: selector('called selector'),
    131: selector('responding selector'),
    164: { name: 'contexts', inside: () => context },
    165: { name: 'results of the contexts', inside: () => result },
    97: userData(mms),
  });
  return byTag({
    97: userData(mms),
    49: {
      name: 'connection',
      inside: byTag({
        160: { name: 'mode', inside: () => number('mode', ['', 'normal']) },
        162: { name: 'parameters', inside: parameters },
      }),
    },
    160: { name: 'abort by the user', inside: byTag({ 97: userData(mms), 160: { name: 'contexts' } }) },
    48: {
      name: 'refusal or abort by the provider',
      inside: byTag({
        128: number('reason'),
        129: number('event'),
        131: selector('responding selector'),
        138: number('reason'),
        165: { name: 'results of the contexts', inside: () => result },
        97: userData(mms),
      }),
    },
  });
}

const inOne = (name: string, shape: Shape): Shape => ({ name, inside: () => shape });

/** APDUs of ACSE by their tags. */
function acseShapes(mms: Lookup): Lookup {
  const information: Shape = {
    name: 'user information',
    inside: () => ({
      name: 'EXTERNAL',
      inside: byTag({ 6: oid('transfer syntax'), 2: number('context'), 160: { name: 'value', carries: carriesMms(mms) } }),
    }),
  };
  const name = inOne('application context name', oid('name'));
  const release = (title: string): Shape => ({
    name: title,
    inside: byTag({ 128: number('reason', ['normal', 'urgent']), 190: information }),
  });
  return byTag({
    96: {
      name: 'associate request (AARQ)',
      inside: byTag({
        161: name,
        162: inOne('called AP title', oid('title')),
        163: inOne('called AE qualifier', number('qualifier')),
        166: inOne('calling AP title', oid('title')),
        167: inOne('calling AE qualifier', number('qualifier')),
        138: { name: 'requirements of the sender' },
        139: oid('authentication mechanism'),
        172: { name: 'authentication value', inside: () => ({ name: 'password', isSecret: true }), isSecret: true },
        190: information,
      }),
    },
    97: {
      name: 'associate response (AARE)',
      inside: byTag({
        161: name,
        162: inOne('result', number('result', ASSOCIATE_RESULTS)),
        163: { name: 'diagnostic', inside: (tag) => inOne(tag === 0xa2 ? 'of the provider' : 'of the user', diagnostic(tag)) },
        164: inOne('responding AP title', oid('title')),
        165: inOne('responding AE qualifier', number('qualifier')),
        190: information,
      }),
    },
    98: release('release request (RLRQ)'),
    99: release('release response (RLRE)'),
    100: { name: 'abort (ABRT)', inside: byTag({ 128: number('source', ['the user', 'the provider']), 190: information }) },
  });
}

function diagnostic(source: number): Shape {
  return {
    name: 'diagnostic',
    value: (element) => `${integerOf(element)} (${diagnosticText(source === 0xa2 ? 'provider' : 'user', Number(integerOf(element)))})`,
  };
}
