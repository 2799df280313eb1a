/** A breaker or contactor: it follows its order after the time its drive takes. */
export class Switch {
  readonly #closeS: number;
  readonly #openS: number;
  #isClosed: boolean;
  #movingS = 0;

  constructor(closeS: number, openS: number, isClosed: boolean) {
    this.#closeS = closeS;
    this.#openS = openS;
    this.#isClosed = isClosed;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  step(seconds: number, isClosedOrdered: boolean): void {
    if (isClosedOrdered === this.#isClosed) {
      this.#movingS = 0;
      return;
    }
    this.#movingS += seconds;
    if (this.#movingS < (isClosedOrdered ? this.#closeS : this.#openS)) return;
    this.#isClosed = isClosedOrdered;
    this.#movingS = 0;
  }
}
