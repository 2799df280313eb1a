/** Lists in the style of Chinese manuals and drawings. */
import type { ListCase } from './list-case.ts';

const merge = (startRow: number, startColumn: number, endRow: number, endColumn: number) => ({ startRow, startColumn, endRow, endColumn });

export const CHINESE_LISTS: readonly ListCase[] = [
  {
    name: 'PCS: title, merged group rows, remark below, addresses in hexadecimal',
    file: 'PCS通讯点表V1.3.xlsx',
    content: {
      sheets: [
        { name: '封面', rows: [['储能变流器通讯协议'], ['版本', 'V1.3'], ['所有多寄存器数据高字在前']] },
        {
          name: '点表',
          rows: [
            ['储能变流器 Modbus 点表', null, null, null, null, null, null, null],
            ['序号', '名称', '寄存器地址', '数据类型', '单位', '系数', '读写', '备注'],
            ['一、遥测量（功能码04）', null, null, null, null, null, null, null],
            [1, '直流母线电压', '0x0000', 'uint16', 'V', 0.1, 'R', null],
            [2, '直流电流', '0x0001', 'int16', 'A', 0.1, 'R', '放电为正'],
            [3, '有功功率', '0x0002', 'int32', 'kW', 0.001, 'R', null],
            [4, '日充电量', '0x0004', 'uint32', 'kWh', 0.1, 'R', null],
            ['二、设定量（功能码03）', null, null, null, null, null, null, null],
            [5, '有功功率设定', '0x0100', 'int16', 'kW', 0.1, 'R/W', null],
            [6, '运行模式', '0x0101', 'uint16', null, 1, 'R/W', '0：待机；1：充电；2：放电'],
            ['注：未列出的地址保留', null, null, null, null, null, null, null],
          ],
          merges: [merge(0, 0, 0, 7), merge(2, 0, 2, 7), merge(7, 0, 7, 7), merge(10, 0, 10, 7)],
        },
      ],
    },
    corrections: {},
    points: [
      'YC 直流母线电压 0 f4 uint16 AB ×0.1 V',
      'YC 直流电流 1 f4 int16 AB ×0.1 A',
      'YC 有功功率 2 f4 int32 ABCD ×0.001 kW',
      'YC 日充电量 4 f4 uint32 ABCD ×0.1 kWh',
      'YC 有功功率设定 256 f3 int16 AB ×0.1 kW',
      'YC 运行模式 257 f3 uint16 AB {0=待机;1=充电;2=放电}',
    ],
    leftOut: { row_group: 2, row_prose: 1 },
  },
  {
    name: 'BMS: same names in several racks, hidden rows, the alarm word in bits',
    file: '电池簇点表.xlsx',
    content: {
      sheets: [
        {
          name: '电池簇',
          rows: [
            ['寄存器地址', '信号名称', '寄存器类型', '数据类型', '位', '单位', '比例', '说明'],
            [1000, '簇电压', '输入寄存器', '无符号16位', null, 'V', '0.1V/LSB', null],
            [1001, '簇电流', '输入寄存器', '有符号16位', null, 'A', '0.1', '偏移见手册'],
            [1002, 'SOC', '输入寄存器', '无符号16位', null, '%', '0.1', null],
            [1003, '调试用', '输入寄存器', '无符号16位', null, null, null, '内部'],
            [1010, '告警字1', '输入寄存器', '无符号16位', null, null, null, 'Bit0：单体过压；Bit1：单体欠压；Bit4：过温'],
            [1011, '绝缘故障', '输入寄存器', 'bit', 0, null, null, null],
            [null, '通讯故障', '输入寄存器', 'bit', 1, null, null, null],
            [2000, '簇电压', '输入寄存器', '无符号16位', null, 'V', '0.1V/LSB', '二簇'],
          ],
          hiddenRows: [4],
        },
      ],
    },
    corrections: {},
    points: [
      'YC 簇电压_4_1000 1000 f4 uint16 AB ×0.1 V',
      'YC 簇电流 1001 f4 int16 AB ×0.1 A',
      'YC SOC 1002 f4 uint16 AB ×0.1 %',
      'YC 调试用 1003 f4 uint16 AB',
      'YX 告警字1_单体过压 1010 f4 uint16 AB [0]',
      'YX 告警字1_单体欠压 1010 f4 uint16 AB [1]',
      'YX 告警字1_过温 1010 f4 uint16 AB [4]',
      'YX 绝缘故障 1011 f4 uint16 AB [0]',
      'YX 通讯故障 1011 f4 uint16 AB [1]',
      'YC 簇电压_4_2000 2000 f4 uint16 AB ×0.1 V',
    ],
  },
  {
    name: 'meter: two address columns, length in octets, no word on the order of words',
    file: '多功能电表.xlsx',
    content: {
      sheets: [
        {
          name: 'Sheet1',
          rows: [
            ['参数名称', '地址', null, '数据类型', '字节数', '单位', '读/写'],
            [null, '十进制', '十六进制', null, null, null, null],
            ['A相电压', 8192, '2000', 'float', 4, 'V', '只读'],
            ['B相电压', 8194, '2002', 'float', 4, 'V', '只读'],
            ['C相电压', 8196, '2004', 'float', 4, 'V', '只读'],
            ['频率', 8198, '2006', '无符号整型', 2, 'Hz', '只读'],
            ['通讯地址', 8448, '2100', '无符号整型', 2, null, '读写'],
          ],
          merges: [merge(0, 1, 0, 2), merge(0, 0, 1, 0), merge(0, 3, 1, 3), merge(0, 4, 1, 4), merge(0, 5, 1, 5), merge(0, 6, 1, 6)],
        },
      ],
    },
    corrections: { answers: { order: 'CDAB' } },
    points: [
      'YC A相电压 8192 f3 float32 CDAB V',
      'YC B相电压 8194 f3 float32 CDAB V',
      'YC C相电压 8196 f3 float32 CDAB V',
      'YC 频率 8198 f3 uint16 AB Hz',
      'YC 通讯地址 8448 f3 uint16 AB',
    ],
  },
  {
    name: 'fire panel: coils and discrete inputs on sheets of their own',
    file: '消防主机.xlsx',
    content: {
      sheets: [
        {
          name: '线圈',
          rows: [
            ['地址', '名称', '描述'],
            [0, '声光启动', '1启动'],
            [1, '风机启动', '1启动'],
          ],
        },
        {
          name: '离散输入',
          rows: [
            ['地址', '名称', '描述'],
            [0, '一级报警', null],
            [1, '二级报警', null],
            [2, '主电故障', null],
          ],
        },
      ],
    },
    corrections: {},
    wanted: { commands: 'make' },
    points: ['YX 声光启动 0 f1', 'YX 风机启动 1 f1', 'YX 一级报警 0 f2', 'YX 二级报警 1 f2', 'YX 主电故障 2 f2'],
  },
  {
    name: 'air conditioner: csv in GBK words, factors as expressions, offset',
    file: '空调.csv',
    content: {
      text: [
        '序号,参数,寄存器,功能码,类型,换算关系,单位,范围',
        '1,回风温度,0x0010,03H,INT16,实际值=寄存器值*0.1-40,℃,-40~85',
        '2,湿度,0x0011,03H,UINT16,/10,%,0~100',
        '3,设定温度,0x0020,03H/06H,INT16,寄存器值/10,℃,16~30',
        '4,开关机,0x0021,03H/06H,UINT16,1,,0:关机 1:开机',
        ',,,,,,,',
        '备注：寄存器地址从0开始,,,,,,,',
      ].join('\r\n'),
    },
    corrections: {},
    wanted: { commands: 'make' },
    points: [
      'YC 回风温度 16 f3 int16 AB ×0.1-40 ℃',
      'YC 湿度 17 f3 uint16 AB ×0.1 %',
      'YC 设定温度 32 f3 int16 AB ×0.1 ℃',
      'YT 设定温度_SET 32 f6 int16 AB ×0.1 ℃ →设定温度',
      'YC 开关机 33 f3 uint16 AB {0=关机;1=开机}',
      'YT 开关机_SET 33 f6 uint16 AB →开关机 {0=关机;1=开机}',
    ],
    leftOut: { row_prose: 1 },
  },
  {
    name: 'transducer: pasted from a document, long cells broken',
    file: 'clipboard.txt',
    content: {
      text: [
        '表 3  输入寄存器（功能码 04）',
        '地址      名称                 类型      单位    系数',
        '30001     A相电压              UINT16    V       0.1',
        '30002     B相电压              UINT16    V       0.1',
        '30003     三相总有功功率        INT32     kW      0.001',
        '          （含谐波）',
        '30005     频率                 UINT16    Hz      0.01',
        '注：32 位数据高字在前',
      ].join('\n'),
    },
    corrections: {},
    points: [
      'YC A相电压 0 f4 uint16 AB ×0.1 V',
      'YC B相电压 1 f4 uint16 AB ×0.1 V',
      'YC 三相总有功功率_含谐波 2 f4 int32 ABCD ×0.001 kW',
      'YC 频率 4 f4 uint16 AB ×0.01 Hz',
    ],
    leftOut: { row_prose: 1 },
  },
];
