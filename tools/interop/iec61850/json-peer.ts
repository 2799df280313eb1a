import { Peer } from '../peer.ts';

/** A peer program of this folder: words of JSON in, one word of JSON out (lines.py). */
export class JsonPeer {
  readonly #peer: Peer;

  private constructor(peer: Peer) {
    this.#peer = peer;
  }

  /** Starts a program and waits until it takes commands. */
  static async start(program: string, args: readonly string[]): Promise<JsonPeer> {
    const peer = new Peer(program, args);
    const [first] = await peer.line();
    if (first === 'ready') return new JsonPeer(peer);
    await peer.end();
    throw new Error(`the peer begins with ${first}`);
  }

  /** A command that must succeed. The caller names the shape of the answer, which the head of the program's file tells. */
  async ask<Answer = null>(...words: readonly unknown[]): Promise<Answer> {
    const [state, answer] = await this.#send(words);
    if (state !== 'ok') throw new Error(`the peer answers ${words.join(' ')} with ${answer}`);
    return answer as Answer;
  }

  /** A command that must fail; answers why it did. */
  async failure(...words: readonly unknown[]): Promise<string> {
    const [state, answer] = await this.#send(words);
    if (state === 'ok') throw new Error(`the peer succeeds with ${words.join(' ')}: ${JSON.stringify(answer)}`);
    return String(answer);
  }

  end(): Promise<void> {
    return this.#peer.end();
  }

  async #send(words: readonly unknown[]): Promise<[state: string | undefined, answer: unknown]> {
    const [state, answer = 'null'] = await this.#peer.ask(...words.map((word) => JSON.stringify(word).replaceAll(' ', '\\u0020')));
    return [state, JSON.parse(answer)];
  }
}
