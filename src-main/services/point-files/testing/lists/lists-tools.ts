/** Lists as other tools write them. */
import type { ListCase } from './list-case.ts';

const KEPWARE_HEAD =
  'Tag Name,Address,Data Type,Respect Data Type,Client Access,Scan Rate,Scaling,Raw Low,Raw High,Scaled Low,Scaled High,Scaled Data Type,Clamp Low,Clamp High,Eng Units,Description,Negate Value';

export const TOOL_LISTS: readonly ListCase[] = [
  {
    name: 'Kepware, exported tags',
    file: 'tags.csv',
    content: {
      text: [
        KEPWARE_HEAD,
        '"Boiler.Pressure","400001",Short,1,RO,100,Linear,0,1000,0,10,Double,0,0,"bar","Steam pressure",0',
        '"Boiler.Level","400002",Word,1,R/W,100,,,,,,,,,"%","Drum level",',
        '"Boiler.Energy","400010",DWord,1,RO,100,,,,,,,,,"kWh","",',
        '"Boiler.Run","000005",Boolean,1,R/W,100,,,,,,,,,"","",',
        '"Boiler.Trip","400020.3",Boolean,1,RO,100,,,,,,,,,"","",',
        '"Boiler.Flow","300007",Float,1,RO,100,,,,,,,,,"m3/h","",',
        '"Boiler.Name","400100.20H",String,1,RO,100,,,,,,,,,"","",',
      ].join('\r\n'),
    },
    corrections: {},
    points: [
      'YC Boiler.Pressure 0 f3 int16 AB ×0.01 bar',
      'YC Boiler.Level 1 f3 uint16 AB %',
      'YC Boiler.Energy 9 f3 uint32 CDAB kWh',
      'YX Boiler.Run 4 f1',
      'YX Boiler.Trip 19 f3 uint16 AB [3]',
      'YC Boiler.Flow 6 f4 float32 CDAB m3/h',
    ],
    leftOut: { row_address: 1 },
  },
  {
    name: 'Ignition, exported tags in folders',
    file: 'tags.json',
    content: {
      text: JSON.stringify({
        name: '',
        tagType: 'Provider',
        tags: [
          {
            name: 'Inverter 1',
            tagType: 'Folder',
            tags: [
              {
                valueSource: 'opc',
                opcItemPath: 'ns=1;s=[INV1]1.HR40',
                dataType: 'Int2',
                name: 'State',
                tagType: 'AtomicTag',
                opcServer: 'Ignition OPC UA Server',
              },
              {
                valueSource: 'opc',
                opcItemPath: 'ns=1;s=[INV1]1.HRUS41',
                dataType: 'Int4',
                name: 'Voltage',
                tagType: 'AtomicTag',
                opcServer: 'Ignition OPC UA Server',
                engUnit: 'V',
                scaleMode: 'Linear',
                rawLow: 0,
                rawHigh: 100,
                scaledLow: 0,
                scaledHigh: 10,
              },
              {
                valueSource: 'opc',
                opcItemPath: 'ns=1;s=[INV1]1.HRF100',
                dataType: 'Float4',
                name: 'Power',
                tagType: 'AtomicTag',
                opcServer: 'Ignition OPC UA Server',
                engUnit: 'kW',
              },
              {
                valueSource: 'opc',
                opcItemPath: 'ns=1;s=[INV1]1.HR50.2',
                dataType: 'Boolean',
                name: 'Fault',
                tagType: 'AtomicTag',
                opcServer: 'Ignition OPC UA Server',
              },
              { valueSource: 'memory', dataType: 'Int4', name: 'Counter', tagType: 'AtomicTag', value: 3 },
            ],
          },
        ],
      }),
    },
    corrections: { answers: { order: 'CDAB' } },
    points: [
      'YC State 39 f3 int16 AB',
      'YC Voltage 40 f3 uint16 AB ×0.1 V',
      'YC Power 99 f3 float32 CDAB kW',
      'YX Fault 49 f3 uint16 AB [2]',
    ],
    leftOut: { row_no_address: 2 },
  },
  {
    name: 'Home Assistant, modbus sensors',
    file: 'modbus.yaml',
    content: {
      text: `
modbus:
  - name: solar
    type: tcp
    host: !secret inverter_ip
    port: 502
    sensors:
      - name: PV power
        unique_id: pv_power
        slave: 1
        address: 5016
        input_type: input
        data_type: uint32
        swap: word
        unit_of_measurement: W
        device_class: power
      - name: Battery level
        slave: 1
        address: 13022
        input_type: input
        scale: 0.1
        precision: 1
        unit_of_measurement: "%"
      - name: Serial
        slave: 1
        address: 4989
        count: 10
        data_type: string
    binary_sensors:
      - name: Grid
        address: 3
        input_type: discrete_input
`,
    },
    corrections: {},
    points: ['YC pv_power 5016 f4 uint32 CDAB W', 'YC Battery_level 13022 f4 int16 AB ×0.1 %', 'YX Grid 3 f2'],
    leftOut: { row_type: 1 },
  },
  {
    name: 'Home Assistant, in the form of earlier years',
    file: 'sensor.yaml',
    content: {
      text: `
sensor:
  - platform: modbus
    registers:
      - name: Voltage
        hub: meter
        slave: 1
        register: 0
        register_type: input
        data_type: float
        count: 2
        unit_of_measurement: V
        precision: 1
      - name: Mode
        hub: meter
        slave: 1
        register: 100
        register_type: holding
        data_type: uint
        count: 1
        scale: 1
`,
    },
    corrections: { answers: { order: 'ABCD' } },
    points: ['YC Voltage 0 f4 float32 ABCD V', 'YC Mode 100 f3 uint16 AB'],
  },
  {
    name: 'ESPHome, modbus_controller',
    file: 'esp.yaml',
    content: {
      text: `
sensor:
  - platform: modbus_controller
    modbus_controller_id: inv
    name: "Grid voltage"
    register_type: read
    address: 0
    value_type: U_WORD
    unit_of_measurement: "V"
    filters:
      - multiply: 0.1
  - platform: modbus_controller
    modbus_controller_id: inv
    name: "Power"
    register_type: holding
    address: 12
    value_type: S_DWORD_R
    unit_of_measurement: "W"
`,
    },
    corrections: { answers: { 'function:read': '4' } },
    points: ['YC Grid_voltage 0 f4 uint16 AB ×0.1 V', 'YC Power 12 f3 int32 CDAB W'],
  },
  {
    name: 'SunSpec, definition of a model',
    file: 'model_103.json',
    content: {
      text: JSON.stringify({
        id: 103,
        group: {
          name: 'inverter',
          type: 'group',
          label: 'Inverter',
          points: [
            { name: 'ID', type: 'uint16', value: 103, mandatory: 'M', label: 'Model ID', desc: 'identifier', static: 'S' },
            { name: 'L', type: 'uint16', label: 'Model Length', desc: 'length' },
            { name: 'A', type: 'uint16', sf: 'A_SF', units: 'A', label: 'Amps', desc: 'AC current' },
            { name: 'A_SF', type: 'sunssf', label: 'Amps scale factor' },
            { name: 'WH', type: 'acc32', size: 2, sf: 'WH_SF', units: 'Wh', label: 'Watt hours' },
            {
              name: 'St',
              type: 'enum16',
              label: 'Operating state',
              symbols: [
                { name: 'OFF', value: 1 },
                { name: 'MPPT', value: 4 },
              ],
            },
            { name: 'Pad', type: 'pad', label: 'Pad' },
            {
              name: 'Evt1',
              type: 'bitfield32',
              size: 2,
              label: 'Event 1',
              symbols: [
                { name: 'GROUND_FAULT', value: 0 },
                { name: 'DC_OVER_VOLT', value: 1 },
              ],
            },
          ],
        },
      }),
    },
    corrections: { add: 40_070 },
    points: [
      'YC ID 40070 f3 uint16 AB',
      'YC L 40071 f3 uint16 AB',
      'YC A 40072 f3 uint16 AB A',
      'YC A_SF 40073 f3 int16 AB',
      'YC WH 40074 f3 uint32 ABCD Wh',
      'YC St 40076 f3 uint16 AB {1=OFF;4=MPPT}',
      'YX Evt1_B0 40078 f3 uint32 ABCD [0]',
      'YX Evt1_B1 40078 f3 uint32 ABCD [1]',
    ],
    leftOut: { row_reserved: 1 },
  },
  {
    name: 'operands of a controller, by a profile that is chosen',
    file: 'dvp.csv',
    content: {
      text: ['Operand,Comment,Type', 'D100,Temperature,INT', 'D102,Pressure,INT', 'M10,Run,BOOL', 'X11,Limit switch,BOOL'].join('\n'),
    },
    corrections: { profile: 'delta-dvp' },
    points: ['YC Temperature 4196 f3 int16 AB', 'YC Pressure 4198 f3 int16 AB', 'YX Run 2058 f1', 'YX Limit_switch 1033 f2'],
  },
];
