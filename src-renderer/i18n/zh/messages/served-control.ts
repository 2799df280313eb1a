import type { SERVED_CONTROL_MESSAGES } from '#shared/messages/served-control.ts';
import type { Translation } from '../../types.ts';

export const servedControl: Translation<typeof SERVED_CONTROL_MESSAGES> = {
  'iec61850.command_refused': '{{peer}}：拒绝对 {{object}} 的 {{service}}。{{cause}}',
  'iec61850.command_unmoved': '{{peer}}：对 {{object}} 的命令已接受，但未作用于过程。',
  'iec61850.command_ended': '{{peer}}：对 {{object}} 的命令未成功结束。{{cause}}',
  'iec61850.report_untold': '{{peer}}：关于 {{object}} 的报告有 {{octets}} 字节，超过其最大 {{most}} 字节，未发送。',
};
