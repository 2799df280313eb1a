/** Quality of IEC 61850-7-3, 6.2, bit by bit. Bit 0 is the most significant bit of the first octet. */
import type { QualityFlag } from '#shared/domain/enums.ts';
import { type Names, names } from '#shared/messages/message.ts';
import type { MmsValue } from '../mms/types.ts';

/** Quality as the point table keeps it. */
export interface ReadQuality {
  readonly quality: 'good' | 'invalid';
  readonly flags: readonly QualityFlag[];
}

export const GOOD: ReadQuality = Object.freeze({ quality: 'good', flags: Object.freeze([]) });

const DETAILS: readonly (readonly [bit: number, flag: QualityFlag, words: string])[] = [
  [2, 'OV', 'overflow'],
  [3, 'outOfRange', 'outOfRange'],
  [4, 'badReference', 'badReference'],
  [5, 'oscillatory', 'oscillatory'],
  [6, 'failure', 'failure'],
  [7, 'oldData', 'oldData'],
  [8, 'inconsistent', 'inconsistent'],
  [9, 'inaccurate', 'inaccurate'],
  [10, 'SB', 'substituted'],
  [11, 'test', 'test'],
  [12, 'BL', 'operatorBlocked'],
];

/** Validity words by its two bits. */
const VALIDITIES = ['good', 'invalid', 'reserved', 'questionable'] as const;

/**
 * Quality bits as quality and flags: invalid and the reserved validity are `IV`, questionable keeps the value good with its flag. Anything but
 * a bit string is good: the device says nothing.
 */
export function readQuality(value: MmsValue | null): ReadQuality {
  if (value?.kind !== 'bit-string') return GOOD;
  const { octets } = value;
  if ((octets[0] ?? 0) === 0 && (octets[1] ?? 0) === 0) return GOOD;
  const validity = VALIDITIES[(octets[0] ?? 0) >> 6];
  const isInvalid = validity === 'invalid' || validity === 'reserved';
  const flags: QualityFlag[] = isInvalid ? ['IV'] : validity === 'questionable' ? ['questionable'] : [];
  for (const [bit, flag] of DETAILS) if (hasBit(octets, bit)) flags.push(flag);
  return { quality: isInvalid ? 'invalid' : 'good', flags };
}

/** Chinese for the words of a quality. */
const CHINESE: Readonly<Record<string, string>> = {
  good: '正常',
  invalid: '无效',
  reserved: '保留',
  questionable: '可疑',
  overflow: '溢出',
  outOfRange: '超量程',
  badReference: '参考值不良',
  oscillatory: '抖动',
  failure: '故障',
  oldData: '旧数据',
  inconsistent: '不一致',
  inaccurate: '不精确',
  substituted: '替代',
  test: '试验',
  operatorBlocked: '操作员闭锁',
};

/** Quality in both languages. */
export function qualityNames(octets: Uint8Array): Names {
  const words = qualityWords(octets);
  const chinese = words.split(' ').map((word) => CHINESE[word] ?? word);
  return names(words, chinese.join('、'));
}

/** Quality in the words of the standard: `good`, `invalid failure oldData`. */
export function qualityWords(octets: Uint8Array): string {
  const details = DETAILS.filter(([bit]) => hasBit(octets, bit)).map(([, , words]) => words);
  return [VALIDITIES[(octets[0] ?? 0) >> 6] ?? 'good', ...details].join(' ');
}

/** Bit `place`, 0 the most significant of the first octet; false behind the end. */
export function hasBit(octets: Uint8Array, place: number): boolean {
  return ((octets[place >> 3] ?? 0) & (0x80 >> (place & 7))) !== 0;
}
