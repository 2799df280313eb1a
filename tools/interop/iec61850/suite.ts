import { findPython } from '../python.ts';
import type { Report, Suite } from '../report.ts';
import { checkClient, type ForeignServer } from './client-checks.ts';
import { checkCommands } from './command-checks.ts';
import { checkControls } from './control-checks.ts';
import { JsonPeer } from './json-peer.ts';
import { checkReports } from './report-checks.ts';
import { checkServedLogs } from './served-log-checks.ts';
import { checkServedReports } from './served-report-checks.ts';
import { checkServer, type ForeignClient } from './server-checks.ts';
import { checkTlsClient, checkTlsServer } from './tls-checks.ts';

/** Carries libiec61850 1.6.1. */
const LIBIEC61850 = { name: 'pyiec61850-ng', version: '1.6.1.10' };
/** A stack in Rust, independent of the other. */
const RUST = { name: 'iec61850', version: '0.14.0' };

/** IEC 61850 (MMS), both roles, against libiec61850 and a stack in Rust. */
export const iec61850Suite: Suite = async (service, report) => {
  const lib = findStack(report, LIBIEC61850, 'lib');
  const rust = findStack(report, RUST, 'rs');
  if (lib) {
    const name = `${LIBIEC61850.name} ${LIBIEC61850.version}`;
    await checkControls(service, report, { name, checksSelection: true, start: lib.controls });
    await checkCommands(service, report, name, lib.commands);
    await checkReports(service, report, name, lib.reports);
    await checkServedReports(service, report, name, lib.subscriber);
    await checkServedLogs(service, report, name, lib.logs);
  }
  for (const foreign of [...serversOfLib(lib), ...serversOfRust(rust)]) await checkClient(service, report, foreign);
  for (const foreign of clientsOf(lib, rust)) await checkServer(service, report, foreign);
  if (!rust) return;
  const name = `${RUST.name} ${RUST.version}`;
  await checkTlsClient(service, report, name, rust.server);
  await checkTlsServer(service, report, name, rust.client);
};

/** How the programs of a package are started. */
interface Stack {
  server(): Promise<JsonPeer>;
  client(): Promise<JsonPeer>;
  /** A server with control objects; libiec61850 alone has one. */
  controls(): Promise<JsonPeer>;
  /** A server with report control blocks; libiec61850 alone has one. */
  reports(): Promise<JsonPeer>;
  /** A client that commands; libiec61850 alone has one. */
  commands(): Promise<JsonPeer>;
  /** A client that takes reports; libiec61850 alone has one. */
  subscriber(): Promise<JsonPeer>;
  /** A client that queries logs; libiec61850 alone has one. */
  logs(): Promise<JsonPeer>;
}

function findStack(report: Report, { name, version }: typeof LIBIEC61850, prefix: string): Stack | null {
  const roles = ['server', 'client', 'controls', 'reports', 'commands', 'subscriber', 'logs'];
  const programs = roles.map((role) => findPython({ name, version, script: `tools/interop/iec61850/${prefix}_${role}.py` }));
  const starts = programs.flatMap((found) => ('reason' in found ? [] : [() => JsonPeer.start(found.program, ['-B', ...found.args])]));
  const [server, client, controls, reports, commands, subscriber, logs] = starts;
  if (server && client && controls && reports && commands && subscriber && logs) {
    return { server, client, controls, reports, commands, subscriber, logs };
  }
  const [first] = programs;
  report.skip(`${name} ${version}`, first && 'reason' in first ? first.reason : 'it cannot be had');
  return null;
}

function serversOfLib(stack: Stack | null): ForeignServer[] {
  if (!stack) return [];
  const { name, version } = LIBIEC61850;
  const can = { hasMarks: true, hasFiles: true, hasArrays: true, takesStructures: true };
  return [{ name: `${name} ${version}`, identity: ['libiec61850', 'plant', '1.6.1'], form: 'built', ...can, start: stack.server }];
}

function serversOfRust(stack: Stack | null): ForeignServer[] {
  if (!stack) return [];
  const { name, version } = RUST;
  const can = { hasFiles: false, hasArrays: false, takesStructures: false };
  const common = { identity: ['iec61850', 'plant', version] as const, ...can, start: stack.server };
  return [
    { name: `${name} ${version} with values`, form: 'built', hasMarks: true, ...common },
    { name: `${name} ${version} with our file`, form: 'file', hasMarks: false, ...common },
  ];
}

function clientsOf(lib: Stack | null, rust: Stack | null): ForeignClient[] {
  const clients: ForeignClient[] = [];
  const libMaking = { made: null, twice: /object-exists/, unknown: /object-undefined/ };
  // the package takes only a constructed NULL for the answer, against the standard; the set is made nevertheless
  const rustMaking = { made: /expected=0xAB, actual=0x8B/, twice: /class=Definition\(5\)/, unknown: /class=Definition\(1\)/ };
  if (lib) clients.push({ name: `${LIBIEC61850.name} ${LIBIEC61850.version}`, isFull: true, making: libMaking, start: lib.client });
  if (rust) clients.push({ name: `${RUST.name} ${RUST.version}`, isFull: false, making: rustMaking, start: rust.client });
  return clients;
}
