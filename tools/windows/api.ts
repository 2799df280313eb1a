import { createClient } from '../../src-shared/client/client.ts';

/** An answer as HTTP gives it. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** The API of a service, asked over HTTP. */
export class Api {
  readonly url: string;
  /** Typed client; it throws what the service refuses. */
  readonly client;

  constructor(url: string) {
    this.url = url;
    this.client = createClient(async ({ method, url: path, body }) => {
      const { status, text } = await this.ask(method, path, body);
      return { status, body: JSON.parse(text) };
    });
  }

  /** One request; `body` as JSON, or the form that it is. */
  async ask(method: string, path: string, body?: unknown): Promise<Answer> {
    const sent =
      body instanceof FormData
        ? { body }
        : body === undefined
          ? {}
          : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(this.url + path, { method, ...sent });
    return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() };
  }
}
