import type { IdentificationObject } from '../codec/response.ts';

/** What a device says of itself by function 43/14, in order of the objects. */
export type Identity = readonly IdentificationObject[];
