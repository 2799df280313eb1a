import type { MMS_MESSAGES } from '#shared/messages/mms.ts';
import type { Translation } from '../../types.ts';

export const mms: Translation<typeof MMS_MESSAGES> = {
  'mms.behind_pdu': 'PDU 之后还有 {{count}} 字节。',
  'mms.error_without_error': '差错 PDU 中没有差错。',
  'mms.no_reject_reason': '元素 {{tag}} 不是拒绝的原因。',
  'mms.no_object_name': '元素 {{tag}} 不是对象名。',
  'mms.no_selection': '元素 {{tag}} 在可选访问中不选择任何内容。',
  'mms.no_scope': '元素 {{tag}} 不是名称列表的范围。',
  'mms.answer_without_type': '变量类型的应答中没有类型。',
  'mms.answer_without_results': '读的应答中没有结果。',
  'mms.no_journal_limit': '元素 {{tag}} 不是日志的范围。',
  'mms.entry_without_content': '日志条目没有内容。',
  'mms.no_write_result': '元素 {{tag}} 不是写的结果。',
  'mms.no_error_class': '元素 {{tag}} 不是差错类别。',
  'mms.type_without_components': '结构类型没有成员列表。',
  'mms.rejected_any': '设备拒绝了一个 PDU，但没有说明是哪一个：{{reason}}。',
  'mms.useless': '收到客户端用不到的 MMS PDU：{{kind}}。',
};
