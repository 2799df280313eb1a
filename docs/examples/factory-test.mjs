/**
 * A factory test without anybody at the screen: all measurements of one channel against a reference channel, with the record as the result.
 *
 *   node factory-test.mjs http://127.0.0.1:8991 "Device under test" "Reference" record.html
 *
 * Needs Node 20 and a running Loopcheck (`npm run serve`, or the window) whose two channels are started. LOOPCHECK_TOKEN is sent where it is set.
 * Exit code 0: every item passed; 1: some did not, and each is named; 2: the test could not be made.
 */
import { writeFile } from 'node:fs/promises';

const [address, testedName, referenceName, recordPath] = process.argv.slice(2);
const { LOOPCHECK_TOKEN: token } = process.env;

/** Calls one operation; answers its data, or the octets of a download. */
async function call(method, path, body) {
  const answer = await fetch(`${address}/api/${path}`, {
    method,
    headers: { ...(body ? { 'content-type': 'application/json' } : {}), ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: body && JSON.stringify(body),
  });
  if (answer.ok && answer.headers.has('content-disposition')) return Buffer.from(await answer.arrayBuffer());
  const { code, message, data } = await answer.json();
  if (code !== 200) throw new Error(`${path}: ${message}`);
  return data;
}

async function test() {
  const channels = await call('GET', 'channel/list');
  const idOf = (name) => channels.find((channel) => channel.name === name)?.id ?? fail(`There is no channel "${name}".`);
  const [tested, reference] = [idOf(testedName), idOf(referenceName)];
  const { id: session_id } = await call('POST', 'check/add', { name: `Factory test of ${testedName}` });
  await call('POST', 'check/add_items', { session_id, channel_id: tested, frame_types: [0] });
  await call('POST', 'check/compare', { session_id, operator: 'factory test', reference_channel_id: reference, percent: 0.5 });
  while ((await call('GET', 'check/run')).run.state === 'running') await new Promise((done) => setTimeout(done, 200));
  await writeFile(recordPath, await call('GET', `check/record?session_id=${session_id}&format=html`));
  const open = await call('GET', `check/items?session_id=${session_id}&state=open&page_size=1000`);
  for (const { code, state, last } of open.items) {
    console.log(`${code}: ${state}${last ? ` (${last.findings.map(({ text }) => text).join('; ')})` : ''}`);
  }
  console.log(open.total === 0 ? 'All passed.' : `${open.total} did not pass.`);
  return open.total === 0 ? 0 : 1;
}

function fail(text) {
  throw new Error(text);
}

try {
  if (!recordPath) fail('Give address, device, reference and file.');
  process.exitCode = await test();
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}
