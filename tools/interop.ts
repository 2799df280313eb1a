/**
 * `npm run interop [-- NAME …]`: foreign peers against both roles of the running service. A peer that cannot be had is named and skipped; only
 * a failed check makes the exit code 1. Names: modbus, modbus-udp, modbus-rtu, modbus-late, modbus-sunspec, listen, dlt645, iec104, iec61850, iec61850-control,
 * iec61850-export, iec61850-reports, captures, publish, home-assistant, assistant, sparkplug, databases, outage, clients; without a name all run. A protocol
 * adds a suite of its own below tools/interop/.
 */
import { capturesSuite } from './interop/captures/suite.ts';
import { clientsSuite } from './interop/clients/suite.ts';
import { dlt645Suite } from './interop/dlt645/suite.ts';
import { iec104Suite } from './interop/iec104/suite.ts';
import { iec61850ControlSuite } from './interop/iec61850/control-suite.ts';
import { iec61850ExportSuite } from './interop/iec61850/export-suite.ts';
import { iec61850StandingReportsSuite } from './interop/iec61850/standing-reports-suite.ts';
import { iec61850Suite } from './interop/iec61850/suite.ts';
import { modbusLateSuite } from './interop/modbus/late-suite.ts';
import { listenSuite } from './interop/modbus/listen-suite.ts';
import { modbusRtuSuite } from './interop/modbus/rtu-suite.ts';
import { modbusSuite } from './interop/modbus/suite.ts';
import { sunspecSuite } from './interop/modbus/sunspec-suite.ts';
import { modbusUdpSuite } from './interop/modbus/udp-suite.ts';
import { assistantSuite } from './interop/publish/assistant.ts';
import { homeAssistantSuite } from './interop/publish/home-assistant.ts';
import { namesArrive } from './interop/publish/names.ts';
import { outage } from './interop/publish/outage.ts';
import { sparkplugSuite } from './interop/publish/sparkplug.ts';
import { publishSuite } from './interop/publish/suite.ts';
import { Report, type Suite } from './interop/report.ts';
import { Service } from './interop/service.ts';

const suites: Readonly<Record<string, Suite>> = {
  modbus: modbusSuite,
  'modbus-udp': modbusUdpSuite,
  'modbus-rtu': modbusRtuSuite,
  'modbus-late': modbusLateSuite,
  'modbus-sunspec': sunspecSuite,
  listen: listenSuite,
  dlt645: dlt645Suite,
  iec104: iec104Suite,
  iec61850: iec61850Suite,
  'iec61850-control': iec61850ControlSuite,
  'iec61850-export': iec61850ExportSuite,
  'iec61850-reports': iec61850StandingReportsSuite,
  captures: capturesSuite,
  publish: publishSuite,
  'home-assistant': homeAssistantSuite,
  assistant: assistantSuite,
  sparkplug: sparkplugSuite,
  databases: namesArrive,
  outage: (service, report) => outage(service, report, 30),
  clients: clientsSuite,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in suites));
if (unknown.length > 0) {
  console.error(`No suite named ${unknown.join(', ')}; there are: ${Object.keys(suites).join(', ')}.`);
  process.exit(1);
}
const report = new Report();
const service = await Service.start();
try {
  for (const [name, suite] of Object.entries(suites)) if (asked.length === 0 || asked.includes(name)) await suite(service, report);
} finally {
  await report.check('the service ends in order', async () => {
    const code = await service.stop();
    if (code !== 0) throw new Error(`exit code ${code}`);
  });
}
console.log(report.summary());
// The serial port of a foreign package goes on asking a pty that is gone, and would keep this process for ever.
process.exit(report.failed > 0 ? 1 : 0);
