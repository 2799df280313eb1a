import type { IEC104_DOCTOR_MESSAGES } from '#shared/domain/doctor-iec104.ts';
import type { Translation } from '../types.ts';

export const iec104Codes: Translation<typeof IEC104_DOCTOR_MESSAGES> = {
  STARTDT_CONFIRMED: { text: '站端在 {{ms}} ms 后确认了启动数据传输（STARTDT）。' },
  STARTDT_STANDS: { text: '通道正在运行，数据传输已启动。' },
  STARTDT_SILENT: {
    text: '站端接受了连接，但在 {{ms}} ms 内没有确认 STARTDT。',
    next: '可能已有其他主站占用该站，或其主站白名单中没有本机地址；否则该端口属于其他服务。',
  },
  STARTDT_CLOSED: {
    text: '站端没有确认 STARTDT，而是断开了连接。',
    next: '在站端的主站列表中加入本机地址；若站端只允许一个主站，先断开另一个主站。',
  },
  STARTDT_FOREIGN: { text: '返回的不是 IEC 104 报文：{{octets}}。', next: '检查端口号（2404）和通道的规约；该端口属于设备的其他服务。' },
  STARTDT_TLS: { text: '站端在该端口上使用 TLS。', next: '打开 tls，或改用不加密的端口（2404）。' },
  WINDOW_WIDE: {
    text: 'w 为 {{w}}，k 为 {{k}}：k 相同的站端会在得到确认之前停止发送。',
    next: '将 w 设为 {{most}} 或更小，即站端 k 的三分之二。',
  },
  SIZES_GOOD: { text: '长度 {{sizes}}（传送原因、公共地址、信息体地址）与站端的 {{count}} 条报文相符。' },
  SIZES_OTHER: {
    text: '站端使用的长度为 {{found}}（传送原因、公共地址、信息体地址），通道设置为 {{sizes}}。',
    next: '将通道的 cause_size、common_address_size、object_address_size 设为 {{found}}。',
  },
  SIZES_UNREADABLE: {
    text: '站端有 {{count}} 条报文不符合任何长度；通道设置为 {{sizes}}。',
    next: '查看报文解释：站端可能发送厂家自定义类型，或报文长度有误。',
  },
  SIZES_UNPROVED: {
    text: '没有收到可用于判断长度 {{sizes}}（传送原因、公共地址、信息体地址）的报文。',
    next: '与站端的互操作性表核对，再检查公共地址。',
  },
  STATION_GOOD: { text: '公共地址 {{addresses}} 有应答。' },
  STATION_SEEN: { text: '站端以公共地址 {{found}} 应答；点表中还没有公共地址。' },
  STATION_NOT_ASKED: {
    text: '点表中没有公共地址，也没有任何公共地址应答。',
    next: '指定要询问的公共地址，或添加一个带有站端公共地址的点。',
  },
  STATION_PART: {
    text: '公共地址 {{addresses}} 有应答，{{missing}} 没有应答。',
    next: '按站端资料核对 {{missing}} 的点的公共地址（slave_id）。',
  },
  STATION_OTHER: {
    text: '站端不认识公共地址 {{addresses}}，它以 {{found}} 应答。',
    next: '将点的公共地址（slave_id）设为 {{found}}。',
  },
  STATION_UNKNOWN: {
    text: '站端不认识公共地址 {{addresses}}：{{detail}}。',
    next: '向厂家询问公共地址，或查其互操作性表；常用的是 1。',
  },
  STATION_SILENT: {
    text: '站端在各 {{ms}} ms 内没有应答公共地址 {{addresses}} 的总召唤。',
    next: '公共地址错误时站端可能不应答。检查 slave_id；站端较慢时加大 timeout_ms。',
  },
};
