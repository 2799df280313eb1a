import type { doctor as en } from '../en/doctor.ts';
import type { Translation } from '../types.ts';
import { iec104Codes } from './doctor-iec104.ts';
import { iec61850Codes } from './doctor-iec61850.ts';
import { tlsCodes } from './doctor-tls.ts';

export const doctor: Translation<typeof en> = {
  open: '连接诊断',
  cause: '查找原因',
  title: '连接诊断：{{name}}',
  preset: '仅检查地址 {{addresses}}。',
  verdicts: '各层结论',
  again: '重新诊断',
  search: '搜索线路',
  edit: '通道设置',
  layers: {
    line: '转换器或路由',
    bytes: '字节',
    framing: '成帧与校验位',
    address: '地址',
    table: '点表',
    host: '主机',
    port: '端口',
    tls: '加密（TLS）',
    startdt: '启动数据传输（STARTDT）',
    sizes: '地址长度',
    station: '公共地址',
    selectors: '选择符',
    association: '关联',
    initiate: 'MMS 协商',
    model: '模型',
  },
  hints: {
    line: '串口能否打开，能否到达设备',
    bytes: '是否收到数据',
    framing: '字节是否构成本规约的帧',
    address: '设备是否应答',
    table: '测点与设备是否相符',
    host: '地址能否解析，设备是否可达',
    port: '设备是否在该端口监听',
    tls: '握手与证书',
    startdt: '站端是否开始发送数据',
    sizes: '公共地址、信息对象地址和传送原因的长度是否一致',
    station: '点表中的公共地址是否存在',
    selectors: '设备是否接受传输、会话和表示层选择符',
    association: '设备是否允许建立关联',
    initiate: '双方是否就 MMS 达成一致：PDU 大小、未应答请求数',
    model: '测点与设备模型是否相符',
  },
  states: { good: '正常', warning: '需注意', bad: '异常', skipped: '未检查', now: '检查中', waiting: '等待' },
  codes: {
    LINE_CONNECTED: { text: '{{target}} 在 {{ms}} ms 后接受了连接。' },
    LINE_ACCEPTED: { text: '{{target}} 接受了连接。' },
    LINE_DATAGRAMS: { text: 'UDP 没有连接：只有收到应答才能说明 {{target}} 存在。' },
    LINE_REACHED: { text: '{{target}} 有响应。' },
    LINE_UNPROVED: {
      text: '{{target}} 没有任何回应，既未接受也未拒绝。',
      next: 'ping {{target}}：若有回应，则仅该端口对本机关闭；若无回应，请检查网线、交换机、电源和地址。',
    },
    LINE_STANDS: { text: '通道正在运行，连接正常。' },
    LINE_NAME_UNKNOWN: { text: '主机名 {{target}} 无法解析为地址。', next: '请填写设备的 IP 地址，或检查主机名和本机的域名服务。' },
    LINE_NO_ROUTE: {
      text: '本机没有到 {{target}} 的路由（{{detail}}）。',
      next: '检查网线、交换机和设备电源；本机需有与设备同网段的地址。然后 ping 设备。',
    },
    LINE_REFUSED: {
      text: '{{target}} 可达，但拒绝连接：该端口无服务。',
      next: '检查端口号（{{protocol}} 为 {{usual}}），并确认设备已启用该服务且未被访问控制列表限制。',
    },
    LINE_TIMEOUT: {
      text: '{{target}} 在 {{ms}} ms 内未响应连接请求。',
      next: '检查地址和设备电源。防火墙丢包的现象相同，可用 ping 区分。',
    },
    LINE_FORBIDDEN: { text: '本机不允许连接 {{target}}。', next: '检查本机防火墙。' },
    LINE_DROPPED: {
      text: '{{target}} 接受连接后立即断开。',
      next: '设备可能只允许一个连接且已被其他主站占用，或其访问列表中没有本机。',
    },
    PORT_OPEN: { text: '{{port}} 已以 {{format}} 打开。' },
    PORT_NOT_SET: { text: '通道未设置串口。', next: '在通道设置中选择转换器的串口。' },
    PORT_MISSING: {
      text: '没有串口 {{port}}。现有：{{present}}。',
      next: '插入转换器，在通道设置中选择其串口。若串口始终不出现，则缺少驱动程序。',
    },
    PORT_BUSY: { text: '{{port}} 已被其他程序打开。', next: '关闭占用串口的程序，例如串口终端、厂家工具或另一个主站。' },
    PORT_FORBIDDEN: {
      text: '当前用户无权打开 {{port}}。',
      next: '在 Linux 上将用户加入 dialout 组后重新登录；在 Windows 上检查是谁占用了串口。',
    },
    PORT_HUNG: { text: '{{port}} 在 {{ms}} ms 内未能打开：驱动程序无响应。', next: '拔下转换器重新插入；可换一个 USB 口或更新驱动。' },
    PORT_FAILED: { text: '{{port}} 无法打开：{{detail}}', next: '检查串口参数，或换一个转换器。' },
    BYTES_SEEN: { text: '收到 {{count}} 个字节。' },
    BYTES_NONE_TCP: {
      text: '连接正常，但设备未返回任何数据：询问 {{asked}} 次，每次等待 {{ms}} ms。',
      next: '检查从机地址。若经串口网关，后面的设备可能未上电或波特率不同；同时检查网关的超时时间。',
    },
    BYTES_NONE_UDP: {
      text: '{{target}} 未返回任何数据报：询问 {{asked}} 次，每次等待 {{ms}} ms。',
      next: 'ping 设备，并检查端口、从机地址以及设备是否支持 Modbus UDP，许多设备只支持 TCP。防火墙也可能直接丢弃数据报。',
    },
    BYTES_UDP_REFUSED: {
      text: '{{target}} 可达，但该端口无程序接收数据报（ICMP 端口不可达）。',
      next: '检查端口号，以及设备是否支持 Modbus UDP，许多设备只支持 TCP。',
    },
    BYTES_NONE_SERIAL: {
      text: '{{port}} 上未收到任何数据：以 {{format}} 询问 {{asked}} 次，每次等待 {{ms}} ms。',
      next: '检查设备电源、A/B 线（可对调一次）、地线和地址。若均正确，请搜索线路的波特率和校验位。',
    },
    BYTES_ECHO_ONLY: {
      text: '{{port}} 上只收到自己发出的询问：转换器正常且能听到自己，但没有设备应答。',
      next: '检查 A/B 线、设备电源和地址。A、B 短接或接了回环插头时现象相同。',
    },
    BYTES_CLOSED: {
      text: '设备在被询问时断开了连接。',
      next: '该端口可能使用其他规约，或只允许一个连接。检查端口号和规约。',
    },
    BYTES_STRAY: { text: '在询问之前收到了地址 {{answering}} 的应答：这是对先前询问的迟到应答。' },
    BYTES_OTHER_MASTER: {
      text: '此线路上已有另一个主站在询问（地址 {{addresses}}），因此未发送任何数据。',
      next: '一条串行线路只能有一个主站。断开或停止另一个主站后重新诊断。',
    },
    FRAMING_GOOD: { text: '收到 {{frames}} 个有效的 {{protocol}} 帧。' },
    FRAMING_MIXED: {
      text: '收到 {{frames}} 个有效的 {{protocol}} 帧，另有 {{noise}} 个字节不属于任何帧。',
      next: '检查终端电阻（两端 120 Ω）、偏置、地线和屏蔽；分支过长或两台设备地址相同时现象相同。',
    },
    FRAMING_FOREIGN: {
      text: '收到的是 {{found}}，不是 {{protocol}}。',
      next: '检查端口号和通道规约；该端口属于设备的其他服务。',
    },
    FRAMING_RTU_OVER_TCP: { text: '设备以 TCP 上的 Modbus RTU 帧应答。', next: '将通道规约改为 Modbus RTU，连接类型为 TCP 客户端。' },
    FRAMING_TCP_NOT_RTU: { text: '设备以 Modbus TCP 帧应答，而不是 RTU 帧。', next: '将通道规约改为 Modbus TCP。' },
    FRAMING_FORMAT_SEEN: {
      text: '收到字节，但其样子如同用 {{set}} 接收 {{seen}}。',
      next: '将通道的校验位和停止位设为 {{seen}}，或搜索线路。',
    },
    FRAMING_FORMAT_PROVED: { text: '线路以 {{works}} 可读，以 {{set}} 不可读。', next: '将通道的串口参数设为 {{works}}。' },
    FRAMING_BAUD_SEEN: {
      text: '收到字节，但其样子如同以 {{set}} 波特率接收约 {{seen}} 波特率的线路。',
      next: '将通道的波特率设为与设备一致，或搜索线路。',
    },
    FRAMING_BREAK: {
      text: '只收到零字节：线路一直处于低电平。',
      next: 'A、B 可能接反或短路，或波特率过高。先对调一次 A、B，再搜索线路。',
    },
    FRAMING_BROKEN: {
      text: '应答开头正确，但中途截断或校验错误（{{asked}} 次询问中 {{broken}} 次）：波特率和格式是正确的。',
      next: '可能有两台设备使用此地址并同时应答，或线路受干扰：逐台断开设备查找。然后检查终端电阻（两端 120 Ω）、偏置和地线，以及转换器或网关的方向切换是否过早。',
    },
    FRAMING_CUT: {
      text: '设备返回了 {{protocol}} 帧的开头，但没有结尾（{{count}} 个字节）。',
      next: '中间的网关可能截断了应答：检查其设置和固件，并减少单次读取的寄存器数量。',
    },
    FRAMING_UNSTEADY: {
      text: '收到 {{count}} 个字节，{{asked}} 次询问后的内容各不相同，均不是有效的 {{protocol}} 帧。',
      next: '两台地址相同的设备同时应答时现象如此，线路受干扰时也是：逐台断开设备，检查终端电阻、偏置和地线。仅波特率错误时，每次收到的字节相同。',
    },
    FRAMING_NOISE: {
      text: '收到 {{count}} 个字节，没有一个构成有效的 {{protocol}} 帧。',
      next: '搜索线路的波特率和校验位。若无结果，检查 A/B 线、终端电阻、偏置和地线。',
    },
    ADDRESS_GOOD: { text: '地址 {{answering}} 有应答。' },
    ADDRESS_HEARD: { text: '听到地址 {{answering}} 应答另一个主站。' },
    ADDRESS_SOME: {
      text: '地址 {{answering}} 有应答，{{silent}} 无应答。',
      next: '检查无应答设备的电源和地址，或更正其测点的设备地址。',
    },
    ADDRESS_LATE: {
      text: '地址 {{address}} 有应答，但在 {{ms}} ms 之后；超时设置为 {{timeout}} ms。',
      next: '将通道的 timeout_ms 设为 {{suggested}} 或更大。中间的网关会另加延时。',
    },
    ADDRESS_UNSTEADY: {
      text: '地址 {{address}} 在 {{asked}} 次询问中应答了 {{answered}} 次。',
      next: '检查终端电阻（两端 120 Ω）、偏置、地线和设备电源；排除之前可设置通道的重试次数。',
    },
    ADDRESS_SILENT: { text: '地址 {{asked}} 无应答。', next: '搜索线路上的地址，并与设备上设置的地址比较。' },
    ADDRESS_OTHER: {
      text: '地址 {{asked}} 无应答，但 {{answering}} 有应答。',
      next: '将测点的从机地址改为 {{answering}}，或在设备上修改地址。',
    },
    ADDRESS_MISMATCH: {
      text: '询问地址 {{asked}}，却收到以 {{answering}} 名义的应答。',
      next: '请使用从机地址 {{answering}}；有些网关以自己的地址应答。',
    },
    ADDRESS_GATEWAY: {
      text: '网关代地址 {{asked}} 应答：它未能到达该设备（{{detail}}）。',
      next: '检查网关的串口侧：波特率、校验位、接线，以及其后设备的地址。',
    },
    ADDRESS_TWO: { text: '对地址 {{address}} 的一次询问收到两个应答：有两台设备使用此地址。', next: '断开其中一台并为其改设地址。' },
    ADDRESS_COLLISION: {
      text: '地址 {{address}} 的应答支离破碎，而其他地址正常：可能有两台设备使用此地址。',
      next: '逐台断开设备；断开后线路恢复正常的那台需要改设地址。',
    },
    ADDRESS_EDITION: {
      text: '地址 {{address}} 以 {{answering}} 版应答，而其测点为 {{set}} 版。',
      next: '将其测点的版本改为 {{answering}}；1997 版数据标识为四位，2007 版为八位。',
    },
    ADDRESS_CROWD: {
      text: '地址 {{asked}} 无应答，但有多台设备同时应答通配地址。',
      next: '搜索线路以找出表号，再修正测点的电表地址。',
    },
    TABLE_GOOD: { text: '试读 {{asked}} 个测点，{{good}} 个的值合理。' },
    TABLE_EMPTY: { text: '通道没有可试读的测点。', next: '导入点表，或扫描寄存器并由此生成测点。' },
    TABLE_MISSING: {
      text: '试读的 {{asked}} 个测点中，设备没有其中 {{missing}} 个，例如 {{code}}（地址 {{address}}）。',
      next: '将点表与设备对照：地址基数（0 或 1）、功能码，以及点表对应的型号或固件。',
    },
    TABLE_MISSING_ITEM: {
      text: '试读的 {{asked}} 个测点中有 {{missing}} 个设备没有，例如 {{code}}（{{item}}）。',
      next: '将数据标识和版本与设备手册核对；并非每块表都有全部数据项。',
    },
    TABLE_FAILED: { text: '试读的 {{asked}} 个测点中有 {{failed}} 个读取失败：{{detail}}', next: '逐个读取这些测点并查看报文。' },
    TABLE_ORDER: {
      text: '{{decode}} 将 {{code}} 解析为 {{shown}}；改用 {{suggested}} 则为 {{instead}}，另有 {{count}} 个测点也变得合理。',
      next: '将这些测点的解析码改为 {{suggested}}，并与设备显示值比较。',
    },
    TABLE_BASE: { text: '这些地址像寄存器编号（例如 {{address}}），从 {{base}} 开始计数。', next: '将通道的地址基数设为 {{base}}。' },
    TABLE_FUNCTION_OTHER: {
      text: '设备不支持点表使用的功能码 {{function}}（{{code}}）；用功能码 {{works}} 可以读到该地址。',
      next: '将这些测点的 func_code 设为 {{works}}。',
    },
    TABLE_FUNCTION: {
      text: '设备不支持点表使用的功能码 {{function}}（{{code}}）。',
      next: '试用另一种寄存器类型：功能码 3（保持）或 4（输入），1（线圈）或 2（离散输入）。',
    },
    NOT_REACHED: { text: '未检查：需先解决前一层。' },
    LAYER_FAILED: { text: '检查到此中断：{{detail}}', next: '在报文日志中查看连接 0 的报文，然后重新诊断。' },
    ...tlsCodes,
    ...iec104Codes,
    ...iec61850Codes,
  },
};
