/** Stands for `wine INSTALLER`: reads the uninstaller out of it in place of running it (builder.ts says why). */
import { createRequire } from 'node:module';

const [installer = ''] = process.argv.slice(2);
if (!installer.endsWith('.exe')) {
  // electron-builder asks for the version of Wine first
  console.log('wine-8.0');
} else {
  const builder = createRequire(createRequire(import.meta.url).resolve('electron-builder/package.json'));
  const { UninstallerReader } = builder('app-builder-lib/out/targets/nsis/nsisUtil') as {
    UninstallerReader: { exec(installer: string, uninstaller: string): Promise<void> };
  };
  await UninstallerReader.exec(installer, installer.replace(/\.exe$/, '.__uninstaller.exe'));
}
