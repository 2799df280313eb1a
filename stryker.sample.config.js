import whole from './stryker.config.json' with { type: 'json' };
import { placesOfSample } from './tools/mutation-sample.ts';

/** A random sample of the planted bugs of the whole (tools/mutation-sample.ts). */
export default {
  ...whole,
  mutate: await placesOfSample(whole.mutate),
  plugins: [...whole.plugins, './tools/mutation-sample.ts'],
  checkers: ['sample'],
};
