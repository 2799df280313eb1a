import type { CAPTURE_MESSAGES } from '#shared/messages/capture.ts';
import type { Translation } from '../../types.ts';

export const capture: Translation<typeof CAPTURE_MESSAGES> = {
  'capture.no_capture':
    '这不是抓包文件：开头为 {{found}}。pcapng 文件以 0A 0D 0D 0A 开头，pcap 文件以 A1 B2 C3 D4 或 A1 B2 3C 4D（任一字节序）开头。',
  'capture.empty': '文件为空；抓包文件至少有文件头。',
  'capture.cut': '文件不完整：从第 {{at}} 字节起应有 {{needed}} 字节，实际只有 {{found}} 字节。请重新复制或保存该抓包文件。',
  'capture.length': '第 {{at}} 字节处的长度 {{length}} 无效，应为 {{least}} 至 {{most}}。文件已损坏，或不是抓包文件。',
  'capture.trailer': '第 {{at}} 字节处的块，首尾长度不一致：首部为 {{front}}，尾部为 {{behind}}。文件已损坏。',
  'capture.order': '第 {{at}} 字节处的节未标明字节序：应为任一字节序的 1A 2B 3C 4D，实际为 {{found}}。文件已损坏。',
  'capture.interface': '第 {{at}} 字节处的数据包属于接口 {{link}}，而该节只有 {{count}} 个接口。文件已损坏。',
  'capture.no_conversation': '文件中有 {{count}} 个会话，从 0 起编号',
  'capture.no_reads':
    '该会话中没有可回放的内容：Modbus（TCP、RTU、ASCII）、DL/T 645 或 IEC 61850 已应答的读取，IEC 61850 的报告，或 IEC 104 的数值。请查看其他会话。',
  'capture.many_places': '有数值的地址超过 {{most}} 个，这是上限',
  'capture.no_protocol': '的规约不能回放：可回放 Modbus（TCP、RTU、ASCII）、IEC 104、DL/T 645 和 IEC 61850，不可回放其他名称的线路',
  'capture.mms_unnamed':
    '有抓包未说明名称的数值：{{sets}} 个应答和报告属于抓包中没有成员列表的数据集，{{structures}} 个结构在抓包中没有成员名称。客户端学习模型时会读取二者，请从那时开始抓包',
  'capture.other_protocol': '{{channel}} 对外提供 {{serves}}，而该会话为 {{protocol}}；请录入对外提供 {{protocol}} 的通道',
  'capture.no_frames': '该通道的报文记录中没有报文，无可保存。',
  'capture.none_passes': '该通道没有报文符合筛选条件，无可保存。',
  'capture.oldest_go': '最多保存 {{most}} 个抓包，共 {{mib}} MiB；再保存一个须删除 {{names}}。',
  'capture.too_large': '该抓包将超过 {{mib}} MiB，即一个工程全部抓包的上限；请用筛选条件缩小范围。',
  'capture.none_kept': '没有抓包 {{name}}，可能已被删除。',
  'capture.interfaces': '抓包文件的一个节中接口超过 {{most}} 个。',
};
