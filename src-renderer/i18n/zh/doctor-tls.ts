import type { TLS_DOCTOR_MESSAGES } from '#shared/domain/doctor-tls.ts';
import type { Translation } from '../types.ts';

export const tlsCodes: Translation<typeof TLS_DOCTOR_MESSAGES> = {
  TLS_OFF: { text: '该通道未启用加密。' },
  TLS_STANDS: { text: '通道正在运行，加密连接正常。' },
  TLS_GOOD: { text: '连接已用 {{version}} 加密；证书“{{subject}}”受信任，有效期至 {{until}}。' },
  TLS_EXPIRES: {
    text: '连接已用 {{version}} 加密；证书“{{subject}}”将于 {{until}} 到期。',
    next: '请在该日期之前更新设备证书，到期后连接将被拒绝。',
  },
  TLS_UNVERIFIED: {
    text: '连接已用 {{version}} 加密；证书“{{subject}}”未经校验，对端可能是任何人。',
    next: '将 tls_ca 设为签发该证书的证书，并启用 tls_verify。',
  },
  TLS_MATERIAL: { text: '本端证书无法使用：{{detail}}', next: '更正通道设置中所指的文件。' },
  TLS_NONE: {
    text: '{{target}} 接受连接，但该端口不使用 TLS。',
    next: '改用设备加密服务的端口（IEC 104 为 19998，IEC 61850 为 3782），或关闭 tls。',
  },
  TLS_SILENT: {
    text: '{{target}} 接受了连接，但在 {{ms}} ms 内未完成 TLS 握手。',
    next: '该端口可能属于不带 TLS 的服务。检查端口号，或关闭 tls。',
  },
  TLS_CLOSED: {
    text: '{{target}} 在 TLS 握手期间断开了连接。',
    next: '该端口可能不使用 TLS、要求客户端证书（tls_certificate、tls_key），或连接数已满。',
  },
  TLS_VERSION: { text: '{{target}} 没有本端接受的 TLS 版本（1.2 和 1.3）。', next: '在设备中启用 TLS 1.2，更早的版本不安全。' },
  TLS_CIPHER: {
    text: '{{target}} 中止了握手：没有双方都接受的加密套件，或对端要求客户端证书。',
    next: '若设备要求证书，请设置 tls_certificate 和 tls_key；否则核对设备的加密套件列表。',
  },
  TLS_CLIENT_WANTED: { text: '{{target}} 要求客户端证书。', next: '将 tls_certificate 和 tls_key 设为设备信任的证书及其私钥。' },
  TLS_CLIENT_UNKNOWN: {
    text: '{{target}} 不信任本端证书的签发机构。',
    next: '将该机构的证书导入设备，或改用设备认可的机构所签发的证书。',
  },
  TLS_CLIENT_EXPIRED: {
    text: '按 {{target}} 的时钟，本端证书已过期。',
    next: '更新本端证书；若证书仍在有效期内，请校正设备时钟。',
  },
  TLS_CLIENT_REFUSED: { text: '{{target}} 不接受本端证书。', next: '对照设备的要求检查证书的用途、密钥长度和名称。' },
  TLS_NAME: { text: '{{target}} 不认识所请求的名称。', next: '将 tls_server_name 设为设备证书中的名称。' },
  TLS_WRONG_NAME: {
    text: '{{target}} 的证书不是签发给 {{name}} 的，而是 {{names}}。',
    next: '确认确实是该设备后，将 tls_server_name 设为证书中的名称。',
  },
  TLS_EXPIRED: {
    text: '{{target}} 的证书或其签发者的证书已过期。',
    next: '更新证书；若证书仍在有效期内，请校正本机时钟。',
  },
  TLS_NOT_YET_VALID: {
    text: '{{target}} 的证书或其签发者的证书尚未生效。',
    next: '校正本机时钟，或校正签发证书的计算机的时钟。',
  },
  TLS_UNTRUSTED: { text: '{{target}} 的证书由不受信任的机构签发。', next: '将 tls_ca 设为该机构的证书。' },
  TLS_SELF_SIGNED: { text: '{{target}} 的证书为自签名，且不在受信任之列。', next: '从设备取得该证书，并将 tls_ca 设为它。' },
  TLS_CERTIFICATE: { text: '{{target}} 的证书无法接受：{{detail}}', next: '请签发用途为服务器且未被吊销的证书。' },
  TLS_FAILED: { text: '与 {{target}} 的 TLS 握手失败：{{detail}}', next: '核对通道与设备的 TLS 设置。' },
};
