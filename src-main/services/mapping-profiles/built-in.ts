/** Profiles that come with the program. */
import { ListProfile } from '#shared/contract/list-mapping.ts';

/** In the order in which they are listed. */
export const BUILT_IN_PROFILES: readonly ListProfile[] = [];
