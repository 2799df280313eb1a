/** Reports of the golden traffic. */
import { decodeMms } from '../../mms/codec.ts';
import type { InformationReport } from '../../mms/pdu.ts';
import { mmsOf, readCapture } from '../../testing/captures.ts';
import { isReport } from '../report.ts';

/** A report, and what the file says of it. */
export interface CapturedReport {
  readonly report: InformationReport;
  /** `… RptID="…" OptFlds=… SqNum=…`, of another decoder; may be cut off. */
  readonly text: string;
}

/** All reports of a scenario, in wire order. */
export function capturedReports(prefix: string): readonly CapturedReport[] {
  return mmsOf(readCapture(prefix)).flatMap(({ bytes, text }) => {
    const pdu = bytes[0] === 0xa3 ? decodeMms(bytes) : null;
    return pdu?.kind === 'information-report' && isReport(pdu.report) ? [{ report: pdu.report, text }] : [];
  });
}
