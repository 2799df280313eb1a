/** What a connection knows of the addresses of its device. */

/** Addresses that a device refuses as a whole: `start` and `length` as on the wire. */
export interface AddressRange {
  readonly start: number;
  readonly length: number;
}

/** What a connection knows about one function of one unit. All lists ascend and are bounded. */
export interface LearnedArea {
  /** Ranges the device refuses alone while others answer. */
  readonly holes: readonly AddressRange[];
  /** Addresses before which a request must end: points below and points from here on are not read together. */
  readonly boundaries: readonly number[];
}

/** Where it is looked up. */
export interface LearnedAreas {
  /** Known holes and boundaries of one function of a unit. */
  area(slaveId: number, functionCode: number): LearnedArea;
}
