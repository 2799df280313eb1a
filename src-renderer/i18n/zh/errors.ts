import type { errors as en } from '../en/errors.ts';
import type { Translation } from '../types.ts';

export const errors: Translation<typeof en> = {
  cause: '可能原因',
  next: '下一步',
  detail: '详情',
  code: '代码 {{code}}',
  codes: {
    TRANSPORT_REFUSED: {
      title: '连接被拒绝',
      cause: '地址有响应，但该端口无服务，或设备不再接受新的连接。',
      next: '检查端口号、设备侧服务是否已启用，以及唯一的连接是否被其他主站占用。',
    },
    TRANSPORT_UNREACHABLE: {
      title: '设备不可达',
      cause: '到该地址没有路由：地址或网段错误、网线或交换机问题，或设备未上电。',
      next: '检查地址和本机网络设置，再尝试 ping 设备。',
    },
    TRANSPORT_LOST: {
      title: '连接中断',
      cause: '设备或网络断开了连接。',
      next: '开启自动重连时通道会自行恢复。若频繁发生，请查看前后的事件和报文。',
    },
    TRANSPORT_NOT_CONNECTED: {
      title: '未连接',
      cause: '此刻没有到设备（或到服务）的连接。',
      next: '启动通道，或等待其重新连接。',
    },
    TRANSPORT_PORT_TAKEN: {
      title: '端口被占用',
      cause: '其他程序或其他通道正在使用该 TCP 端口或串口。',
      next: '停止占用端口的程序或通道，或改用其他端口。',
    },
    TRANSPORT_PORT_MISSING: {
      title: '找不到串口',
      cause: '该串口不存在：转换器未插入，或端口号已改变。',
      next: '插好转换器，刷新串口列表后重新选择。',
    },
    TRANSPORT_PERMISSION: {
      title: '没有端口使用权限',
      cause: '操作系统不允许本程序使用该端口。',
      next: '使用 1023 以上的端口，或为用户授权（Linux 串口：加入 dialout 组）。',
    },
    FRAME_NOISE: {
      title: '收到不成帧的字节',
      cause: '波特率或校验位错误、线路接反或受干扰，或端口上是其他规约。',
      next: '核对串口参数和规约，查看报文记录。',
    },
    FRAME_CHECKSUM: {
      title: '校验错误',
      cause: '帧在传输中损坏：干扰、缺终端电阻，或两个站同时发送。',
      next: '检查屏蔽和终端电阻，确认站地址没有重复。',
    },
    FRAME_LENGTH: {
      title: '帧长度错误',
      cause: '帧声明的长度与内容不符。',
      next: '查看报文记录：端口上可能是其他规约，或设备有缺陷。',
    },
    PROTOCOL_MISMATCH: {
      title: '应答与请求不符',
      cause: '应答的从机地址、功能码或事务标识与请求不同。',
      next: '检查设备地址和中间的网关，查看报文记录。',
    },
    PROTOCOL_MALFORMED: {
      title: '应答违反规约',
      cause: '帧是完整的，但内容不符合规约。',
      next: '查看报文解析，并反馈给设备厂家。',
    },
    PROTOCOL_REFUSED: {
      title: '会话被拒绝',
      cause: '设备不接受规约会话的建立。',
      next: '检查通道的规约参数，以及是否有其他主站已连接。',
    },
    DEVICE_EXCEPTION: {
      title: '设备返回异常',
      cause: '设备理解了请求但拒绝执行，例如地址不存在。',
      next: '将地址、功能码和设备地址与设备点表核对。',
    },
    DEVICE_REJECTED: {
      title: '命令被设备拒绝',
      cause: '设备当前状态下不接受命令：就地位置、闭锁，或数值不被接受。',
      next: '检查设备的远方/就地开关和命令的执行条件。',
    },
    TIMEOUT_RESPONSE: {
      title: '应答超时',
      cause: '设备没有应答：设备地址错误、串口参数错误、设备忙或未上电。',
      next: '先检查设备地址，再检查线路；设备较慢时加大超时时间。',
    },
    TIMEOUT_CONNECT: {
      title: '连接超时',
      cause: '该地址完全没有响应：地址错误、有防火墙，或设备未上电。',
      next: '检查地址并 ping 设备，了解现场的防火墙规则。',
    },
    TIMEOUT_SUSPENDED: {
      title: '设备已暂停轮询',
      cause: '该设备连续三次无应答，自动任务暂停轮询，只定期探测。',
      next: '检查该设备。单点读取会立即访问该设备，收到应答后恢复轮询。',
    },
    STATE_CONFLICT: {
      title: '与当前状态冲突',
      cause: '有其他操作正在进行，或名称已被使用。',
      next: '等待或停止其他操作，或换一个名称，再试一次。',
    },
    STATE_NOT_STARTED: {
      title: '通道未启动',
      cause: '此操作需要已启动的通道。',
      next: '先启动通道。',
    },
    STATE_READ_ONLY: {
      title: '只读',
      cause: '服务或此通道拒绝写操作。',
      next: '确需写入时，在相应位置关闭只读。',
    },
    STATE_STORE: {
      title: '工程文件无法使用',
      cause: '文件被其他程序占用、来自更新的版本、已损坏，或不是工程文件。',
      next: '阅读下面的详情，选择其他文件或恢复备份。',
    },
    STATE_STORE_LOST: {
      title: '工程文件丢失',
      cause: '打开的工程文件被删除、改名、移动、替换或截断，未做任何更改。',
      next: '请把文件恢复到原来的名称，或在“工程”页另存副本并打开该副本。',
    },
    STATE_STORE_FULL: {
      title: '磁盘已满',
      cause: '工程文件所在磁盘没有空间，未做任何更改，也未发送任何命令。',
      next: '请释放工程文件所在磁盘的空间，之后自动恢复。',
    },
    STATE_DAMAGED: {
      title: '通道与保存的内容不一致',
      cause: '该通道的设置或测点与校验和不符：工程文件已损坏，或被其他程序修改。',
      next: '请对照记录或备份核对通道及测点，改正后再确认。',
    },
    STATE_BUSY: {
      title: '上传过多',
      cause: '正在处理一个文件，另有四个在等待。',
      next: '请过几秒重新发送。',
    },
    CONFIG_INVALID: {
      title: '输入无效',
      cause: '至少有一个字段的值不能使用。',
      next: '更正标出的字段。',
    },
    CONFIG_RANGE: {
      title: '数值超出范围',
      cause: '按系数换算后，数值超出该测点寄存器的表示范围。',
      next: '输入范围内的数值，或更正测点的解析码和系数。',
    },
    CONFIG_NOT_FOUND: {
      title: '未找到',
      cause: '通道、测点或文件不存在，或刚被删除。',
      next: '刷新视图后重新选择。',
    },
    CONFIG_NOT_JSON: {
      title: '请求不是 JSON',
      cause: '请求体无法解析。',
      next: '按接口文档发送 JSON。',
    },
    CONFIG_MEDIA_TYPE: {
      title: '内容类型错误',
      cause: '请求的内容类型不被此操作接受。',
      next: '发送 application/json，传文件时用 multipart/form-data。',
    },
    CONFIG_TOO_LARGE: {
      title: '请求过大',
      cause: '请求超过服务一次能接受的大小。',
      next: '拆分成较小的部分。',
    },
    ACCESS_TOKEN: {
      title: '访问令牌缺失或错误',
      cause: '服务启动时设置了访问令牌。',
      next: '输入令牌，可向启动服务的人询问。',
    },
    ACCESS_ORIGIN: {
      title: '来源被拒绝',
      cause: '请求使用的主机名或所在页面不属于本服务。',
      next: '使用服务启动时显示的地址打开页面。',
    },
    ACCESS_ROLE: {
      title: '当前访问无此权限',
      cause: '所用令牌只允许查看或操作，而此操作超出其范围。',
      next: '请有配置权限的人处理，或使用其他角色的令牌。',
    },
    CANCELLED: {
      title: '已取消',
      cause: '操作按要求结束。',
      next: '需要时重新开始。',
    },
    INTERNAL: {
      title: '内部故障',
      cause: '服务遇到未预料的情况。',
      next: '请重试。若仍出现，请保留数据目录中的日志文件并反馈。',
    },
  },
};
