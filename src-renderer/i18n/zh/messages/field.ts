import type { FIELD_MESSAGES } from '#shared/messages/field.ts';
import type { Translation } from '../../types.ts';

export const field: Translation<typeof FIELD_MESSAGES> = {
  'field.secret': '缺失或无效',
  'field.empty': '不能为空',
  'field.characters_least': '至少 {{limit}} 个字符，现有 {{length}} 个',
  'field.characters_most': '最多 {{limit}} 个字符，现有 {{length}} 个',
  'field.entries_least': '至少 {{limit}} 项，现有 {{length}} 项',
  'field.entries_most': '最多 {{limit}} 项，现有 {{length}} 项',
  'field.least': '不能小于 {{limit}}，给出的是 {{given}}',
  'field.most': '不能大于 {{limit}}，给出的是 {{given}}',
  'field.missing': '缺失，应为{{expected}}',
  'field.otherwise': '应为{{expected}}，给出的是 {{given}}',
  'field.form': '格式不符（{{format}}）：{{given}}',
  'field.invalid': '无效：{{given}}',
  'field.one_of': '以下之一：{{values}}',
  'field.meaning': '{{values}}（{{meaning}}）',
  'field.from_to': '{{min}} 至 {{max}} 的{{type}}',
};
