/** Lists of information objects of IEC 104 and of data identifiers of DL/T 645. */
import type { ListCase } from './list-case.ts';

export const TELECONTROL_LISTS: readonly ListCase[] = [
  {
    name: 'IEC 104: a sheet for each type of point, objects in hexadecimal',
    file: '104点表.xlsx',
    protocol: 'iec104',
    content: {
      sheets: [
        {
          name: '遥测',
          rows: [
            ['序号', '信号名称', '信息体地址', '单位', '系数'],
            [1, 'A相电流', '4001H', 'A', 0.1],
            [2, '有功功率', '4002H', 'kW', 1],
          ],
        },
        {
          name: '遥信',
          rows: [
            ['序号', '信号名称', '信息体地址', '备注'],
            [1, '断路器合位', '0001H', null],
            [2, '事故总', '0002H', '硬接点'],
          ],
        },
        {
          name: '遥控',
          rows: [
            ['序号', '信号名称', '信息体地址'],
            [1, '断路器', '6001H'],
          ],
        },
      ],
    },
    corrections: {},
    points: ['YC A相电流 16385 ×0.1 A', 'YC 有功功率 16386 kW', 'YX 断路器合位 1', 'YX 事故总 2', 'YK 断路器 24577'],
  },
  {
    name: 'IEC 104: types by their mnemonics, common address in a column',
    file: 'iec104.csv',
    protocol: 'iec104',
    content: {
      text: [
        'CASDU,IOA,Type ID,Description,Unit',
        '3,1,M_SP_TB_1,CB1 closed,',
        '3,2,M_DP_TB_1,CB1 position,',
        '3,1001,M_ME_TF_1,Active power,MW',
        '3,1002,M_ME_NC_1,Voltage L1,kV',
        '3,5001,C_SC_NA_1,CB1 command,',
        '3,6001,C_SE_NC_1,Power setpoint,MW',
        '3,100,C_IC_NA_1,Interrogation,',
      ].join('\n'),
    },
    corrections: { headers: [{ header: 'CASDU', role: 'slave_id' }] },
    points: [
      'YX CB1_closed 1 @3 type 30',
      'YX CB1_position 2 @3 type 31',
      'YC Active_power 1001 @3 type 36 MW',
      'YC Voltage_L1 1002 @3 type 13 kV',
      'YK CB1_command 5001 @3 type 45',
      'YT Power_setpoint 6001 @3 type 50 MW',
    ],
    leftOut: { row_direction: 1 },
  },
  {
    name: 'IEC 104: point numbers from 0',
    file: '转发表.xlsx',
    protocol: 'iec104',
    content: {
      sheets: [
        {
          name: '遥测转发表',
          rows: [
            ['点号', '描述', '单位'],
            [0, '总有功', 'kW'],
            [1, '总无功', 'kvar'],
          ],
        },
        {
          name: '遥信转发表',
          rows: [
            ['点号', '描述'],
            [0, '开关1'],
            [1, '开关2'],
          ],
        },
      ],
    },
    corrections: { answers: { object_base: 'usual' } },
    points: ['YC 总有功 16385 kW', 'YC 总无功 16386 kvar', 'YX 开关1 1', 'YX 开关2 2'],
  },
  {
    name: 'DL/T 645: identifiers in four columns',
    file: '645标识.xlsx',
    protocol: 'dlt645',
    content: {
      sheets: [
        {
          name: '数据标识',
          rows: [
            ['DI3', 'DI2', 'DI1', 'DI0', '数据格式', '单位', '功能', null, '数据项名称'],
            [null, null, null, null, null, null, '读', '写', null],
            ['00', '01', '00', '00', 'XXXXXX.XX', 'kWh', '*', null, '(当前)正向有功总电能'],
            ['02', '01', '01', '00', 'XXX.X', 'V', '*', null, 'A相电压'],
            ['02', '02', '01', '00', 'XXX.XXX', 'A', '*', null, 'A相电流'],
          ],
          merges: [
            { startRow: 0, startColumn: 6, endRow: 0, endColumn: 7 },
            ...[0, 1, 2, 3, 4, 5, 8].map((column) => ({ startRow: 0, startColumn: column, endRow: 1, endColumn: column })),
          ],
        },
      ],
    },
    corrections: {},
    points: ['YC 当前_正向有功总电能 0x00010000 kWh', 'YC A相电压 0x02010100 V', 'YC A相电流 0x02020100 A'],
  },
  {
    name: 'DL/T 645: identifiers as numbers that lost their zeros',
    file: 'meter-items.csv',
    protocol: 'dlt645',
    content: {
      text: [
        '数据标识,名称,格式,单位,表号',
        '2010100,A相电压,XXX.X,V,000012345678',
        '02030000,总有功功率,XX.XXXX,kW,000012345678',
        '02800002,电网频率,XX.XX,Hz,000012345678',
        '02XX0100,电压数据块,XXX.X,V,',
      ].join('\n'),
    },
    corrections: {},
    points: ['YC A相电压 0x02010100 @12345678 V', 'YC 总有功功率 0x02030000 @12345678 kW', 'YC 电网频率 0x02800002 @12345678 Hz'],
    leftOut: { row_address: 1 },
  },
];
