import { expect, it } from 'vitest';
import { Place } from './place.ts';
import { ITEM, Site } from './testing/site.ts';

it('is where a point was at the beginning, whatever is shown otherwise since', () => {
  const site = new Site();
  const place = new Place(site.session, ITEM);
  expect([place.isElsewhere, place.find()?.point.code, place.isElsewhere]).toEqual([false, 'P', false]);
  site.edit({ name: 'other name' });
  expect([place.find()?.point.name, place.isElsewhere]).toEqual(['other name', false]);
  expect(place.facts.point.name).toBe('other name');
});

it('is elsewhere once point or channel lead elsewhere, and not any more when that is taken back; evidence is of where it was', () => {
  const site = new Site();
  const place = new Place(site.session, ITEM);
  site.edit({ address: 6 });
  expect([place.find()?.point.address, place.isElsewhere, place.facts.point.address]).toEqual([6, true, 5]);
  site.edit({ address: 5 });
  expect([place.find()?.point.address, place.isElsewhere]).toEqual([5, false]);
  const { settings } = site;
  site.settings = { ...settings, port: 503 };
  place.find();
  expect([place.isElsewhere, place.facts.channel.port]).toEqual([true, 502]);
  site.settings = { ...settings };
  place.find();
  expect(place.isElsewhere).toBe(false);
});

it('of a point that goes has what it was; that is not elsewhere', () => {
  const site = new Site();
  const place = new Place(site.session, ITEM);
  site.edit({ frame_type: 1 });
  expect([place.find(), place.isElsewhere, place.facts.point.code]).toEqual([undefined, false, 'P']);
  site.isChannelThere = false;
  expect(place.find()).toBeUndefined();
});

it('of a point that was never there has no facts; that comes later is elsewhere', () => {
  const site = new Site();
  site.isChannelThere = false;
  const place = new Place(site.session, ITEM);
  expect(place.facts).toEqual({ point: {}, channel: {}, mapping: {} });
  expect(place.isOtherDevice).toBe(true);
  site.isChannelThere = true;
  expect([place.find()?.point.code, place.isElsewhere, place.isOtherDevice]).toEqual(['P', true, true]);
});

it('is another device where the channel leads elsewhere or is gone, whatever became of the point', () => {
  const site = new Site();
  const place = new Place(site.session, ITEM);
  site.edit({ address: 6 });
  place.find();
  expect(place.isOtherDevice).toBe(false);
  site.settings = { ...site.settings, ip: '192.0.2.11' };
  expect(place.isOtherDevice).toBe(true);
  site.isChannelThere = false;
  expect(place.isOtherDevice).toBe(true);
});
