import { expect, it } from 'vitest';
import { upperPduTags } from './upper-pdu.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

it('the tags of a frame (Wireshark, epan/exported_pdu.h), octet by octet', () => {
  expect(hex(upperPduTags({ dissector: 'data', protocol: 'DL/T 645' }, true))).toBe(
    ['000c0004', '64617461', '00210008', '444c2f5420363435', '00000000'].join(''),
  );
  const rtu = { dissector: 'mbrtu', port: 502 };
  const ends = (...tags: string[]) => ['000c0008', '6d62727475000000', ...tags, '00000000'].join('');
  expect(hex(upperPduTags(rtu, true))).toBe(
    ends('00140004c6120000', '00150004c0000201', '0018000400000002', '001900040000c000', '001a0004000001f6'),
  );
  expect(hex(upperPduTags(rtu, false))).toBe(
    ends('00140004c0000201', '00150004c6120000', '0018000400000002', '00190004000001f6', '001a00040000c000'),
  );
});
