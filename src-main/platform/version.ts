import packageJson from '../../package.json' with { type: 'json' };

/** Version of the program, from package.json at build time. */
export const VERSION: string = packageJson.version;
