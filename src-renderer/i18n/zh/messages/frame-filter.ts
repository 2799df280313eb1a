import type { FRAME_FILTER_MESSAGES } from '#shared/messages/frame-filter.ts';
import type { Translation } from '../../types.ts';

export const frameFilter: Translation<typeof FRAME_FILTER_MESSAGES> = {
  'filter.long': '过滤表达式最多 {{most}} 个字符。',
  'filter.deep': '括号和 not 最多嵌套 {{most}} 层。',
  'filter.no_quote': '以 {{quote}} 开头的文本缺少结尾的 {{quote}}。',
  'filter.one_equals': '比较请写 ==（两个等号）。',
  'filter.no_sign': '“{{sign}}”在过滤表达式中没有意义；含此类符号的文本请加引号。',
  'filter.no_open': '此括号没有对应的左括号。',
  'filter.no_close': '此括号没有闭合。',
  'filter.and_or': '“{{found}}”之前须有 and 或 or。',
  'filter.field_missing': '缺少字段：{{fields}}。',
  'filter.no_field': '没有字段“{{found}}”。字段：{{fields}}。',
  'filter.flag': '“{{field}}”只有是与否：请单独写，或写 not {{field}}。',
  'filter.number_contains': '“{{field}}”是数字：请用 ==、<、> 或 in {1, 5..9}。',
  'filter.text_order': '“{{field}}”是文本：请用 ==、!=、contains 或 in {a, b}。',
  'filter.value_missing': '缺少与“{{field}}”比较的值。',
  'filter.number_wanted': '“{{field}}”在此须与数字比较，而不是“{{found}}”。',
  'filter.set_wanted': 'in 之后须为花括号中的列表：in {1, 5..9}。',
  'filter.set_close': '此列表没有闭合；各值以逗号分隔。',
  'filter.range': '范围两端均为数字，较小的在前：5..9。',
  'filter.many_points': '此过滤表达式涉及 {{count}} 个测点，最多 {{most}} 个；请写得更具体。',
};
