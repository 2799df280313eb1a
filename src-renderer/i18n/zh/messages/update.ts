import type { UPDATE_MESSAGES } from '#shared/messages/update.ts';
import type { Translation } from '../../types.ts';

export const update: Translation<typeof UPDATE_MESSAGES> = {
  'update.place': '应为本机或网络上文件夹的完整路径，或 https://files.example/loopcheck 形式的地址，不含用户名和密码；留空则不查询',
  'update.missing': '没有 {{file}}；请将新版本的通知文件放在该处，或在设置中改正文件夹。',
  'update.no_file': '{{file}} 不是文件；通知是发布内容中的一个文件，与安装程序放在一起。',
  'update.unreadable': '无法读取 {{file}}（{{reason}}）；请使运行 Loopcheck 的用户可以读取。',
  'update.silent': '{{seconds}} 秒内未读到 {{file}}；请检查其所在磁盘是否已连接，或该地址是否有应答。',
  'update.status': '未取得 {{file}}：该地址应答的状态码为 {{status}}。不跟随重定向。',
  'update.large': '{{file}} 超过 {{most}} 字节，不是通知文件；请从发布内容中重新取得。',
  'update.not_whole': '{{file}} 不是 Loopcheck 的通知文件，或只有一部分；请从发布内容中重新复制。',
  'update.signature': '{{file}} 不是用本程序的密钥签名的，或签名后被改动过。其内容一概不显示；请从取得本程序之处重新取得。',
  'update.form': '{{file}} 已签名，但本版本无法理解其内容；请到取得本程序之处查看新版本。',
};
