import { describe, expect, it } from 'vitest';
import { openedFile, readArguments } from './arguments.ts';

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
    expect(readArguments(['loopcheck', 'a.txt', '--serve', '--no-sandbox'], true)).toEqual({
      isServe: true,
      args: ['a.txt'],
      device: null,
    });
  });

  it.each(['C:\\Bays\\Bay 3.scd', '/srv/110 kV 进线.icd', 'F01.CID'])('hand %s to the window, and not to the command line', (file) => {
    expect(readArguments(['loopcheck', '--port', '0', file], true)).toEqual({ isServe: false, args: ['--port', '0'], device: file });
    expect(readArguments(['electron', '.', file, 'a.loopcheck'], false)).toEqual({
      isServe: false,
      args: ['--project', 'a.loopcheck'],
      device: file,
    });
  });

  it('leave the file of a device to the command line that serves, or that it belongs to', () => {
    expect(readArguments(['loopcheck', '--serve', 'a.scd'], true)).toEqual({ isServe: true, args: ['a.scd'], device: null });
    expect(readArguments(['loopcheck', '--data', 'folder.cid'], true)).toEqual({
      isServe: false,
      args: ['--data', 'folder.cid'],
      device: null,
    });
    expect(readArguments(['loopcheck', '-x.scd', 'a.scd.exe', 'a.xml'], true).device).toBeNull();
  });
});

describe('arguments of a second start', () => {
  it('name a project or a device by its whole path, whatever the engine puts before it', () => {
    expect(openedFile(['loopcheck', '--allow-file-access-from-files', 'a.loopcheck'], '/home/user')).toEqual({
      kind: 'project',
      path: '/home/user/a.loopcheck',
    });
    expect(openedFile(['loopcheck', '/x/a.loopcheck'], '/home/user')).toEqual({ kind: 'project', path: '/x/a.loopcheck' });
    expect(openedFile(['loopcheck', '--original-process-start-time=1', '站 3.SCD'], '/home/user')).toEqual({
      kind: 'device',
      path: '/home/user/站 3.SCD',
    });
    expect(openedFile(['loopcheck', 'a.cid', 'a.loopcheck'], '/x')).toEqual({ kind: 'project', path: '/x/a.loopcheck' });
  });

  it.each([
    [['loopcheck'], '/home/user'],
    [['loopcheck', '/x/a.exe'], '/home/user'],
    [['loopcheck', '/x/a.scd.exe'], '/home/user'],
    [['loopcheck', '--project', '/x/a.loopcheck'], '/home/user'],
    [['loopcheck', '--data', '/x/a.scd'], '/home/user'],
    [['loopcheck', '--renderer-cmd-prefix=a.scd'], '/home/user'],
  ])('name none: %j in %s', (argv, folder) => {
    expect(openedFile(argv, folder)).toBeNull();
  });

  it.each(['loopcheck', 'scd'])('say that one lies on another computer, as it was written, and leave what is no path: .%s', (ending) => {
    for (const file of ['\\\\server\\share\\a', '//server/share/a', '\\\\.\\pipe\\a', 'file://server/a', 'https://server/a']) {
      const path = `${file}.${ending}`;
      expect(openedFile(['loopcheck', path], '/home/user')).toEqual({ kind: 'elsewhere', path });
    }
    expect(openedFile(['loopcheck', `a.${ending}`], '\\\\server\\share')).toEqual({ kind: 'elsewhere', path: `a.${ending}` });
    expect(openedFile(['loopcheck', `a\0b.${ending}`], '/home/user')).toBeNull();
  });
});
