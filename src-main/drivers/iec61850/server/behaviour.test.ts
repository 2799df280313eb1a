import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import { context, point, value } from './testing/asking.ts';
import { boolean, Controller } from './testing/controlling.ts';
import { ServedChannel } from './testing/served-channel.ts';

const { yx, yk } = FrameType;
const COMMON = point(1, yx, 'LD/LLN0.Mod.stVal[ST]');
const OWN = point(2, yx, 'LD/GGIO1.Mod.stVal[ST]');
const TABLE = [
  COMMON,
  OWN,
  point(3, yx, 'LD/GGIO1.Beh.stVal[ST]'),
  point(4, yx, 'LD/GGIO2.Beh.stVal[ST]'),
  point(5, yk, 'LD/GGIO2.SPCSO1[CO]'),
];
const [ON, BLOCKED, TEST, TEST_BLOCKED, OFF] = [1, 2, 3, 4, 5];

async function device() {
  const channel = new ServedChannel({ points: TABLE });
  const set = (one: typeof COMMON, mode: number) =>
    channel.connection.execute({ point: one, step: 'operate', value: mode, options: {} }, context());
  await set(COMMON, ON);
  await set(OWN, ON);
  const client = await channel.associated();
  const behaviours = async () => {
    const found = [];
    for (const node of ['GGIO1', 'GGIO2', 'LLN0']) found.push(await value(client, `LD/${node}$ST$Beh$stVal`));
    return found.map((each) => (each as { value: number }).value);
  };
  return { channel, set, behaviours };
}

describe('behaviour', () => {
  it.each([
    [ON, TEST, [TEST, ON, ON]],
    [BLOCKED, TEST, [TEST_BLOCKED, BLOCKED, BLOCKED]],
    [TEST_BLOCKED, ON, [TEST_BLOCKED, TEST_BLOCKED, TEST_BLOCKED]],
    [OFF, TEST, [OFF, OFF, OFF]],
    [ON, OFF, [OFF, ON, ON]],
  ])('of the device in mode %i and a node in mode %i is %o', async (common, own, expected) => {
    const { set, behaviours, channel } = await device();
    await set(COMMON, common);
    await set(OWN, own);
    expect(await behaviours()).toEqual(expected);
    const shown = channel.passed.flatMap(({ readings }) => readings).filter(({ pointId }) => pointId === 3);
    expect(shown.at(-1)).toMatchObject({ value: expected[0] });
    await set(COMMON, ON);
    await set(OWN, ON);
    expect(await behaviours()).toEqual([ON, ON, ON]);
  });

  it('decides what is commanded, also where it was set by itself', async () => {
    const { channel, set } = await device();
    const client = await Controller.open(channel);
    const operate = () => client.send('LD/GGIO2$CO$SPCSO1', 'Oper', boolean(true));
    await set(COMMON, OFF);
    expect(await operate()).toBe(3);
    await set(COMMON, ON);
    expect(await operate()).toBeNull();
    await set(TABLE[3] as typeof COMMON, OFF);
    expect(await operate()).toBe(3);
  });
});
