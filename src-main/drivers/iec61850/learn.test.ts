import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import type { MmsClient } from './association/mms-client.ts';
import { rejected, serviceError } from './association/refusals.ts';
import { Learner } from './learn.ts';
import type { MmsRequest, MmsResponse } from './mms/pdu.ts';
import type { MmsType } from './mms/types.ts';
import { structure } from './model/scl/basic-types.ts';
import { TypePool } from './model/types.ts';

const BOOL: MmsType = { kind: 'boolean' };
const refused = (errorClass: number, code: number) => serviceError({ errorClass, code, additionalCode: null, text: null });

/** A device of a script: what it answers to each request, and what it was asked. */
class Script {
  readonly asked: MmsRequest[] = [];
  readonly progress: [done: number, total: number][] = [];
  readonly #answer: (request: MmsRequest) => MmsResponse | AppError;

  constructor(answer: (request: MmsRequest) => MmsResponse | AppError) {
    this.#answer = answer;
  }

  learner(window = 5): Learner {
    const client = {
      negotiated: { maxPduOctets: 65_000, window, nesting: 10, tpduSize: 8192, supports: () => true },
      request: async (request: MmsRequest) => {
        this.asked.push(request);
        const answer = this.#answer(request);
        if (answer instanceof AppError) throw answer;
        return answer;
      },
    } as unknown as Pick<MmsClient, 'request' | 'negotiated'>;
    const onProgress = (done: number, total: number) => void this.progress.push([done, total]);
    return new Learner({ client, pool: new TypePool(), timeoutMs: 1000, signal: new AbortController().signal, onProgress });
  }

  async learn() {
    const learner = this.learner();
    const { model, revisions } = await learner.learn(await learner.domains());
    return { model, revisions, identity: await learner.identity(), leftOut: learner.leftOut };
  }
}

const names = (list: readonly string[], moreFollows = false): MmsResponse => ({ service: 'get-name-list', names: list, moreFollows });
const type = (of: MmsType): MmsResponse => ({ service: 'get-variable-access-attributes', isDeletable: false, type: of });

/** Answers of a device with one domain; `variables` are its names, `types` what it tells of them. */
function device(
  variables: readonly string[],
  types: Readonly<Record<string, MmsType | AppError>>,
  sets: MmsResponse | AppError = names([]),
) {
  return (request: MmsRequest): MmsResponse | AppError => {
    switch (request.service) {
      case 'identify':
        return { service: 'identify', vendor: 'A', model: 'B', revision: 'C' };
      case 'get-name-list':
        return request.objectClass === 9 ? names(['LD']) : request.objectClass === 0 ? names(variables) : sets;
      case 'get-variable-access-attributes': {
        const found = types[request.name.item];
        return found instanceof AppError ? found : found ? type(found) : refused(7, 2);
      }
      case 'read':
        return { service: 'read', spec: null, results: [{ kind: 'visible-string', text: 'r1' }] };
      default:
        return refused(7, 1);
    }
  };
}

describe('learning a device', () => {
  it('goes on with pages until one says that it is the last, and counts its steps', async () => {
    const pages = [['A1', 'A1$ST'], ['B1', 'B1$ST'], ['C1']];
    const whole = structure({ ST: structure({ Ind1: BOOL }) });
    const plain = device([], { A1: whole, B1: whole, C1: whole });
    let page = 0;
    const script = new Script((request) => {
      if (request.service !== 'get-name-list' || request.objectClass !== 0) return plain(request);
      expect(request.continueAfter).toBe(pages[page - 1]?.at(-1) ?? null);
      page += 1;
      return names(pages[page - 1] ?? [], page < pages.length);
    });
    const { model, identity, leftOut } = await script.learn();
    expect(model.devices[0]?.nodes.map(({ name }) => name)).toEqual(['A1', 'B1', 'C1']);
    expect([identity, leftOut]).toEqual([{ vendor: 'A', model: 'B', revision: 'C' }, []]);
    const [done, total] = script.progress.at(-1) ?? [];
    expect([done, total]).toEqual([6, 6]);
  });

  it.each([
    ['repeats its last page for ever', () => names(['A1'], true)],
    ['sends an empty page and says that more follows', () => names([], true)],
  ])('ends with a device that %s', async (_name, page) => {
    const plain = device([], { A1: structure({ ST: structure({ Ind1: BOOL }) }) });
    const script = new Script((request) => (request.service === 'get-name-list' && request.objectClass === 0 ? page() : plain(request)));
    expect((await script.learn()).model.devices.length).toBe(1);
    expect(script.asked.length).toBeLessThan(10);
  });

  it('asks for parts what is refused as a whole: constraints, then data objects', async () => {
    const variables = ['A1', 'A1$MX', 'A1$MX$X', 'A1$MX$X$mag', 'A1$ST', 'A1$ST$Y', 'A1$ST$Z', 'A1$ST$Y$stVal'];
    const script = new Script(
      device(variables, { A1: refused(3, 0), A1$MX: structure({ X: BOOL }), A1$ST: rejected(5, 1), A1$ST$Y: BOOL, A1$ST$Z: refused(7, 3) }),
    );
    const [node] = (await script.learn()).model.devices[0]?.nodes ?? [];
    expect(node?.type).toEqual(structure({ ST: structure({ Y: BOOL }), MX: structure({ X: BOOL }) }));
  });

  it('a type that is no structure, and a node of which nothing is told, are no end of it', async () => {
    const script = new Script(device(['A1', 'B1'], { A1: BOOL }));
    const nodes = (await script.learn()).model.devices[0]?.nodes ?? [];
    expect(nodes.map(({ type: of }) => of)).toEqual([structure({}), structure({})]);
  });

  it('a device without data sets, names or identity is learnt as far as it goes', async () => {
    const plain = device(['A1'], { A1: structure({ ST: structure({ Ind1: BOOL }) }) }, refused(7, 1));
    const script = new Script((request) => (request.service === 'identify' ? rejected(1, 1) : plain(request)));
    expect((await script.learn()).model).toMatchObject({ identity: null, devices: [{ name: 'LD', dataSets: [] }] });
  });

  it('revisions are read once for all domains that have one', async () => {
    const plate = structure({ DC: structure({ NamPlt: structure({ configRev: { kind: 'visible-string', size: -255 } }) }) });
    const script = new Script(device(['LLN0'], { LLN0: plate }));
    const { model, revisions } = await script.learn();
    expect([model.configurationRevision, [...revisions]]).toEqual(['r1', [['LD', 'r1']]]);
    expect(model.devices[0]?.revision).toBe('r1');
    expect(script.asked.filter(({ service }) => service === 'read').length).toBe(1);
  });

  it('members of a data set keep their indexes', async () => {
    const plain = device(['A1'], {}, names(['LLN0$ds']));
    const script = new Script((request) => {
      if (request.service !== 'get-named-variable-list-attributes') return plain(request);
      const name = { scope: 'domain', domain: 'LD', item: 'A1$MX$HA$phsAHar' } as const;
      const access = [{ step: { kind: 'index', index: 3 }, inner: [{ step: { kind: 'component', name: 'mag' }, inner: null }] }] as const;
      return { service: 'get-named-variable-list-attributes', isDeletable: true, items: [{ name, access }] };
    });
    expect((await script.learn()).model.devices[0]?.dataSets).toEqual([
      { item: 'LLN0$ds', members: ['LD/A1$MX$HA$phsAHar(3)$mag'], isDeletable: true },
    ]);
  });

  it('a lost association ends it', async () => {
    const lost = new AppError('TRANSPORT_LOST', quoted('gone'));
    const plain = device(['A1'], {});
    const script = new Script((request) => (request.service === 'get-variable-access-attributes' ? lost : plain(request)));
    await expect(script.learn()).rejects.toBe(lost);
  });
});
