/** Ten minutes without broker and databases under 1,000 values a second; then each record has to be there once. */
import { outage } from '../interop/publish/outage.ts';
import { Report } from '../interop/report.ts';
import { Service } from '../interop/service.ts';

const SECONDS = Number(process.env.LOOPCHECK_OUTAGE_SECONDS ?? 600);

const report = new Report();
const service = await Service.start();
try {
  await outage(service, report, SECONDS);
} finally {
  await service.stop();
}
console.log(report.summary());
process.exit(report.failed > 0 ? 1 : 0);
