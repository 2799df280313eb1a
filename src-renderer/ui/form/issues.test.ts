import { beforeEach, describe, expect, it } from 'vitest';
import { AddChannelBody } from '#shared/contract/channels.ts';
import { type Operation, operations } from '#shared/contract/index.ts';
import { AppError, fieldIssue, invalidField, invalidInput } from '#shared/domain/errors.ts';
import { quoted, say } from '#shared/messages/index.ts';
import { i18n, setLanguage } from '../../i18n/index.ts';
import { checkField, issueText, serviceIssues, unplacedError } from './issues.ts';
import { contractSpecs, fieldSpec } from './schema-field.ts';

const specs = contractSpecs(AddChannelBody);

function errorsOf(input: Record<string, unknown>): Record<string, string> {
  const t = i18n.getFixedT(null, 'fields');
  const result = AddChannelBody.safeParse({ name: 'A', protocol_type: 1, conn_type: 2, ...input });
  return Object.fromEntries(
    (result.error?.issues ?? []).map((issue) => {
      const key = issue.path.join('.');
      return [key, issueText(t, issue, specs.get(key), input[key])];
    }),
  );
}

describe('field errors', () => {
  beforeEach(() => setLanguage('en'));

  it('say what would be right', () => {
    expect(errorsOf({ name: '' })).toEqual({ name: 'A value is needed.' });
    expect(errorsOf({ name: '   ' })).toEqual({ name: 'A value is needed.' });
    expect(errorsOf({ port: 70_000 })).toEqual({ port: '1 to 65535.' });
    expect(errorsOf({ timeout_ms: 1.5 })).toEqual({ timeout_ms: 'A whole number is needed.' });
    expect(errorsOf({ parity: 'X' })).toEqual({ parity: 'One of the offered values is needed.' });
    expect(errorsOf({ name: 'x'.repeat(101) })).toEqual({ name: 'At most 100 characters.' });
    expect(errorsOf({ ip: '10.0.0.1:502' })).toEqual({ ip: 'An IP address or a host name is needed, without port.' });
    expect(errorsOf({ ip: 5 })).toEqual({ ip: 'This is not a valid value.' });
  });

  it('speak Chinese in Chinese', async () => {
    await setLanguage('zh-CN');
    expect(errorsOf({ port: 0 })).toEqual({ port: '1 到 65535。' });
  });

  it('are found for settings whose schema only the service has', () => {
    const t = i18n.getFixedT(null, 'fields');
    const whole = fieldSpec('preamble', { type: 'integer', minimum: 0, maximum: 4 }, true);
    expect([undefined, 0, 4].map((value) => checkField(t, whole, value))).toEqual(['A value is needed.', null, null]);
    expect([5, 1.5, 'x'].map((value) => checkField(t, whole, value))).toEqual([
      '0 to 4.',
      'A whole number is needed.',
      'This is not a valid value.',
    ]);
    const text = fieldSpec('password', { type: 'string', minLength: 2, maxLength: 3 }, false);
    expect(['', 'a', 'abcd', 'abc'].map((value) => checkField(t, text, value))).toEqual([
      null,
      'At least 2 characters.',
      'At most 3 characters.',
      null,
    ]);
    const texts = fieldSpec(
      'texts',
      { type: 'object', propertyNames: { pattern: '^-?\\d+$' }, additionalProperties: { type: 'string' } },
      false,
    );
    expect(['0=a', 'open', { 0: 'a' }].map((value) => checkField(t, texts, value))).toEqual([
      null,
      'Numbers with their texts: 0=open;1=closed.',
      null,
    ]);
    const digits = fieldSpec('meter', { type: 'string', pattern: '^\\d{12}$' }, true);
    expect(['20261100001', ' 202611000001 '].map((value) => checkField(t, digits, value))).toEqual([
      'Not in the form that the field asks for.',
      null,
    ]);
    expect(checkField(t, fieldSpec('edition', { enum: [1997, 2007] }, false), 2020)).toBe('One of the offered values is needed.');
  });
});

describe('patterns of the contract', () => {
  const t = i18n.getFixedT('en', 'fields');

  it.each(['COM3', 'COM12', '/dev/ttyUSB0', '/dev/serial/by-id/usb-FTDI_USB_Serial_Converter-if00-port0', '串口 1 {a}'])(
    'take the serial port %s',
    (port) => {
      const spec = contractSpecs(AddChannelBody).get('com_port');
      if (!spec) throw new Error('the contract has no serial port');
      expect(spec.pattern).not.toBeNull();
      expect(checkField(t, spec, port)).toBeNull();
    },
  );

  it('refuse what cannot be shown, as the service does', () => {
    const spec = contractSpecs(AddChannelBody).get('com_port');
    if (!spec) throw new Error('the contract has no serial port');
    for (const wrong of ['COM\u00003', 'COM3\u007f4', 'a\nb', '\ud800']) {
      expect([wrong, checkField(t, spec, wrong)]).toEqual([wrong, 'Not in the form that the field asks for.']);
      expect(AddChannelBody.safeParse({ name: 'x', protocol_type: 2, conn_type: 0, com_port: wrong }).success).toBe(false);
    }
  });

  it('are patterns at all, in the one way that they are written', () => {
    const entries: readonly Operation[] = Object.values(operations);
    const patterns = entries.flatMap(({ query, body }) =>
      [query, body].flatMap((shape) => [...contractSpecs(shape).values()].map(({ pattern }) => pattern)),
    );
    for (const pattern of patterns) if (pattern !== null) expect(() => new RegExp(pattern, 'u')).not.toThrow();
  });
});

describe('a refused request', () => {
  const refused = invalidField('points.0.address', quoted('must be 0 to 65535'));

  it('puts its issues at the fields', () => {
    expect(serviceIssues(refused, 'points.0.')).toEqual({ address: 'must be 0 to 65535' });
    expect(serviceIssues(new AppError('STATE_CONFLICT', quoted('name taken')))).toEqual({});
  });

  it('is told in the language of the pages', async () => {
    await setLanguage('zh-CN');
    const said = fieldIssue('points.0.address', say('point.modbus_range', { least: 0, most: 65535, decode: '0x41', given: 70000 }));
    expect(serviceIssues(invalidInput([said]), 'points.0.')).toEqual({ address: '解析码 0x41 的地址应为 0 至 65535，不能是 70000' });
  });

  it('is told beside the fields only for what no field shows', () => {
    expect(unplacedError(refused, ['address'], 'points.0.')).toBeNull();
    expect(unplacedError(refused, ['code'], 'points.0.')).toBe(refused);
    const conflict = new AppError('STATE_CONFLICT', quoted('name taken'));
    expect(unplacedError(conflict, ['name'])).toBe(conflict);
    expect(unplacedError(null, [])).toBeNull();
  });
});
