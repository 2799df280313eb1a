import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ERROR_CODES } from '#shared/domain/errors.ts';
import { inRoot } from '../../lib/paths.ts';
import { findPython, type Program } from '../python.ts';
import { expectEqual, type Suite } from '../report.ts';
import { Service } from '../service.ts';

const VALIDATOR = { name: 'openapi-spec-validator', version: '0.9.0', script: 'tools/interop/clients/validate.py' };
const GENERATOR = { name: 'openapi-python-client', version: '0.29.1', script: 'tools/interop/clients/read_plant.py' };
const LIMIT_MS = 180_000;

/** Files, whose media types the generator does not know; it leaves out their answers, and no operation. */
const LEFT_OUT = ['GET /api/captures/file', 'GET /api/channel/model_export', 'GET /api/project/file'];

/** What `read_plant.py` says. */
interface Said {
  readonly modules: readonly string[];
  readonly isCompiled: boolean;
  readonly leftOut: readonly string[];
  readonly channels: readonly { readonly id: number; readonly name: string; readonly protocol_type: number }[];
  readonly protocols: readonly unknown[];
  readonly table: { readonly total: number } | null;
  readonly codes: readonly string[];
  readonly wrong: { readonly type: string; readonly error: string | null };
}

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
}

/** What foreign tools make of the description of the interface: a validator, and a client that reads the demo plant. */
export const clientsSuite: Suite = async (_service, report) => {
  const folder = mkdtempSync(join(tmpdir(), 'loopcheck-clients-'));
  const file = inRoot('docs/openapi.json');
  try {
    const validator = findPython(VALIDATOR);
    if ('reason' in validator) report.skip(VALIDATOR.name, validator.reason);
    else {
      await report.check('openapi-spec-validator finds no fault in docs/openapi.json', async () => {
        expectEqual('the list of faults', await run<{ faults: string[] }>(validator, [file]), { faults: [] });
      });
    }
    const generator = findPython(GENERATOR);
    if ('reason' in generator) return report.skip(GENERATOR.name, generator.reason);
    const demo = await Service.start(['--demo']);
    try {
      let said: Said | null = null;
      const client = (): Said => {
        if (said === null) throw new Error('there is no client');
        return said;
      };
      await report.check('openapi-python-client makes a client that compiles', async () => {
        said = await run<Said>(generator, [file, demo.url, folder]);
        expectEqual('compiled', said.isCompiled, true);
        expectEqual('what was left out', [...said.leftOut].sort(), LEFT_OUT);
      });
      await report.check('the generated client has a method for every operation', async () => {
        const { paths } = (await demo.document('/api/openapi.json')) as Described;
        const ids = Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
        const spelled = (name: string) => name.toLowerCase().replaceAll('_', '');
        expectEqual('methods', client().modules.map(spelled).sort(), ids.map(spelled).sort());
      });
      await report.check('the generated client reads channels and a table of the demo plant', async () => {
        const channels = await demo.ask<Said['channels']>('GET', '/api/channel/list');
        if (channels.length < 5) throw new Error(`the demo plant has ${channels.length} channels`);
        const named = ({ id, name, protocol_type }: Said['channels'][number]) => ({ id, name, protocol_type });
        expectEqual('channels', client().channels.map(named), channels.map(named));
        expectEqual('protocols', client().protocols.length, (await demo.ask<unknown[]>('GET', '/api/channel/protocols')).length);
        const { total } = await demo.ask<{ total: number }>('GET', `/api/device/table?channel_id=${channels[0]?.id}&page=1&page_size=50`);
        expectEqual('points of the first channel', client().table?.total, total);
      });
      await report.check('the generated client knows every code of failure, and tells one', async () => {
        expectEqual('codes', [...client().codes].sort(), Object.keys(ERROR_CODES).sort());
        expectEqual('what a wrong port answers', client().wrong, { type: 'Error', error: 'CONFIG_INVALID' });
      });
    } finally {
      await demo.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Runs a program of ours to its end; answers its last line as JSON. The caller names the shape. */
async function run<Answer>(found: Extract<Program, { program: string }>, args: readonly string[]): Promise<Answer> {
  const { stdout } = await promisify(execFile)(found.program, [...found.args, ...args], { timeout: LIMIT_MS, maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Answer;
}
