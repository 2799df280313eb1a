import type { HTTP_MESSAGES } from '#shared/messages/http.ts';
import type { Translation } from '../../types.ts';

export const http: Translation<typeof HTTP_MESSAGES> = {
  'http.internal': '服务发生内部故障，详情见日志中的请求 {{request}}。',
  'http.body_too_large': '请求体超过此操作的上限，请拆分后发送。',
  'http.file_too_large': '文件超过此操作的上限。',
  'http.too_many_parts': '表单的部分过多，此操作只接受一个文件。',
  'http.too_many_files': '表单的文件过多，此操作只接受一个文件。',
  'http.too_many_fields': '表单的字段过多，此操作只接受一个文件。',
  'http.field_name': '表单中有一个字段的名称不可用。',
  'http.form_broken': '带文件的表单在结束前中断。',
  'http.media_type': '请求体须为 JSON，请求头为 Content-Type: application/json。',
  'http.body_short': '请求体短于 Content-Length 声明的长度。',
  'http.path_outside': '路径不在页面范围内，可用的路径见 /docs。',
  'http.bad_url': '路径不是有效的 URL：百分号后须为两位编码。',
  'http.headers_too_large': '请求头超过 16 KiB。',
  'http.request_slow': '请求未在规定时间内完整到达。',
  'http.no_request': '收到的字节不是 HTTP 请求。',
};
