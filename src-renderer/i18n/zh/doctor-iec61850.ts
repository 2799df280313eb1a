import type { IEC61850_DOCTOR_MESSAGES } from '#shared/domain/doctor-iec61850.ts';
import type { Translation } from '../types.ts';

export const iec61850Codes: Translation<typeof IEC61850_DOCTOR_MESSAGES> = {
  SELECTORS_ACCEPTED: { text: '设备接受了各层选择符（selector）。' },
  SELECTORS_TRANSPORT: { text: '设备接受了传输连接（TSEL {{tsel}}）。SSEL 和 PSEL 是否正确要到关联时才知道。' },
  COTP_REFUSED: {
    text: '设备拒绝了传输连接：{{detail}}。',
    next: '将 remote_transport_selector（{{tsel}}）与设备 SCL 文件中的 OSI-TSEL 核对。',
  },
  COTP_SIZE: { text: '设备拒绝了传输连接：{{detail}}。', next: '换一个 tpdu_size（现为 {{size}}）；1024 适合大多数设备。' },
  COTP_CLOSED: {
    text: '收到传输连接请求后，设备关闭了连接。',
    next: '检查端口是否为设备的 MMS 服务（102，用 TLS 时为 3782）、设备是否要求 TLS，再检查 remote_transport_selector（{{tsel}}）。连接数已满的设备也是这种表现。',
  },
  COTP_SILENT: {
    text: '连接已建立，但传输连接请求没有得到应答。',
    next: '该端口可能属于其他服务；设备的 MMS 服务使用 102，用 TLS 时为 3782。也请检查 remote_transport_selector（{{tsel}}）。',
  },
  SPEAKS_OTHER: { text: '设备在此端口上使用 {{found}}，而不是 MMS。', next: '检查端口；设备的 MMS 服务使用 102，用 TLS 时为 3782。' },
  SPEAKS_TLS: { text: '设备在此端口上使用 TLS。', next: '打开 tls，或使用不加密的端口（102）。' },
  SSEL_REFUSED: {
    text: '设备拒绝了会话：{{detail}}。',
    next: '将 remote_session_selector（{{ssel}}）与设备 SCL 文件中的 OSI-SSEL 核对；客户端较少时再试。',
  },
  PSEL_REFUSED: {
    text: '设备拒绝了表示层：{{detail}}。',
    next: '将 remote_presentation_selector（{{psel}}）与设备 SCL 文件中的 OSI-PSEL 核对。',
  },
  SELECTORS_PROVED: {
    text: '设备不接受选择符 TSEL {{tsel}}、SSEL {{ssel}}、PSEL {{psel}}，不带选择符的关联则被接受。',
    next: '清空 remote_transport_selector、remote_session_selector 和 remote_presentation_selector，或采用 SCL 文件中的值。',
  },
  ASSOCIATION_ACCEPTED: { text: '设备在 {{ms}} ms 后接受了关联。' },
  ASSOCIATION_STANDS: { text: '通道正在运行，关联保持着。' },
  ASSOCIATION_REFUSED: {
    text: '设备拒绝了关联：{{detail}}。',
    next: '检查口令（密钥 association_password，现为 {{password}}）、AP 标题和 AE 限定符；留空即不发送。',
  },
  ASSOCIATION_CLOSED: {
    text: '收到关联请求后，设备未说明原因就关闭了连接。',
    next: '许多设备都这样拒绝：检查口令（密钥 association_password，现为 {{password}}）、SSEL {{ssel}}、PSEL {{psel}}，以及设备的关联数是否已满。',
  },
  ASSOCIATION_SILENT: {
    text: '设备没有应答关联请求。',
    next: '在 102 端口上使用 S7 的控制器也是这种表现。检查 SSEL {{ssel}}、PSEL {{psel}}、AP 标题和 AE 限定符。',
  },
  ASSOCIATION_TITLES_PROVED: {
    text: '带 AP 标题和 AE 限定符的关联被设备拒绝，不带则被接受。',
    next: '清空 remote_ap_title、local_ap_title、remote_ae_qualifier 和 local_ae_qualifier。',
  },
  INITIATE_GOOD: { text: 'MMS 已协商：PDU {{pdu}} 字节，未应答请求 {{window}} 个。' },
  INITIATE_SMALL: {
    text: 'MMS 已协商，但 PDU 较小：{{pdu}} 字节，未应答请求 {{window}} 个。',
    next: '较长的应答将分段读取，需要更多时间。若受限于通道的 max_pdu_size（现为 {{size}}），请调大。',
  },
  INITIATE_REFUSED: {
    text: '设备拒绝了 MMS：{{detail}}。',
    next: '调小 max_pdu_size（现为 {{size}}）和 max_outstanding（现为 {{window}}）再试。',
  },
  MODEL_SEEN: { text: '设备有 {{count}} 个逻辑设备：{{names}}。' },
  MODEL_LEARNT: { text: '模型已读取：{{count}} 个逻辑设备，{{attributes}} 个属性。' },
  MODEL_NONE: { text: '设备没有列出任何逻辑设备。', next: '设备尚未提供模型：请下装配置，并检查所连的访问点是否正确。' },
  MODEL_MISSING: {
    text: '点表中有设备所没有的逻辑设备：{{missing}}。设备有 {{names}}。',
    next: '修改这些点的引用，或确认所连设备是否正确；ied_name 可选择 SCL 文件中的另一台设备。',
  },
  MODEL_REFUSED: {
    text: '设备不列出其逻辑设备：{{detail}}',
    next: '为通道提供设备的 SCL 文件，并关闭 learn_model；读取仍可能正常。',
  },
  MODEL_SILENT: {
    text: '关联保持着，但设备没有应答对逻辑设备的询问：{{ms}} ms。',
    next: '调大通道的 timeout_ms。一直不应答的设备可能正在启动或负荷过重；将 max_outstanding 设为 1 再试。',
  },
  IDENTITY_SEEN: { text: '设备自报为 {{vendor}} {{model}} {{revision}}。' },
  IDENTITY_NONE: { text: '设备不报告厂家和型号（Identify）：{{detail}}' },
};
