/** Lists in the style of English manuals. */
import type { ListCase } from './list-case.ts';

const merge = (startRow: number, startColumn: number, endRow: number, endColumn: number) => ({ startRow, startColumn, endRow, endColumn });

export const ENGLISH_LISTS: readonly ListCase[] = [
  {
    name: 'references 30001 and 40001, types and units in words, repeated headers',
    file: 'power-meter.csv',
    content: {
      text: [
        'Power meter PM-300,,,,,',
        'Register,Parameter,Data Type,Units,Scaling,Access',
        '30001,Voltage L1-N,UINT16,V,x0.1,RO',
        '30002,Voltage L2-N,UINT16,V,x0.1,RO',
        '30010,Frequency,UINT16,Hz,1/100,RO',
        'Register,Parameter,Data Type,Units,Scaling,Access',
        '40001,CT primary,UINT16,A,1,RW',
        '40002,CT secondary,UINT16,A,1,RW',
      ].join('\n'),
    },
    corrections: {},
    points: [
      'YC Voltage_L1_N 0 f4 uint16 AB ×0.1 V',
      'YC Voltage_L2_N 1 f4 uint16 AB ×0.1 V',
      'YC Frequency 9 f4 uint16 AB ×0.01 Hz',
      'YC CT_primary 0 f3 uint16 AB A',
      'YC CT_secondary 1 f3 uint16 AB A',
    ],
    leftOut: { row_header: 1 },
  },
  {
    name: '4x notation with bits and ranges',
    file: 'plc.xlsx',
    content: {
      sheets: [
        {
          name: 'PLC',
          rows: [
            ['Tag', 'Address', 'Description', 'Format', 'Word order'],
            ['RUN', '0x0001', 'Motor runs', 'BOOL', null],
            ['RDY', '1x0005', 'Drive ready', 'BOOL', null],
            ['SPEED', '4x0010', 'Speed', 'INT', null],
            ['POWER', '4x0011-4x0012', 'Power', 'REAL', null],
            ['TORQUE', '4x0020', 'Torque', 'REAL', 'CDAB'],
            ['FAULT', '4x0030.3', 'Collective fault', 'BOOL', null],
          ],
        },
      ],
    },
    corrections: { answers: {} },
    points: [
      'YX RUN 0 f1',
      'YX RDY 4 f2',
      'YC SPEED 9 f3 int16 AB',
      'YC POWER 10 f3 float32 CDAB',
      'YC TORQUE 19 f3 float32 CDAB',
      'YX FAULT 29 f3 uint16 AB [3]',
    ],
  },
  {
    name: 'six digits, gain that divides, invalid rows between',
    file: 'inverter.xlsx',
    content: {
      sheets: [
        {
          name: 'Registers',
          rows: [
            ['No.', 'Signal Name', 'Read/Write', 'Type', 'Unit', 'Gain', 'Address', 'Quantity', 'Scope'],
            [1, 'Model', 'RO', 'STR', 'N/A', 1, 400001, 15, null],
            [2, 'Rated power', 'RO', 'U32', 'kW', 1000, 400074, 2, null],
            [3, 'PV1 voltage', 'RO', 'I16', 'V', 10, 402017, 1, null],
            [4, 'PV1 current', 'RO', 'I16', 'A', 100, 402018, 1, null],
            [5, 'Reserved', null, null, null, null, null, null, null],
            [6, 'Active power', 'RO', 'I32', 'kW', 1000, 402081, 2, '[-300, 300] MSW first'],
          ],
        },
      ],
    },
    corrections: { answers: { order: 'ABCD' } },
    points: [
      'YC Rated_power 73 f3 uint32 ABCD ×0.001 kW',
      'YC PV1_voltage 2016 f3 int16 AB ×0.1 V',
      'YC PV1_current 2017 f3 int16 AB ×0.01 A',
      'YC Active_power 2080 f3 int32 ABCD ×0.001 kW',
    ],
    leftOut: { row_type: 1, row_reserved: 1 },
  },
  {
    name: 'plain numbers that count from 1, units in names, enumeration in the description',
    file: 'heatpump.csv',
    content: {
      text: [
        'Address;Name;Type;Factor;R/W;Description',
        '1;Outdoor temperature [°C];int16;0,1;R;',
        '2;Flow temperature [°C];int16;0,1;R;',
        '3;Compressor frequency [Hz];uint16;1;R;',
        '101;Operating mode;uint16;1;R/W;0 = Off, 1 = Heating, 2 = Cooling',
        '102;Setpoint [°C];int16;0,1;R/W;Range 20 to 60',
        '201;Defrost;uint16;1;R;0 = no, 1 = yes',
      ].join('\n'),
    },
    corrections: {},
    points: [
      'YC Outdoor_temperature 0 f3 int16 AB ×0.1 °C',
      'YC Flow_temperature 1 f3 int16 AB ×0.1 °C',
      'YC Compressor_frequency 2 f3 uint16 AB Hz',
      'YC Operating_mode 100 f3 uint16 AB {0=Off;1=Heating;2=Cooling}',
      'YC Setpoint 101 f3 int16 AB ×0.1 °C',
      'YC Defrost 200 f3 uint16 AB {0=no;1=yes}',
    ],
  },
  {
    name: 'two tables on a sheet, one below the other, each with its title',
    file: 'genset.xlsx',
    content: {
      sheets: [
        {
          name: 'Modbus',
          rows: [
            ['Genset controller'],
            [],
            ['Input Registers'],
            ['Addr', 'Name', 'Type', 'Unit', 'Scale'],
            [0, 'Engine speed', 'uint16', 'rpm', 1],
            [1, 'Oil pressure', 'uint16', 'bar', 0.1],
            [],
            ['Holding Registers'],
            ['Addr', 'Name', 'Type', 'Unit', 'Min', 'Max', 'Scale'],
            [0, 'Start delay', 'uint16', 's', 0, 600, 1],
            [1, 'Cooling time', 'uint16', 's', 0, 3600, 1],
          ],
        },
      ],
    },
    corrections: {},
    points: [
      'YC Engine_speed 0 f4 uint16 AB rpm',
      'YC Oil_pressure 1 f4 uint16 AB ×0.1 bar',
      'YC Start_delay 0 f3 uint16 AB s <0..600>',
      'YC Cooling_time 1 f3 uint16 AB s <0..3600>',
    ],
  },
  {
    name: 'two tables side by side',
    file: 'charger.xlsx',
    content: {
      sheets: [
        {
          name: 'Map',
          rows: [
            ['Register', 'Name', 'Type', null, 'Register', 'Name', 'Type'],
            ['0x0000', 'Voltage A', 'uint16', null, '0x0100', 'Voltage B', 'uint16'],
            ['0x0001', 'Current A', 'uint16', null, '0x0101', 'Current B', 'uint16'],
          ],
        },
      ],
    },
    corrections: {},
    points: [
      'YC Voltage_A 0 f3 uint16 AB',
      'YC Current_A 1 f3 uint16 AB',
      'YC Voltage_B 256 f3 uint16 AB',
      'YC Current_B 257 f3 uint16 AB',
    ],
  },
  {
    name: 'types nobody knows, lengths that contradict, formulas',
    file: 'chiller.xlsx',
    content: {
      sheets: [
        {
          name: 'Points',
          rows: [
            ['Register', 'Point', 'Type', 'Words', 'Unit', 'Multiplier'],
            ['0x0000', 'Leaving water', 'T10', 1, '°C', 0.1],
            ['0x0001', 'Entering water', 'T10', 1, '°C', 0.1],
            ['0x0002', 'Run hours', 'uint32 MSW first', 2, 'h', 1],
            ['0x0004', 'Starts', 'uint16', 2, null, 1],
          ],
          formulas: { A3: 'A2+1' },
        },
      ],
    },
    corrections: { answers: { 'type:t10': 'int16', length: 'type' } },
    points: [
      'YC Leaving_water 0 f3 int16 AB ×0.1 °C',
      'YC Entering_water 1 f3 int16 AB ×0.1 °C',
      'YC Run_hours 2 f3 uint32 ABCD h',
      'YC Starts 4 f3 uint16 AB',
    ],
  },
  {
    name: 'text out of a document with a table between bars',
    file: 'readme.md.txt',
    content: {
      text: [
        '| Register | Name | Type | Unit | Scale |',
        '|----------|------|------|------|-------|',
        '| HR0 | Battery voltage | u16 | V | 0.01 |',
        '| HR1 | Battery current | s16 | A | 0.01 |',
        '| IR0 | Cell temperature | s16 | °C | 0.1 |',
      ].join('\n'),
    },
    corrections: {},
    points: [
      'YC Battery_voltage 0 f3 uint16 AB ×0.01 V',
      'YC Battery_current 1 f3 int16 AB ×0.01 A',
      'YC Cell_temperature 0 f4 int16 AB ×0.1 °C',
    ],
  },
  {
    name: 'no headers at all',
    file: 'export.csv',
    content: {
      text: ['40001,Tank level,uint16,m,0.01', '40002,Flow,uint16,m³/h,0.1', '40003,Pump current,uint16,A,0.1'].join('\n'),
    },
    corrections: { tables: [{ sheet: '', header_row: 0, columns: [{ index: 4, role: 'factor' }] }] },
    points: ['YC Tank_level 0 f3 uint16 AB ×0.01 m', 'YC Flow 1 f3 uint16 AB ×0.1 m³/h', 'YC Pump_current 2 f3 uint16 AB ×0.1 A'],
  },
  {
    name: 'a base that the list does not tell, and factors that multiply or divide',
    file: 'drive.csv',
    content: {
      text: [
        'Address,Parameter,Type,Scale,Unit',
        '517,Output frequency,uint16,100,Hz',
        '519,Output current,uint16,10,A',
        '524,DC voltage,uint16,10,V',
        '538,Speed,uint16,1,rpm',
      ].join('\n'),
    },
    corrections: { answers: { base: 'plain1', factor_way: 'by' } },
    points: [
      'YC Output_frequency 516 f3 uint16 AB ×0.01 Hz',
      'YC Output_current 518 f3 uint16 AB ×0.1 A',
      'YC DC_voltage 523 f3 uint16 AB ×0.1 V',
      'YC Speed 537 f3 uint16 AB rpm',
    ],
  },
  {
    name: 'merged cells down, notes with the order of octets, addresses as %MW',
    file: 'schneider.xlsx',
    content: {
      sheets: [
        {
          name: 'Variables',
          rows: [
            ['System', 'Variable', 'Address', 'Type', 'Comment'],
            ['Cooling', 'Pump speed', '%MW100', 'INT', null],
            [null, 'Pump power', '%MW101', 'REAL', null],
            ['Heating', 'Valve', '%MW110', 'INT', null],
            [null, 'Enable', '%M5', 'BOOL', null],
            [null, null, null, null, null],
            ['REAL values: low word first'],
          ],
          merges: [merge(1, 0, 2, 0), merge(3, 0, 4, 0)],
        },
      ],
    },
    corrections: {},
    points: ['YC Pump_speed 100 f3 int16 AB', 'YC Pump_power 101 f3 float32 CDAB', 'YC Valve 110 f3 int16 AB', 'YX Enable 5 f1'],
    leftOut: { row_prose: 1 },
  },
  {
    name: 'a wide map with separate columns for all: gain, offset, decimals, min, max, words',
    file: 'hvac.xlsx',
    content: {
      sheets: [
        {
          name: 'HVAC',
          rows: [
            [
              'Group',
              'ID',
              'Name',
              'Start Address (0-based)',
              'Number of Registers',
              'Function Code',
              'Data Type',
              'Byte Order',
              'Decimal Places',
              'Unit of Measure',
              'Min',
              'Max',
              'Default',
              'Access',
            ],
            ['AHU', 'T1', 'Supply temperature', 100, 1, 4, 'INT16', 'Big endian', 1, '°C', -40, 80, null, 'R'],
            ['AHU', 'E1', 'Energy', 102, 2, 4, 'UINT32', 'Big endian', 0, 'kWh', null, null, null, 'R'],
            ['AHU', 'SP', 'Setpoint', 200, 1, '3/6', 'INT16', 'Big endian', 1, '°C', 15, 30, 21, 'R/W'],
          ],
        },
      ],
    },
    corrections: {},
    points: ['YC T1 100 f4 int16 AB ×0.1 °C <-40..80>', 'YC E1 102 f4 uint32 ABCD kWh', 'YC SP 200 f3 int16 AB ×0.1 °C <15..30>'],
  },
  {
    name: 'semicolons, a title that names the function, SMA-like numbers',
    file: 'solar.csv',
    content: {
      text: [
        'Modbus profile;;;;;',
        'All registers are read with function code 04;;;;;',
        'Modbus address;Description;Type;Format;Unit;Access',
        '30775;AC active power;S32;FIX0;W;RO',
        '30783;Grid voltage phase L1;U32;FIX2;V;RO',
        '30803;Grid frequency;U32;FIX2;Hz;RO',
        '31393;Battery charging power;U32;FIX0;W;RO',
      ].join('\n'),
    },
    corrections: { answers: { base: 'plain0', order: 'ABCD' } },
    points: [
      'YC AC_active_power 30775 f4 int32 ABCD W',
      'YC Grid_voltage_phase_L1 30783 f4 uint32 ABCD ×0.01 V',
      'YC Grid_frequency 30803 f4 uint32 ABCD ×0.01 Hz',
      'YC Battery_charging_power 31393 f4 uint32 ABCD W',
    ],
  },
];
