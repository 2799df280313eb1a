import type { REMOTE_MESSAGES } from '#shared/messages/remote.ts';
import type { Translation } from '../../types.ts';

export const remote: Translation<typeof REMOTE_MESSAGES> = {
  'remote.address': '应为 https://10.0.0.7:8991 或 http://10.0.0.7:8991 形式的地址，不含路径、用户名和密码',
  'remote.fingerprint': '应为 64 位十六进制的 SHA-256 指纹，即该服务启动时显示的指纹',
  'remote.fingerprint_http': '仅用于 https；http 没有可核对的证书',
  'remote.open_token': '令牌将未加密地经网络发送到 {{address}}；请用 --tls 启动该服务，再以 https 添加。',
  'remote.none': '没有编号为 {{id}} 的其他服务。',
  'remote.name_taken': '已有名为 {{name}} 的服务；请换一个名称，或先移除它。',
  'remote.address_taken': '{{address}} 已添加，名称为 {{name}}。',
  'remote.full': '已有 {{most}} 个其他服务，达到上限；请先移除一个。',
  'remote.itself': '{{address}} 就是本服务。',
  'remote.not_loopcheck': '{{address}} 处应答的不是 Loopcheck。',
  'remote.token_missing': '{{name}} 需要令牌：请在该服务中创建（设置 › 访问），再带令牌在此添加。',
  'remote.token_refused': '{{name}} 拒绝了为其保存的令牌：请在该服务中重新创建令牌，在此移除后再添加。',
  'remote.other_certificate':
    '{{name}} 的证书与核对过的不同（{{fingerprint}}）。若无人更换证书，则可能有人从中截取；未发送任何内容。请与该服务启动时显示的指纹重新核对，在此移除后再添加。',
  'remote.untrusted': '本机不信任 {{name}} 的证书（{{code}}）：请填写该服务启动时显示的指纹。',
  'remote.silent': '{{name}} 在 {{seconds}} 秒内未应答。',
  'remote.chain': '服务只提供自身的内容；其他服务请直接访问。',
  'remote.file_wrong': '{{file}} 的内容与写入时不同；请恢复它，或删除后重新添加其他服务。',
  'remote.file_unreadable': '无法读取 {{file}}（{{reason}}）。',
};
