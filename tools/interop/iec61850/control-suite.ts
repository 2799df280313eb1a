import { findPython } from '../python.ts';
import type { Suite } from '../report.ts';
import { checkCommands } from './command-checks.ts';
import { checkControls } from './control-checks.ts';
import { JsonPeer } from './json-peer.ts';

/** A stack in Python alone that has controls in both roles. */
const OPEN61850 = { name: 'open61850', version: '0.9.12' };

/** Controls of IEC 61850, both roles, against a second stack that has them: open61850 shares no line with libiec61850. */
export const iec61850ControlSuite: Suite = async (service, report) => {
  const name = `${OPEN61850.name} ${OPEN61850.version}`;
  const [controls, commands] = ['controls', 'commands'].map((role) =>
    findPython({ ...OPEN61850, script: `tools/interop/iec61850/open_${role}.py` }),
  );
  if (!controls || !commands || 'reason' in controls || 'reason' in commands) {
    report.skip(name, controls && 'reason' in controls ? controls.reason : 'it cannot be had');
    return;
  }
  const start = ({ program, args }: typeof controls) => JsonPeer.start(program, ['-B', ...args]);
  await checkControls(service, report, { name, checksSelection: false, start: () => start(controls) });
  await checkCommands(service, report, name, () => start(commands));
};
