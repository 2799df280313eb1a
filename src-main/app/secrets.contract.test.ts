import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dlt645Driver } from '../drivers/dlt645/driver.ts';
import { modbusTcpDriver } from '../drivers/modbus/driver.ts';
import { createDriverRegistry } from './driver-registry.ts';
import { type RunningCore, startCore } from './testing/running-core.ts';

const PASSWORD = '918273';

let core: RunningCore;
beforeEach(async () => {
  core = await startCore({}, { drivers: createDriverRegistry([dlt645Driver, modbusTcpDriver]) });
});
afterEach(() => core.close());

const addLine = async (protocol_type: 1 | 4 = 4) =>
  (await core.api.call('addChannel', { name: `line ${protocol_type}`, protocol_type, conn_type: 2 })).data.id;
const put = (body: object) => core.send({ method: 'PUT', url: '/api/channel/secrets', body });

describe('secrets of a channel', () => {
  it('are set and removed, and answered by whether they are set', async () => {
    const channel_id = await addLine();
    const none = (await core.api.call('channelSecrets', { channel_id })).data.secrets;
    expect(Object.keys(none)).toEqual(expect.arrayContaining(['password_02', 'password_04', 'operator_code']));
    expect(Object.values(none)).not.toContain(true);
    const set = await put({ channel_id, secrets: { password_02: PASSWORD, operator_code: '12345678' } });
    expect(set.body).toMatchObject({ code: 200, data: { secrets: { password_02: true, password_04: false, operator_code: true } } });
    await put({ channel_id, secrets: { operator_code: null } });
    const { data } = await core.api.call('channelSecrets', { channel_id });
    expect(data.secrets).toMatchObject({ password_02: true, operator_code: false });
  });

  it('are refused without their form or under another name, and never repeated', async () => {
    const channel_id = await addLine();
    const other = await addLine(1);
    const refused = await Promise.all([
      put({ channel_id, secrets: { password_02: `${PASSWORD}4` } }),
      put({ channel_id, secrets: { operator_code: Number(PASSWORD) } }),
      put({ channel_id, secrets: { pasword_02: PASSWORD } }),
      put({ channel_id, secrets: PASSWORD }),
      put({ channel_id: other, secrets: { password_02: PASSWORD } }),
    ]);
    expect(refused.map((reply) => reply.status)).toEqual([422, 422, 422, 422, 422]);
    expect(JSON.stringify(refused)).not.toContain(PASSWORD);
    expect(refused[0]?.body).toMatchObject({ data: [{ path: 'secrets.password_02', message: expect.stringContaining('6 digits') }] });
    expect(refused[2]?.body).toMatchObject({ message: expect.stringContaining('did you mean password_02?') });
    expect(refused[4]?.body).toMatchObject({ message: expect.stringContaining('it has: none') });
  });

  it('go with their channel, and lie in no file but their own', async () => {
    const channel_id = await addLine();
    await put({ channel_id, secrets: { password_02: PASSWORD } });
    const reply = await core.send({ method: 'GET', url: '/api/channel/list' });
    expect(JSON.stringify(reply.body)).not.toContain(PASSWORD);
    const holders = () => readdirSync(core.dir).filter((name) => readFileSync(join(core.dir, name)).includes(PASSWORD));
    expect(holders()).toEqual(['secrets.json']);
    await core.api.call('deleteChannel', { channel_id });
    expect(holders()).toEqual([]);
    expect((await core.send({ method: 'GET', url: `/api/channel/secrets?channel_id=${channel_id}` })).status).toBe(404);
  });
});
