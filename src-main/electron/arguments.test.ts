import { describe, expect, it } from 'vitest';
import { openedProject, readArguments } from './arguments.ts';

describe('arguments of the program', () => {
  it('open the project that the explorer of the system hands over', () => {
    expect(readArguments(['loopcheck', 'C:\\Plants\\Bay 3.loopcheck'], true).args).toEqual(['--project', 'C:\\Plants\\Bay 3.loopcheck']);
    expect(readArguments(['loopcheck', '--port', '0', 'a.LOOPCHECK'], true).args).toEqual(['--port', '0', '--project', 'a.LOOPCHECK']);
  });

  it('leave a project that is the value of an option where it is, and other words to the command line', () => {
    const given = ['--project', 'a.loopcheck', '--data', 'x.loopcheck'];
    expect(readArguments(['loopcheck', ...given], true).args).toEqual(given);
    expect(
      readArguments(['loopcheck', '--serve', 'read', 'PCS 1/P', '--project', 'a.loopcheck', '--language', 'zh', '--yes'], true).args,
    ).toEqual([...['read', 'PCS 1/P', '--project', 'a.loopcheck', '--language', 'zh', '--yes']]);
    expect(readArguments(['loopcheck', 'a.txt', '--serve', '--no-sandbox'], true)).toEqual({ isServe: true, args: ['a.txt'] });
  });
});

describe('arguments of a second start', () => {
  it('name a project by its whole path, whatever the engine puts before it', () => {
    expect(openedProject(['loopcheck', '--allow-file-access-from-files', 'a.loopcheck'], '/home/user')).toBe('/home/user/a.loopcheck');
    expect(openedProject(['loopcheck', '/x/a.loopcheck'], '/home/user')).toBe('/x/a.loopcheck');
  });

  it.each([
    [['loopcheck'], '/home/user'],
    [['loopcheck', '--project', '/x/a.loopcheck'], '/home/user'],
    [['loopcheck', '/x/a.exe'], '/home/user'],
    [['loopcheck', '\\\\server\\share\\a.loopcheck'], '/home/user'],
    [['loopcheck', '//server/share/a.loopcheck'], '/home/user'],
    [['loopcheck', 'file://server/a.loopcheck'], '/home/user'],
    [['loopcheck', 'a.loopcheck'], '\\\\server\\share'],
  ])('name none: %j in %s', (argv, folder) => {
    expect(openedProject(argv, folder)).toBeNull();
  });
});
