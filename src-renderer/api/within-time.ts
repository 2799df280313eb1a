import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';

/** Another service has so long to answer, in milliseconds. */
const ANSWER_MS = 15_000;

/** Asks another service, which may hang without a word. What is given up is ended: `ask` gets a signal that says so, and one that hears of none is not waited for. */
export async function withinTime<Result>(
  name: string,
  signal: AbortSignal,
  ask: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  // a browser of 2022 has neither AbortSignal.any nor Promise.withResolvers, and shows these pages too
  const given = new AbortController();
  const leave = () => given.abort(signal.reason);
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave, { once: true });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const silent = new AppError('TIMEOUT_RESPONSE', say('remote.silent', { name, seconds: ANSWER_MS / 1000 }));
      // before the request is, whose end would say less
      reject(silent);
      given.abort(silent);
    }, ANSWER_MS);
  });
  try {
    return await Promise.race([ask(given.signal), late]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', leave);
  }
}
