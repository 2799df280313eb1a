import whole from './stryker.config.json' with { type: 'json' };

/** A random sample of the planted bugs of the whole (tools/mutation-sample.ts). */
export default { ...whole, plugins: [...whole.plugins, './tools/mutation-sample.ts'], checkers: ['sample'] };
