import type { BER_MESSAGES } from '#shared/messages/ber.ts';
import type { Translation } from '../../types.ts';

export const ber: Translation<typeof BER_MESSAGES> = {
  'ber.too_many_octets': '{{count}} 字节超过可接受的 {{most}} 字节。',
  'ber.too_deep': '元素嵌套超过可接受的 {{most}} 层。',
  'ber.missing': '上级元素末尾缺少一个元素。',
  'ber.beyond_parent': '第 {{at}} 字节处的元素 {{tag}} 长度为 {{length}}，上级元素只剩 {{left}} 字节。',
  'ber.nothing_found': '{{what}}：应为元素 {{tag}}，实际没有。',
  'ber.other_found': '{{what}}：应为元素 {{tag}}，实际为 {{found}}。',
  'ber.ends_in_head': '字节在第 {{at}} 字节的标签或长度中结束。',
  'ber.tag_of_zeros': '第 {{at}} 字节处的标签以零开头。',
  'ber.tag_too_long': '第 {{at}} 字节处的标签超过 4 字节。',
  'ber.indefinite': '第 {{at}} 字节处为不定长度，此处只使用定长。',
  'ber.length_beyond': '第 {{at}} 字节处的长度超出末尾。',
  'ber.boolean': '布尔元素 {{tag}} 应为一个字节。',
  'ber.integer': '整数元素 {{tag}} 为 {{length}} 字节，可接受 1 至 {{most}} 字节。',
  'ber.at_most': '{{what}}为 {{value}}，最大可接受 {{most}}。',
  'ber.within': '{{what}}为 {{value}}，可接受 -{{most}} 至 {{most}}。',
  'ber.bit_string': '位串元素 {{tag}} 应以未用位数 0 至 7 开头。',
  'ber.arc_too_large': '对象标识符的一段超过 2^53。',
  'ber.arc_unfinished': '对象标识符在一段之中结束。',
  'ber.oid_empty': '对象标识符为空。',
};
