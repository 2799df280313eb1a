import type { IEC61850_START_MESSAGES } from '#shared/messages/iec61850-start.ts';
import type { Translation } from '../../types.ts';

export const iec61850Start: Translation<typeof IEC61850_START_MESSAGES> = {
  'start.try_tpdu_size': '请尝试其他 tpdu_size（当前 {{size}}；1024 适用于多数设备）。',
  'start.selector_known': '设备应识别选择符 {{selector}}，其 SCL 文件中对应 {{scl}}。',
  'start.compare_later': '请与设备核对 {{selector}}，并在连接的客户端较少时重试。',
  'start.compare': '请与设备核对 {{selector}}。',
  'start.smaller': '请减小 max_pdu_size（当前 {{size}}）和 max_outstanding（当前 {{window}}）。',
  'start.closed_transport':
    '请检查该端口是否为设备的 MMS 服务，再检查 {{selector}} 和 tpdu_size（当前 {{size}}）。连接数已满的设备也会如此。',
  'start.closed_transport_tls':
    '请检查该端口是否为设备的 MMS 服务、是否要求 TLS（tls），再检查 {{selector}} 和 tpdu_size（当前 {{size}}）。连接数已满的设备也会如此。',
  'start.closed_association':
    '许多设备以此方式拒绝：请检查{{password}}、{{session}}、{{presentation}}、AP 名称和 AE 限定符（留空则不发送），以及设备的关联数是否已满。',
  'start.silent_transport': '该端口可能属于其他服务；设备的 MMS 服务使用 102 端口，启用 TLS 时为 3782。并请检查 {{selector}}。',
  'start.silent_association': '在 102 端口上使用 S7 的控制器也会如此。请检查 {{session}}、{{presentation}}、AP 名称和 AE 限定符。',
  'start.switch_tls': '请启用 tls，或使用未启用 TLS 的端口。',
  'start.check_port': '请检查端口；设备的 MMS 服务使用 102 端口。',
  'start.title': '{{setting}} 为“{{value}}”，留空则不发送。',
  'start.qualifier': '{{setting}} 为 {{value}}，null 则不发送。',
  'start.check_password': '请检查{{password}}。',
  'start.check_names': '请检查{{password}}、AP 名称和 AE 限定符，留空则不发送。',
  'start.password_set': '口令（association_password，已设置）',
  'start.password_not_set': '口令（association_password，未设置）',
  'start.selector_now': '{{name}}（当前 {{value}}）',
  'start.selector_left_out': '{{name}}（未发送）',
};
