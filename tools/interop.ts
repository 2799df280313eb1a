/**
 * `npm run interop`: foreign peers against both roles of the running service. A peer that cannot be had is named and skipped; only a failed
 * check makes the exit code 1. A protocol adds a suite of its own below tools/interop/.
 */
import { dlt645Suite } from './interop/dlt645/suite.ts';
import { modbusRtuSuite } from './interop/modbus/rtu-suite.ts';
import { modbusSuite } from './interop/modbus/suite.ts';
import { Report } from './interop/report.ts';
import { Service } from './interop/service.ts';

const report = new Report();
const service = await Service.start();
try {
  for (const suite of [modbusSuite, modbusRtuSuite, dlt645Suite]) await suite(service, report);
} finally {
  await report.check('the service ends in order', async () => {
    const code = await service.stop();
    if (code !== 0) throw new Error(`exit code ${code}`);
  });
}
console.log(report.summary());
process.exitCode = report.failed > 0 ? 1 : 0;
