import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where the files of one data folder lie. */
export interface DataPaths {
  readonly dir: string;
  /** Project that is opened when none is named. */
  readonly project: string;
  /** Project of the simulated plant, apart from everybody's own. */
  readonly demoProject: string;
  /** Secrets of channels, readable by their owner only. */
  readonly secretsFile: string;
  /** Projects that were given no other place. */
  readonly projectsDir: string;
  /** Files on their way in or out; what lies there from before is worth nothing. */
  readonly draftsDir: string;
  /** Templates of devices, one a file. */
  readonly devicesDir: string;
  /** Profiles of foreign lists, one a file. */
  readonly mappingsDir: string;
  /** The projects that were open before. */
  readonly recentFile: string;
  /** What the next start begins with, readable by its owner only: it may hold a token. */
  readonly startFile: string;
  /** Accesses with a name and a role: digests of their tokens, readable by its owner only. */
  readonly accessFile: string;
  /** Other services that are shown, with their tokens; readable by its owner only. */
  readonly remotesFile: string;
  /** Certificate and key that the service answers HTTPS with; the key is readable by its owner only. */
  readonly tlsCertFile: string;
  readonly tlsKeyFile: string;
  readonly logDir: string;
  /** What the engine compiled, for the next start; it is made anew where it is missing. */
  readonly compiledDir: string;
  /** `{url, pid, token_file}` for scripts, while the service runs. */
  readonly serviceFile: string;
  /** The access token, readable by its owner only, while the service runs with one. */
  readonly tokenFile: string;
}

/**
 * Data folder of the user by the rule of the system: `%APPDATA%\\Loopcheck` on Windows, `~/Library/Application Support/Loopcheck` on macOS,
 * `$XDG_DATA_HOME/loopcheck` (`~/.local/share/loopcheck`) elsewhere.
 */
export function defaultDataDir(
  platform: NodeJS.Platform = process.platform,
  env: NodeJS.ProcessEnv = process.env,
  home = homedir(),
): string {
  if (platform === 'win32') return join(env.APPDATA || join(home, 'AppData', 'Roaming'), 'Loopcheck');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Loopcheck');
  return join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'loopcheck');
}

/** The files of a data folder. */
export function dataPaths(dir: string): DataPaths {
  return {
    dir,
    project: join(dir, 'default.loopcheck'),
    demoProject: join(dir, 'demo.loopcheck'),
    secretsFile: join(dir, 'secrets.json'),
    projectsDir: join(dir, 'projects'),
    draftsDir: join(dir, 'drafts'),
    devicesDir: join(dir, 'devices'),
    mappingsDir: join(dir, 'mappings'),
    recentFile: join(dir, 'recent.json'),
    startFile: join(dir, 'start.json'),
    accessFile: join(dir, 'access.json'),
    remotesFile: join(dir, 'remotes.json'),
    tlsCertFile: join(dir, 'tls', 'certificate.pem'),
    tlsKeyFile: join(dir, 'tls', 'key.pem'),
    logDir: join(dir, 'logs'),
    compiledDir: join(dir, 'compiled'),
    serviceFile: join(dir, 'service.json'),
    tokenFile: join(dir, 'token'),
  };
}
