import type { FrameType } from '#shared/domain/enums.ts';
import type { PointConfig, PointReading } from '../src-main/drivers/spi/index.ts';

const QUANTITIES = ['A相电压', 'B相电压', 'C相电压', 'A相电流', '有功功率', '无功功率', '功率因数', '频率', '电池簇温度', '单体电压'];
const UNITS = ['V', 'V', 'V', 'A', 'kW', 'kvar', '', 'Hz', '℃', 'mV'];

/** One point of a plant as its table would have it: half telemetry, the rest signals, controls and setpoints. */
export function plantPoint(index: number): PointConfig {
  const device = Math.floor(index / 200) + 1;
  const ordinal = index % 200;
  const frameType = ([0, 0, 0, 0, 0, 1, 1, 1, 2, 3] as const)[ordinal % 10] ?? (0 as FrameType);
  const letters = ['YC', 'YX', 'YK', 'YT'][frameType];
  const quantity = ordinal % QUANTITIES.length;
  const isAnalog = frameType === 0 || frameType === 3;
  return {
    id: index + 1,
    channel_id: 1,
    frame_type: frameType,
    code: `PCS${String(device).padStart(3, '0')}_${letters}_${String(ordinal).padStart(4, '0')}`,
    name: `${device}#储能变流器 ${QUANTITIES[quantity]} ${ordinal}`,
    address: 40_001 + ordinal * 2,
    slave_id: (device % 247) + 1,
    func_code: [3, 1, 5, 16][frameType] ?? 3,
    decode: isAnalog ? '0x42' : '0x20',
    mul_coe: isAnalog ? ([1, 0.1, 0.01][index % 3] ?? 1) : 1,
    add_coe: 0,
    unit: isAnalog ? (UNITS[quantity] ?? '') : '',
    min_limit: isAnalog ? -100 * (quantity + 1) : null,
    max_limit: isAnalog ? 1000 * (quantity + 1) : null,
    bit: isAnalog ? null : ordinal % 16,
    reverse: false,
    reference: '',
    category: ['PCS', 'BMS', 'meter'][device % 3] ?? '',
    item: `${QUANTITIES[quantity]}`,
    related_code: frameType === 2 ? `PCS${String(device).padStart(3, '0')}_YX_${String(ordinal - 1).padStart(4, '0')}` : '',
    command_type: '',
    note: '',
    protocol: {},
  };
}

/** A reading of a point; `round` varies the value. */
export function plantReading(pointId: number, round: number): PointReading {
  const value = Math.round(1000 * Math.abs(Math.sin(pointId * 12.9898 + round)) * 500) / 1000;
  const raw = new Uint8Array(4);
  new DataView(raw.buffer).setFloat32(0, value);
  return { kind: 'value', pointId, value, valueText: '', raw, quality: 'good', flags: [], sourceTime: null };
}

/** The same as somebody enters it, with its code behind `prefix`. */
export function plantDraft(index: number, prefix = '') {
  const { frame_type, code, name, address, slave_id, decode, mul_coe, unit, category, item } = plantPoint(index);
  return { frame_type, code: `${prefix}${code}`, name, address, slave_id, decode, mul_coe, unit, category, item };
}
