/** Devices that are remembered; more than a line has. Some operations ask whatever address they are told. */
export const MOST_DEVICES = 1024;

/** What is known of each device of a line. Beyond `MOST_DEVICES` the one goes of which nothing was noted for longest. */
export class ByDevice<Known> extends Map<string | number, Known> {
  override set(device: string | number, known: Known): this {
    // the latest one stands last
    this.delete(device);
    super.set(device, known);
    if (this.size > MOST_DEVICES) {
      const [oldest] = this.keys();
      if (oldest !== undefined) this.delete(oldest);
    }
    return this;
  }
}
