import type { APP_MESSAGES } from '#shared/messages/app.ts';
import type { Translation } from '../../types.ts';

export const app: Translation<typeof APP_MESSAGES> = {
  'app.port_taken': '{{host}} 的端口 {{port}} 已被{{holder}}占用。请用 --port 0 取空闲端口，或用 --port 另选端口。',
  'app.another_loopcheck': '另一个 Loopcheck',
  'app.another_loopcheck_process': '另一个 Loopcheck（进程 {{pid}}）',
  'app.another_program': '其他程序',
  'app.program_process': '程序 {{program}}（进程 {{pid}}）',
  'app.data_folder': '无法建立或写入数据文件夹 {{folder}}（{{reason}}）。请为运行 Loopcheck 的用户授予写权限，或用 --data 指定其他文件夹。',
  'app.port_forbidden': '系统不允许使用端口 {{port}}，请使用 1023 以上的端口，例如 --port 8991。',
  'app.not_our_address': '{{host}} 不是本机地址，请使用 --host 127.0.0.1。',
  'app.demo_no_port': '127.0.0.1 上没有可供演示电站使用的空闲端口。',
  'app.document_needs_time': '读取 {{name}} 所需时间超过 {{seconds}} s，请使用设备较少的文件。',
  'app.document_needs_memory': '读取 {{name}} 所需内存超过 {{megabytes}} MB，请使用设备较少的文件。',
  'app.stopping': '服务正在停止，工程已关闭。',
  'app.project_opening': '正在打开另一个工程，请稍后重试。',
  'app.goes_to_sleep': '计算机即将休眠，唤醒后将重新连接。',
  'app.was_asleep': '计算机刚从休眠中唤醒，正在重新连接。',
  'app.start_file_wrong':
    '{{file}} 的内容与 Loopcheck 写入的不一致，其格式为 {"port": 1 到 65535, "token": 文本或 null, "updates": 文本}。请改正，或删除该文件以默认设置启动。',
  'app.start_file_unreadable': '无法读取 {{file}}（{{reason}}）。请使其可读，或删除该文件以默认设置启动。',
  'app.access_file_wrong':
    '{{file}} 的内容与 Loopcheck 写入的不一致，无法得知谁有何权限。请用备份恢复，或删除该文件，启动后重新建立访问令牌。',
  'app.access_file_unreadable': '无法读取 {{file}}（{{reason}}），无法得知谁有何权限。请使其可读，或删除该文件，以无访问令牌的状态启动。',
  'app.tls_missing': '没有 {{file}}。证书与私钥须成对：请同时指定两者，或删除剩下的一个以重新生成。',
  'app.tls_unreadable': '无法读取 {{file}}（{{reason}}）。请使运行 Loopcheck 的用户可以读取。',
  'app.tls_wrong': '证书和私钥（{{cert}}、{{key}}）不是可读取的无口令 PEM。请恢复原文件，或同时删除以重新生成；之后所有人须重新核对指纹。',
  'app.tls_other_key': '私钥 {{key}} 与证书 {{cert}} 不成对，请指定同时生成的两个文件。',
  'app.window_no_request': '窗口发送的不是 API 请求。',
  'app.window_no_menu': '窗口发送的不是菜单。',
  'app.window_only': '只有 Loopcheck 窗口自身的页面可以经此途径使用 API。',
  'app.held': '未发送：已写成接口请求。',
  'app.service_silent': '服务没有应答。',
  'app.bridge_missing': '窗口无法连接到服务，请重新启动 Loopcheck。',
  'app.file_gone': '文件已无法读取，可能已被移走，或正被其他程序打开。',
  'app.given_no_file': '{{path}} 不是可以打开的文件。',
  'app.given_elsewhere':
    '{{path}} 位于另一台计算机上。再次启动程序时只打开本机的文件：请在窗口中打开它（工程用“文件 → 打开工程”），或先复制到本机。',
  'app.given_unreadable': '无法读取 {{path}}（{{reason}}）；请检查文件是否存在，以及您是否有读取权限。',
  'app.thread_no_answer': '工作线程未给出结果即已结束。',
};
