import type { PUBLISH_MESSAGES } from '#shared/messages/publish.ts';
import type { Translation } from '../../types.ts';

export const publish: Translation<typeof PUBLISH_MESSAGES> = {
  'publish.mqtt_url': '应为 mqtt://主机:1883 或 mqtts://主机:8883，不含用户名、密码和路径',
  'publish.http_url': '应为 http:// 或 https:// 地址，不含用户名、密码和 #',
  'publish.prefix': '应为主题层级，例如 plant/bay1：不含 + 和 #，首尾无 /，不以 $ 开头',
  'publish.none': '没有编号为 {{id}} 的发布项。',
  'publish.name_taken': '已有名为 {{name}} 的发布项；请换一个名称。',
  'publish.same_topics': '发布项 {{name}} 已向该服务器的相同主题（{{prefix}}）发布；请为其中一个换一个前缀。',
  'publish.most': '一个工程最多 {{most}} 个发布项；请删除一个，或修改已有的。',
  'publish.unconfirmed': '尚未在本机确认此工程可以向 {{url}} 发布；请先确认。',
  'publish.other_secret': '不是此类发布项的密钥；此类为 `{{name}}`',
  'publish.broker_refused': '服务器 {{url}} 拒绝连接：{{reason}}（代码 {{code}}）。',
  'publish.broker_credentials': '服务器 {{url}} 不接受用户名和密码（{{reason}}，代码 {{code}}）。',
  'publish.broker_id': '服务器 {{url}} 不接受客户端标识（{{reason}}，代码 {{code}}）。',
  'publish.no_broker': '{{url}} 接受连接后未按 MQTT 应答便关闭；该端口可能属于其他服务，或需要 TLS。',
  'publish.silent': '{{url}} 在 {{ms}} ms 内未应答。',
  'publish.lost': '与 {{url}} 的连接已断开。',
  'publish.unreachable': '无法到达 {{url}}（{{code}}）。',
  'publish.refused': '{{url}} 拒绝连接；该端口无服务监听。',
  'publish.unknown_name': '{{url}} 中的主机名没有对应地址。',
  'publish.failed': '{{url}}：{{reason}}',
  'publish.not_taken': '{{url}} 在 {{ms}} ms 内未接收消息，已放弃该连接。',
  'publish.status': '{{url}} 返回状态 {{status}}。',
  'publish.redirect': '{{url}} 返回状态 {{status}}：指向另一地址，不会跟随；请直接填写该地址。',
};
