import type { NewPoint } from '#shared/contract/points.ts';
import { FrameType } from '#shared/domain/enums.ts';
import { fullPoint, type PlantPoint } from './plant-points.ts';

/** Feeders of the client's table; one more was built later and is in the station only. */
export const FEEDERS = 18;
/** Feeders whose power can be ordered. */
const ORDERED_FEEDERS = 8;

/** Where the kinds of points begin, as the field has them: YX from 1, YC from 0x4001, YK from 0x6001, YT from 0x6201, totals from 0x6401. */
const FIRST = { yx: 1, yc: 0x4001, yk: 0x6001, yt: 0x6201, totals: 0x6401 } as const;

const TYPE = { double: 3, step: 5, scaled: 11, total: 15, doubleCommand: 46, stepCommand: 47 } as const;

type Settings = Omit<NewPoint, 'frame_type' | 'code' | 'address'>;
type Row = readonly [code: string, name: string, note: string, settings?: Partial<Settings>];

/** Signals of a feeder. The breaker is moved by commands, all others by the model. */
const FEEDER_YX: readonly Row[] = [
  ['QF', 'breaker', '断路器位置'],
  ['QS1', 'busbar disconnector', '母线侧隔离开关'],
  ['QS2', 'line disconnector', '线路侧隔离开关'],
  ['ES', 'earthing switch', '接地开关'],
  ['REMOTE', 'remote control', '远方控制'],
  ['SPRING', 'spring charged', '弹簧已储能'],
  ['TRIP1', 'overcurrent I trip', '过流I段动作'],
  ['TRIP2', 'overcurrent II trip', '过流II段动作'],
  ['TRIP0', 'earth fault trip', '零序过流动作'],
  ['RECLOSE', 'reclosing', '重合闸动作'],
  ['OVERLOAD', 'overload', '过负荷告警'],
  ['CIRCUIT', 'control circuit broken', '控制回路断线'],
  ['SF6', 'gas pressure low', 'SF6气压低'],
  ['COMM', 'device silent', '装置通信中断'],
  ['ALARM', 'device alarm', '装置告警'],
];

const kilovolt: Partial<Settings> = { unit: 'kV', protocol: { dead_band: 0.3 } };
const ampere: Partial<Settings> = { unit: 'A', protocol: { dead_band: 60 } };

/** Measurements of a feeder. */
const FEEDER_YC: readonly Row[] = [
  ['UA', 'voltage A', 'A相电压', kilovolt],
  ['UB', 'voltage B', 'B相电压', kilovolt],
  ['UC', 'voltage C', 'C相电压', kilovolt],
  ['IA', 'current A', 'A相电流', ampere],
  ['IB', 'current B', 'B相电流', ampere],
  ['IC', 'current C', 'C相电流', ampere],
  ['I0', 'residual current', '零序电流', { unit: 'A', protocol: { dead_band: 5 } }],
  ['P', 'active power', '有功功率', { unit: 'MW', protocol: { dead_band: 1 } }],
  ['Q', 'reactive power', '无功功率', { unit: 'Mvar', protocol: { dead_band: 1 } }],
  ['PF', 'power factor', '功率因数', { protocol: { dead_band: 0.2 } }],
];

const TRANSFORMER_YX: readonly Row[] = [
  ['GAS1', 'light gas', '轻瓦斯'],
  ['GAS2', 'heavy gas', '重瓦斯'],
  ['OIL_HOT', 'oil hot', '油温高'],
  ['OIL_LOW', 'oil level low', '油位低'],
  ['COOLER_FAULT', 'cooler fault', '冷却器故障'],
  ['COOLER', 'cooler on', '冷却器运行'],
  ['OLTC', 'tap changer remote', '有载调压远方'],
  ['DIFF', 'differential trip', '差动保护动作'],
];

const TRANSFORMER_YC: readonly Row[] = [
  ['P', 'active power', '有功功率', { unit: 'MW', protocol: { dead_band: 5 } }],
  ['Q', 'reactive power', '无功功率', { unit: 'Mvar', protocol: { dead_band: 5 } }],
  ['OIL', 'oil temperature', '油温', { unit: '°C', mul_coe: 0.1, max_limit: 85, protocol: { type_id: TYPE.scaled, dead_band: 2 } }],
  [
    'WINDING',
    'winding temperature',
    '绕组温度',
    { unit: '°C', mul_coe: 0.1, max_limit: 95, protocol: { type_id: TYPE.scaled, dead_band: 2 } },
  ],
  ['TAP', 'tap position', '分接头位置', { protocol: { type_id: TYPE.step } }],
];

const BUS_YX: readonly Row[] = [
  ['VT', 'voltage transformer broken', 'PT断线'],
  ['OVER', 'overvoltage', '过电压'],
  ['EARTH', 'earth fault', '接地'],
];

const busVoltage: Partial<Settings> = { ...kilovolt, min_limit: 10, max_limit: 10.7 };

const BUS_YC: readonly Row[] = [
  ['UAB', 'voltage AB', 'AB线电压', busVoltage],
  ['UBC', 'voltage BC', 'BC线电压', busVoltage],
  ['UCA', 'voltage CA', 'CA线电压', busVoltage],
  ['U0', 'residual voltage', '零序电压', { unit: 'V', protocol: { dead_band: 20 } }],
  ['F', 'frequency', '频率', { unit: 'Hz', min_limit: 49.95, max_limit: 50.05, protocol: { dead_band: 0.1 } }],
];

const STATION_YX: readonly Row[] = [
  ['DC_EARTH', 'Direct current earth fault', '直流接地'],
  ['DC_LOW', 'Direct current voltage low', '直流欠压'],
  ['CHARGER', 'Charger fault', '充电机故障'],
  ['UPS', 'UPS fault', '逆变电源故障'],
  ['FIRE', 'Fire alarm', '火灾告警'],
  ['DOOR', 'Door open', '大门打开'],
  ['CLOCK', 'Clock reference lost', '对时异常'],
  ['AC_LOST', 'Auxiliary supply lost', '站用电失电'],
];

/** Numbers points of one kind one behind the other. */
class Numbered {
  #next: number;

  constructor(first: number) {
    this.#next = first;
  }

  make(frameType: FrameType, prefix: string, item: string, [code, name, note, settings = {}]: Row): NewPoint {
    const address = this.#next;
    this.#next += 1;
    const title = item === 'Station' ? name : `${item} ${name}`;
    return fullPoint({
      frame_type: frameType,
      code: `${prefix}${code}`,
      name: title,
      note,
      item,
      category: frameType === FrameType.yx ? 'signal' : 'measurement',
      address,
      slave_id: 1,
      ...settings,
    });
  }
}

const feederCode = (feeder: number) => `F${String(feeder).padStart(2, '0')}_`;
const fed = (point: NewPoint): PlantPoint => ({ point, isServed: true, isFed: true, initial: null });
/** A point whose value is set once, and then by commands. */
const ordered = (point: NewPoint, initial: number): PlantPoint => ({ point, isServed: true, isFed: false, initial });

function signals(): PlantPoint[] {
  const numbers = new Numbered(FIRST.yx);
  const yx = (prefix: string, item: string, rows: readonly Row[]) => rows.map((row) => numbers.make(FrameType.yx, prefix, item, row));
  const feeder = (number: number) =>
    yx(feederCode(number), `Feeder ${number}`, FEEDER_YX).map((point) => {
      if (!point.code.endsWith('_QF')) return fed(point);
      return ordered(number % 2 === 1 ? { ...point, protocol: { type_id: TYPE.double } } : point, 1);
    });
  const feeders = Array.from({ length: FEEDERS }, (_, index) => feeder(index + 1)).flat();
  const transformers = [1, 2].flatMap((number) => yx(`TR${number}_`, `Transformer ${number}`, TRANSFORMER_YX));
  const buses = [1, 2].flatMap((number) => yx(`BUS${number}_`, `Bus ${number}`, BUS_YX));
  const station = yx('ST_', 'Station', STATION_YX);
  return [...feeders, ...[...transformers, ...buses, ...station].map(fed), ...feeder(FEEDERS + 1)];
}

function measurements(): PlantPoint[] {
  const numbers = new Numbered(FIRST.yc);
  const yc = (prefix: string, item: string, rows: readonly Row[]) => rows.map((row) => numbers.make(FrameType.yc, prefix, item, row));
  const feeder = (number: number) => yc(feederCode(number), `Feeder ${number}`, FEEDER_YC).map(fed);
  const feeders = Array.from({ length: FEEDERS }, (_, index) => feeder(index + 1)).flat();
  const buses = [1, 2].flatMap((number) => yc(`BUS${number}_`, `Bus ${number}`, BUS_YC)).map(fed);
  const transformers = [1, 2].flatMap((number) => yc(`TR${number}_`, `Transformer ${number}`, TRANSFORMER_YC));
  return [
    ...feeders,
    ...buses,
    ...transformers.map((point) => (point.code.endsWith('_TAP') ? ordered(point, 9) : fed(point))),
    ...feeder(FEEDERS + 1),
  ];
}

function totals(): PlantPoint[] {
  const numbers = new Numbered(FIRST.totals);
  const settings = { unit: 'kWh', category: 'total', protocol: { type_id: TYPE.total } };
  return Array.from({ length: FEEDERS }, (_, index) => [
    numbers.make(FrameType.yc, feederCode(index + 1), `Feeder ${index + 1}`, ['EP_OUT', 'energy delivered', '正向有功电度', settings]),
    numbers.make(FrameType.yc, feederCode(index + 1), `Feeder ${index + 1}`, ['EP_IN', 'energy fed in', '反向有功电度', settings]),
  ])
    .flat()
    .map(fed);
}

/** Commands: the breakers, every second one as a double command that is selected first, and the tap changers. */
function controls(): PlantPoint[] {
  const numbers = new Numbered(FIRST.yk);
  const breakers = Array.from({ length: FEEDERS }, (_, index) => {
    const number = index + 1;
    const protocol = number % 2 === 1 ? { type_id: TYPE.doubleCommand, select_before_operate: true } : {};
    const related_code = `${feederCode(number)}QF`;
    const settings = { category: 'control', related_code, protocol };
    return ordered(
      numbers.make(FrameType.yk, feederCode(number), `Feeder ${number}`, ['BREAKER', 'breaker control', '断路器遥控', settings]),
      1,
    );
  });
  const taps = [1, 2].map((number) => {
    const settings = { category: 'control', related_code: `TR${number}_TAP`, protocol: { type_id: TYPE.stepCommand } };
    const point = numbers.make(FrameType.yk, `TR${number}_`, `Transformer ${number}`, [
      'TAP_MOVE',
      'tap up or down',
      '分接头升降',
      settings,
    ]);
    return { point, isServed: true, isFed: false, initial: null };
  });
  return [...breakers, ...taps];
}

/** Set points: the power of some feeders, and the voltage of both busbars. */
function setpoints(): PlantPoint[] {
  const numbers = new Numbered(FIRST.yt);
  const powers = Array.from({ length: ORDERED_FEEDERS }, (_, index) => {
    const number = index + 1;
    const settings = { category: 'setpoint', unit: 'MW', min_limit: 0, max_limit: 6, related_code: `${feederCode(number)}P` };
    return ordered(
      numbers.make(FrameType.yt, feederCode(number), `Feeder ${number}`, ['P_SET', 'power setpoint', '有功设定', settings]),
      2 + 0.25 * index,
    );
  });
  const voltages = [1, 2].map((number) => {
    const settings = { category: 'setpoint', unit: 'kV', min_limit: 10, max_limit: 10.7, related_code: `BUS${number}_UAB` };
    return ordered(numbers.make(FrameType.yt, `BUS${number}_`, `Bus ${number}`, ['U_SET', 'voltage setpoint', '电压设定', settings]), 10.4);
  });
  return [...powers, ...voltages];
}

/** All points of the demo substation. */
export function substationPoints(): readonly PlantPoint[] {
  return [...signals(), ...measurements(), ...totals(), ...controls(), ...setpoints()];
}

/** True for what was built after the client's table was made: the station sends it, and the client finds it unknown. */
export function isBuiltLater({ point }: PlantPoint): boolean {
  return point.code.startsWith(feederCode(FEEDERS + 1));
}

/** A point as the client's table has it: without the settings of the side that serves. */
export function clientPoint(point: NewPoint): NewPoint {
  const { dead_band: _served, ...protocol } = point.protocol;
  return { ...point, protocol };
}
