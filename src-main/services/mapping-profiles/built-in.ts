/** Profiles that come with the program. */
import { ListProfile } from '#shared/contract/list-operations.ts';
import delta from '../../../resources/mappings/delta-dvp.json' with { type: 'json' };
import homeAssistant from '../../../resources/mappings/home-assistant.json' with { type: 'json' };
import ignition from '../../../resources/mappings/ignition.json' with { type: 'json' };
import kepware from '../../../resources/mappings/kepware.json' with { type: 'json' };
import sunspec from '../../../resources/mappings/sunspec.json' with { type: 'json' };

/** In the order in which they are listed. */
export const BUILT_IN_PROFILES: readonly ListProfile[] = [kepware, ignition, homeAssistant, sunspec, delta].map((profile) =>
  ListProfile.parse({ ...profile, built_in: true }),
);
