/** Entry of the thread that keeps recorded values; it talks with history-thread.ts. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { toAppError } from '#shared/domain/errors.ts';
import { HistoryEngine } from '../persistence/history/engine.ts';
import type { HistoryJob, HistoryReply, HistoryRequest } from './history-thread.ts';

const port = parentPort;
if (port) {
  const { path, project } = workerData as HistoryJob;
  const engine = new HistoryEngine(path, project, () => nextTurn());
  const answer = async ({ id, call, given }: HistoryRequest): Promise<HistoryReply> => {
    try {
      const work = engine[call].bind(engine) as (...given: readonly unknown[]) => Promise<unknown>;
      return { id, answer: await work(...given) };
    } catch (thrown) {
      const { code, said } = toAppError(thrown);
      return { id, refused: { code, said } };
    }
  };
  port.on('message', (request: HistoryRequest) => void answer(request).then((reply) => port.postMessage(reply)));
}
