/** The relay of a simulated meter, as its status word 3 shows it. */
import { RELAY_COMMANDS } from '../client/write-requests.ts';

/** Bits of the status word 3 (DL/T 645-2007, annex C): the relay is open, it is told to open, alarm before a trip. */
const OPEN = 0x10;
const TOLD_OPEN = 0x40;
const ALARM = 0x80;

export class RelayState {
  /** Status word 3. */
  word = 0;
  #isHeld = false;

  get isOpen(): boolean {
    return (this.word & OPEN) !== 0;
  }

  get isAlarm(): boolean {
    return (this.word & ALARM) !== 0;
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Carries out a command (1CH, N1). False for one it does not know, and for a trip while the power is kept on. */
  take(command: number): boolean {
    switch (command) {
      case RELAY_COMMANDS.trip:
        if (this.#isHeld) return false;
        this.word |= OPEN | TOLD_OPEN;
        return true;
      case RELAY_COMMANDS.close_permit:
        // the relay stays open until somebody presses the key
        this.word &= ~TOLD_OPEN;
        return true;
      case RELAY_COMMANDS.close:
        this.word &= ~(OPEN | TOLD_OPEN);
        return true;
      case RELAY_COMMANDS.alarm_on:
        this.word |= ALARM;
        return true;
      case RELAY_COMMANDS.alarm_off:
        this.word &= ~ALARM;
        return true;
      case RELAY_COMMANDS.hold:
        this.#isHeld = true;
        this.word &= ~(OPEN | TOLD_OPEN);
        return true;
      case RELAY_COMMANDS.release:
        this.#isHeld = false;
        return true;
      default:
        return false;
    }
  }
}
