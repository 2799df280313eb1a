/** Templates that come with the program. */
import batteryRack from '../../../resources/devices/battery-rack-tcp.json' with { type: 'json' };
import climateSensor from '../../../resources/devices/climate-sensor-rtu.json' with { type: 'json' };
import meter1997 from '../../../resources/devices/dlt645-meter-1997.json' with { type: 'json' };
import meter2007 from '../../../resources/devices/dlt645-meter-2007.json' with { type: 'json' };
import iec104Bay from '../../../resources/devices/iec104-bay.json' with { type: 'json' };
import iec104Transformer from '../../../resources/devices/iec104-transformer.json' with { type: 'json' };
import iec61850Bay from '../../../resources/devices/iec61850-bay.json' with { type: 'json' };
import ioModule from '../../../resources/devices/io-module-tcp.json' with { type: 'json' };
import modelBattery from '../../../resources/devices/model-battery-tcp.json' with { type: 'json' };
import modelBreaker from '../../../resources/devices/model-breaker-tcp.json' with { type: 'json' };
import modelMeter from '../../../resources/devices/model-meter-tcp.json' with { type: 'json' };
import modelTapChanger from '../../../resources/devices/model-tap-changer-tcp.json' with { type: 'json' };
import powerMeterRtu from '../../../resources/devices/power-meter-rtu.json' with { type: 'json' };
import powerMeterTcp from '../../../resources/devices/power-meter-tcp.json' with { type: 'json' };
import storageConverter from '../../../resources/devices/storage-converter-tcp.json' with { type: 'json' };
import sunspecBattery from '../../../resources/devices/sunspec-battery-tcp.json' with { type: 'json' };
import sunspecInverter from '../../../resources/devices/sunspec-inverter-tcp.json' with { type: 'json' };

/** Contents of the files by id, in the order in which they are listed. */
export const BUILT_IN: Readonly<Record<string, unknown>> = {
  'power-meter-tcp': powerMeterTcp,
  'power-meter-rtu': powerMeterRtu,
  'io-module-tcp': ioModule,
  'climate-sensor-rtu': climateSensor,
  'battery-rack-tcp': batteryRack,
  'storage-converter-tcp': storageConverter,
  'sunspec-inverter-tcp': sunspecInverter,
  'sunspec-battery-tcp': sunspecBattery,
  'dlt645-meter-2007': meter2007,
  'dlt645-meter-1997': meter1997,
  'iec104-bay': iec104Bay,
  'iec104-transformer': iec104Transformer,
  'iec61850-bay': iec61850Bay,
  'model-breaker-tcp': modelBreaker,
  'model-tap-changer-tcp': modelTapChanger,
  'model-battery-tcp': modelBattery,
  'model-meter-tcp': modelMeter,
};
