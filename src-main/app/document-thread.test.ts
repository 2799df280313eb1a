import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { ConnType, ProtocolType } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { iec61850Driver } from '../drivers/iec61850/driver.ts';
import { sclDocuments } from '../drivers/iec61850/model/documents.ts';
import { modelOf, type SentPart } from '../drivers/iec61850/model/parts.ts';
import { readSclDevice } from '../drivers/iec61850/model/scl/device.ts';
import { openScl } from '../drivers/iec61850/model/scl/file.ts';
import { sclText } from '../drivers/iec61850/model/testing/files.ts';
import { TypePool } from '../drivers/iec61850/model/types.ts';
import type { DocumentDevice, DocumentKind, DriverDocument } from '../drivers/spi/model.ts';
import { runSteps } from '../platform/steps.ts';
import { countTurns } from '../platform/testing/turns.ts';
import { Threads } from '../platform/threads.ts';
import { createDeviceThread, createDocumentThread } from './document-thread.ts';
import { createDriverRegistry } from './driver-registry.ts';
import { freePort, startCore } from './testing/running-core.ts';

const dir = mkdtempSync(join(tmpdir(), 'loopcheck-document-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const script = (name: string, text: string) => {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
};
const station = { name: 'station.scd', text: sclText('station-ed21.scd') };
/** Nothing is to be read in place. */
const elsewhere: DocumentKind = {
  ...sclDocuments,
  read() {
    throw new Error('read in place');
  },
};
const station0 = () => ({ name: 'bay.cid', text: sclText('bay.cid') });
const read = (thread: ReturnType<typeof createDocumentThread>, document: DriverDocument = station, kind = elsewhere) =>
  thread(ProtocolType.iec61850, kind, document);

const packed = { name: 'bay.cid', packed: gzipSync(sclText('bay.cid')) };
const device = sclDocuments.device as DocumentDevice;

describe('the thread that makes the device of a document', () => {
  const inThread = createDeviceThread(new Threads(), undefined, { unpacked: 0, packed: 0 });
  const inPlace = createDeviceThread(new Threads(), null);

  it('makes the same as the work in place, with types that parts share', async () => {
    const made = await inThread(ProtocolType.iec61850, device, packed, { ied_name: '' });
    expect(made).toEqual(await inPlace(ProtocolType.iec61850, device, packed, { ied_name: '' }));
    const model = runSteps(modelOf(made as readonly SentPart[], new TypePool()));
    expect(model).toEqual(readSclDevice(openScl(packed.name, sclText('bay.cid')), '').model);
    expect(model.devices[0]?.nodes.length).toBeGreaterThan(1);
  });

  it('is taken for a file that is large unpacked, however short it is packed', async () => {
    const up = 'import { parentPort } from "node:worker_threads"; parentPort.postMessage({ kind: "ready" });';
    const noted = script(
      'noted.mjs',
      `${up} parentPort.postMessage({ kind: "part", part: "of the thread" }); parentPort.postMessage({ kind: "end", answer: true });`,
    );
    const text = sclText('bay.cid');
    const make = (of: string) =>
      createDeviceThread(new Threads(), noted)(ProtocolType.iec61850, device, { name: 'bay.cid', packed: gzipSync(of) }, { ied_name: '' });
    const large = `${text}<!-- ${' '.repeat(70_000)} -->`;
    expect(gzipSync(large).length).toBeLessThan(16_384);
    expect(await make(large)).toEqual(['of the thread']);
    expect((await make(text)).length).toBeGreaterThan(0);
    expect(await make(text)).not.toEqual(['of the thread']);
  });

  it('refuses like the work in place', async () => {
    for (const make of [inThread, inPlace]) {
      await expect(make(ProtocolType.iec61850, device, packed, { ied_name: 'BAY9' })).rejects.toMatchObject({
        code: 'CONFIG_INVALID',
        message: expect.stringContaining('no IED "BAY9"'),
      });
    }
  });

  it('puts model or refusal into the memory of a channel, once', () => {
    for (const made of [[...device.make(station0(), { ied_name: '' })], new AppError('CONFIG_INVALID', quoted('no such device'))]) {
      const memory = new Map();
      expect(device.isTaken(memory)).toBe(false);
      const steps = device.take(memory, made);
      while (!steps.next().done) {
        expect(device.isTaken(memory)).toBe(false);
        expect(iec61850Driver.model?.(memory, undefined)).toBeNull();
      }
      expect(device.isTaken(memory)).toBe(true);
      const { revision } = iec61850Driver.model?.(memory, undefined) ?? {};
      runSteps(device.take(memory, made));
      expect(iec61850Driver.model?.(memory, undefined)?.revision).toBe(revision);
      const status = iec61850Driver.model?.(memory, undefined)?.status;
      expect(status).toMatchObject(
        made instanceof AppError ? { state: 'failed', error: quoted('no such device') } : { state: 'known', source: 'file' },
      );
    }
  });
});

const up = 'import { parentPort } from "node:worker_threads"; parentPort.postMessage({ kind: "ready" });';

describe('the thread of documents', () => {
  it('tells the same as the work in place', async () => {
    expect(await read(createDocumentThread(new Threads()))).toEqual(sclDocuments.read(station));
    expect(await read(createDocumentThread(new Threads(), null), station, sclDocuments)).toEqual(sclDocuments.read(station));
  });

  it('refuses like the work in place', async () => {
    const cut = { name: 'cut.scd', text: '<SCL>\n<IED name="A">\n</SCL>' };
    for (const thread of [createDocumentThread(new Threads()), createDocumentThread(new Threads(), null)]) {
      await expect(read(thread, cut, sclDocuments)).rejects.toMatchObject({
        code: 'CONFIG_INVALID',
        message: expect.stringMatching(/^cut\.scd, line 3: /),
        data: [{ path: '', message: expect.stringMatching(/^line 3: /) }],
      });
    }
  });

  it('leaves the lines their turn while a large file is looked at', async () => {
    const nodes = Array.from({ length: 20_000 }, (_, at) => `<LN lnClass="GGIO" inst="${at}" lnType="G"/>`).join('');
    const text = `<SCL><IED name="A"><AccessPoint name="P"><Server><LDevice inst="LD">${nodes}</LDevice></Server></AccessPoint></IED>
      <DataTypeTemplates><LNodeType id="G" lnClass="GGIO"/></DataTypeTemplates></SCL>`;
    const turns = countTurns();
    expect((await read(createDocumentThread(new Threads()), { name: 'large.scd', text })).choices).toHaveLength(1);
    const counted = turns();
    // In place it is none.
    expect(counted).toBeGreaterThan(100);
  });

  it('looks at one after the other, also behind one that failed', async () => {
    const answer = `${up} parentPort.postMessage({ kind: "end", answer: { title: "t", choices: [], warnings: [] } });`;
    const log = join(dir, 'log');
    const thread = createDocumentThread(
      new Threads(),
      script(
        'slow.mjs',
        `import { appendFileSync } from "node:fs"; import { workerData } from "node:worker_threads";
         const { name } = workerData.document; const say = (what) => appendFileSync(${JSON.stringify(log)}, what + name + "\\n");
         say("begin "); ${up} if (name === "b") { say("end "); throw new Error("oops"); }
         say("end "); ${answer.slice(up.length)}`,
      ),
    );
    const all = await Promise.allSettled(['a', 'b', 'c'].map((name) => read(thread, { name, text: '' })));
    expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(readFileSync(log, 'utf8').trim().split('\n')).toEqual(['a', 'b', 'c'].flatMap((name) => [`begin ${name}`, `end ${name}`]));
  });

  it('says again what it said of the document before; of one that differs in anything, or was refused, it asks anew', async () => {
    const log = join(dir, 'asked');
    const thread = createDocumentThread(
      new Threads(),
      script(
        'asked.mjs',
        `import { appendFileSync } from "node:fs"; import { workerData } from "node:worker_threads";
         const { name, text } = workerData.document; appendFileSync(${JSON.stringify(log)}, name + text + " "); ${up}
         if (text === "bad") throw new Error("oops");
         parentPort.postMessage({ kind: "end", answer: { title: name + text, choices: [], warnings: [] } });`,
      ),
    );
    const asked = ['a1', 'a1', 'b1', 'b2', 'b2', 'xbad', 'xbad', 'b2', 'a1'].map(([name = '', ...text]) => ({ name, text: text.join('') }));
    const said = await Promise.allSettled(asked.map((document) => read(thread, document)));
    expect(said.map((each) => (each.status === 'fulfilled' ? each.value.title : 'refused'))).toEqual([
      ...['a1', 'a1', 'b1', 'b2', 'b2', 'refused', 'refused', 'b2', 'a1'],
    ]);
    expect(readFileSync(log, 'utf8')).toBe('a1 b1 b2 xbad xbad a1 ');
  });

  it('works in place where no thread comes up', async () => {
    for (const entry of [join(dir, 'missing.js'), script('broken.mjs', 'import "nowhere-to-be-found";'), script('silent.mjs', '')]) {
      expect((await read(createDocumentThread(new Threads(), entry), station, sclDocuments)).choices.length).toBeGreaterThan(1);
    }
    const unknown = createDocumentThread(new Threads())(ProtocolType.modbusTcp, sclDocuments, station);
    expect((await unknown).choices.length).toBeGreaterThan(1);
  });

  it('a file that eats memory or time is too large; a thread that fails is a fault of ours', async () => {
    const eating = script('eating.mjs', `${up} const all = []; for (;;) all.push(new Array(100_000).fill({}));`);
    await expect(read(createDocumentThread(new Threads(), eating, { megabytes: 32 }))).rejects.toMatchObject({ code: 'CONFIG_TOO_LARGE' });
    const hanging = script('hanging.mjs', `${up} for (;;);`);
    await expect(read(createDocumentThread(new Threads(), hanging, { ms: 200 }))).rejects.toMatchObject({
      code: 'CONFIG_TOO_LARGE',
      message: expect.stringMatching(/^station\.scd needs more than 0\.2 s/),
    });
    const failing = script('failing.mjs', `${up} throw new Error("oops");`);
    await expect(read(createDocumentThread(new Threads(), failing))).rejects.toMatchObject({ code: 'INTERNAL', message: 'oops' });
    const leaving = script('leaving.mjs', `${up} process.exit(0);`);
    await expect(read(createDocumentThread(new Threads(), leaving))).rejects.toMatchObject({ code: 'INTERNAL' });
  });
});

/** A channel of IEC 61850 that is stopped, by default a client at whose address nobody listens; `making` is called with each device that is made of its document. */
async function sclChannel(
  making: () => void,
  line: { readonly conn_type: ConnType; readonly port: number } = { conn_type: ConnType.tcpClient, port: 1 },
) {
  const core = await startCore(
    {},
    {
      drivers: createDriverRegistry([iec61850Driver]),
      async makeDevice(_protocol, of, document, settings) {
        making();
        return [...of.make({ name: document.name, text: gunzipSync(document.packed).toString() }, settings)];
      },
    },
  );
  const { data } = await core.api.call('addChannel', { name: 'A', protocol_type: 5, ...line });
  return {
    close: () => core.close(),
    async store(text: string) {
      const url = `/api/channel/document?channel_id=${data.id}&mode=store`;
      expect(await core.send({ method: 'POST', url, file: { name: 'bay.cid', bytes: new TextEncoder().encode(text) } })).toMatchObject({
        status: 200,
      });
    },
    addPoint: (code: string) =>
      core.api
        .call('addPoints', { channel_id: data.id, points: [{ frame_type: 0, code, reference: 'BAY1MEAS/MMXU1.Hz.mag.f' }] })
        .catch(() => {}),
    /** Starts and stops it; answers the code of why it could not start. */
    async start(): Promise<string> {
      const code = await core.api.call('startDevice', { channel_id: data.id }).then(
        () => 'started',
        ({ code }: AppError) => code,
      );
      await core.api.call('stopDevice', { channel_id: data.id });
      return code;
    },
  };
}

it('the device of a document is made once for the table and the start of a stopped channel, and anew for another document', async () => {
  let made = 0;
  const channel = await sclChannel(() => {
    made += 1;
  });
  for (const [times, text] of [sclText('bay.cid'), `${sclText('bay.cid')}<!-- 2 -->`].entries()) {
    await channel.store(text);
    await channel.addPoint(`P${times}`);
    expect(made).toBe(times + 1);
    // what is needed of the document is asked for before the connection
    expect(await channel.start()).toMatch(/^TRANSPORT_/);
    expect(made).toBe(times + 1);
  }
  await channel.close();
});

it('a served channel starts with the device that was made of its document beside the lines', async () => {
  let made = 0;
  const making = () => {
    made += 1;
  };
  const channel = await sclChannel(making, { conn_type: ConnType.tcpServer, port: await freePort() });
  await channel.store(sclText('bay.cid'));
  expect(await channel.start()).toBe('started');
  expect(made).toBe(1);
  expect(await channel.start()).toBe('started');
  expect(made).toBe(1);
  await channel.close();
});

it('a document that could not be read is read again with each start, for what was wrong may have passed', async () => {
  let made = 0;
  const channel = await sclChannel(() => {
    made += 1;
    if (made <= 2) throw new AppError('INTERNAL', quoted('no thread to be had'));
  });
  await channel.store(sclText('bay.cid'));
  await channel.addPoint('P1');
  expect(made).toBe(1);
  for (const times of [2, 3, 3]) {
    await channel.start();
    expect(made).toBe(times);
  }
  await channel.close();
});

it('a file that was looked at while the project changed is stored nowhere', async () => {
  let meanwhile = async () => {};
  const core = await startCore(
    {},
    {
      drivers: createDriverRegistry([iec61850Driver]),
      async readDocument(_protocol, kind, document) {
        await meanwhile();
        return kind.read(document);
      },
    },
  );
  const add = async () => (await core.api.call('addChannel', { name: 'A', protocol_type: 5, conn_type: 2 })).data.id;
  const store = (id: number) =>
    core.send({
      method: 'POST',
      url: `/api/channel/document?channel_id=${id}&mode=store`,
      file: { name: 'bay.cid', bytes: new TextEncoder().encode(sclText('bay.cid')) },
    });
  const first = await add();
  meanwhile = async () => {
    await core.send({ method: 'POST', url: '/api/project/open', body: { path: join(core.dir, 'other.loopcheck'), create: true } });
    expect(await add()).toBe(first);
  };
  expect(await store(first)).toMatchObject({ status: 409, body: { error: 'STATE_CONFLICT' } });
  expect((await core.api.call('deviceModel', { channel_id: first })).data.document).toBeNull();
  meanwhile = async () => {
    await core.api.call('deleteChannel', { channel_id: first });
  };
  expect((await store(first)).status).toBe(404);
  await core.close();
});
