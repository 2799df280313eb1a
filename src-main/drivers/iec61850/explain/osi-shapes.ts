/** Shapes of presentation and ACSE (ITU-T X.226 and X.227). */
import { say } from '#shared/messages/index.ts';
import { type Names, names } from '#shared/messages/message.ts';
import { integerOf, octetsOf, oidOf } from '../../../protocol-kit/ber/values.ts';
import { numbered } from '../../kit/explain/nodes.ts';
import type { FrameText } from '../../spi/index.ts';
import { diagnosticNames, MMS_APPLICATION_CONTEXT } from '../osi/acse.ts';
import { ACSE_SYNTAX, BER_SYNTAX, MMS_SYNTAX } from '../osi/presentation.ts';
import { byTag, type Lookup, octetText, type Shape } from './tree.ts';

const OID_WORDS: Readonly<Record<string, Names | string>> = {
  [ACSE_SYNTAX]: 'ACSE',
  [MMS_SYNTAX]: 'MMS',
  [BER_SYNTAX]: names('basic encoding rules', '基本编码规则'),
  [MMS_APPLICATION_CONTEXT]: names('application context of MMS', 'MMS 应用上下文'),
  '2.2.3.1': names('password', '密码'),
};

const oid = (name: FrameText): Shape => ({
  name,
  value: (element) => {
    const text = oidOf(element);
    const words = OID_WORDS[text];
    return words === undefined ? text : numbered(text, words);
  },
});
const number = (name: FrameText, words: readonly (Names | null)[] = []): Shape => ({
  name,
  value: (element) => {
    const value = integerOf(element);
    const word = words[Number(value)];
    return word ? numbered(value, word) : String(value);
  },
});
const selector = (name: FrameText): Shape => ({ name, value: (element) => octetText(octetsOf(element)) || say('frame.empty') });

const RESULTS = [names('acceptance', '接受'), names('refused by the user', '用户拒绝'), names('refused by the provider', '提供者拒绝')];
const ASSOCIATE_RESULTS = [names('accepted', '接受'), names('rejected for good', '永久拒绝'), names('rejected for now', '暂时拒绝')];
const MODES = [null, names('normal', '正常')];
const RELEASE_REASONS = [names('normal', '正常'), names('urgent', '紧急')];
const ABORT_SOURCES = [names('the user', '用户'), names('the provider', '提供者')];

/** MMS inside another layer. */
const carriesMms = (mms: Lookup) => () => ({ name: 'MMS', shapes: mms });

/** Presentation data values of user data: the content is ACSE (application tags 0 to 4) or MMS. */
function userData(mms: Lookup): Shape {
  const carries = (first: number) => (first >= 0x60 && first <= 0x64 ? { name: 'ACSE', shapes: acseShapes(mms) } : carriesMms(mms)());
  const fields: Lookup = (tag) => {
    if (tag === 0x06) return oid(say('mmsframe.transfer_syntax'));
    return tag === 0x02 ? number(say('mmsframe.context')) : { name: say('frame.value'), carries };
  };
  return { name: say('mmsframe.user_data'), inside: () => ({ name: say('mmsframe.data_values'), inside: fields }) };
}

const context: Shape = {
  name: say('mmsframe.context'),
  inside: byTag({
    2: number(say('mmsframe.identifier')),
    6: oid(say('mmsframe.abstract_syntax')),
    48: { name: say('mmsframe.transfer_syntaxes'), inside: () => oid(say('mmsframe.transfer_syntax')) },
  }),
};
const result: Shape = {
  name: say('mmsframe.result'),
  inside: byTag({
    128: number(say('mmsframe.result'), RESULTS),
    129: oid(say('mmsframe.transfer_syntax')),
    130: number(say('mmsframe.reason')),
  }),
};

/** PPDUs by their tags: what an SPDU carries. */
export function presentationShapes(mms: Lookup): Lookup {
  const parameters = byTag({
    129: selector(say('mmsframe.calling_selector')),
    130: selector(say('mmsframe.called_selector')),
    131: selector(say('mmsframe.responding_selector')),
    164: { name: say('mmsframe.contexts'), inside: () => context },
    165: { name: say('mmsframe.context_results'), inside: () => result },
    97: userData(mms),
  });
  return byTag({
    97: userData(mms),
    49: {
      name: say('mmsframe.connection'),
      inside: byTag({
        160: { name: say('mmsframe.mode'), inside: () => number(say('mmsframe.mode'), MODES) },
        162: { name: say('mmsframe.parameters'), inside: parameters },
      }),
    },
    160: { name: say('mmsframe.abort_by_user'), inside: byTag({ 97: userData(mms), 160: { name: say('mmsframe.contexts') } }) },
    48: {
      name: say('mmsframe.refusal_by_provider'),
      inside: byTag({
        128: number(say('mmsframe.reason')),
        129: number(say('mmsframe.event')),
        131: selector(say('mmsframe.responding_selector')),
        138: number(say('mmsframe.reason')),
        165: { name: say('mmsframe.context_results'), inside: () => result },
        97: userData(mms),
      }),
    },
  });
}

const inOne = (name: FrameText, shape: Shape): Shape => ({ name, inside: () => shape });

/** APDUs of ACSE by their tags. */
function acseShapes(mms: Lookup): Lookup {
  const information: Shape = {
    name: say('mmsframe.user_information'),
    inside: () => ({
      name: 'EXTERNAL',
      inside: byTag({
        6: oid(say('mmsframe.transfer_syntax')),
        2: number(say('mmsframe.context')),
        160: { name: say('frame.value'), carries: carriesMms(mms) },
      }),
    }),
  };
  const name = inOne(say('mmsframe.context_name'), oid(say('mmsframe.name')));
  const release = (title: FrameText): Shape => ({
    name: title,
    inside: byTag({ 128: number(say('mmsframe.reason'), RELEASE_REASONS), 190: information }),
  });
  return byTag({
    96: {
      name: say('mmsframe.aarq'),
      inside: byTag({
        161: name,
        162: inOne(say('mmsframe.called_title'), oid(say('mmsframe.title'))),
        163: inOne(say('mmsframe.called_qualifier'), number(say('mmsframe.qualifier'))),
        166: inOne(say('mmsframe.calling_title'), oid(say('mmsframe.title'))),
        167: inOne(say('mmsframe.calling_qualifier'), number(say('mmsframe.qualifier'))),
        138: { name: say('mmsframe.sender_requirements') },
        139: oid(say('mmsframe.mechanism')),
        172: { name: say('mmsframe.authentication'), inside: () => ({ name: say('mmsframe.password'), isSecret: true }), isSecret: true },
        190: information,
      }),
    },
    97: {
      name: say('mmsframe.aare'),
      inside: byTag({
        161: name,
        162: inOne(say('mmsframe.result'), number(say('mmsframe.result'), ASSOCIATE_RESULTS)),
        163: {
          name: say('mmsframe.diagnostic'),
          inside: (tag) => inOne(tag === 0xa2 ? say('mmsframe.of_provider') : say('mmsframe.of_user'), diagnostic(tag)),
        },
        164: inOne(say('mmsframe.responding_title'), oid(say('mmsframe.title'))),
        165: inOne(say('mmsframe.responding_qualifier'), number(say('mmsframe.qualifier'))),
        190: information,
      }),
    },
    98: release(say('mmsframe.rlrq')),
    99: release(say('mmsframe.rlre')),
    100: { name: say('mmsframe.abrt'), inside: byTag({ 128: number(say('mmsframe.source'), ABORT_SOURCES), 190: information }) },
  });
}

function diagnostic(source: number): Shape {
  return {
    name: say('mmsframe.diagnostic'),
    value: (element) => {
      const code = integerOf(element);
      const known = diagnosticNames(source === 0xa2 ? 'provider' : 'user', Number(code));
      return numbered(code, known ?? say('mmsframe.diagnostic_number', { diagnostic: Number(code) }));
    },
  };
}
