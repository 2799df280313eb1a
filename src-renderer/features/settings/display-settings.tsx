import { Input, SegmentedControl, Select, Switch, Text, useMantineColorScheme } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import {
  ADDRESS_NOTATIONS,
  DECIMAL_SIGNS,
  DENSITIES,
  MOST_DECIMALS,
  prefer,
  ROW_PIXELS,
  usePreferences,
  writingOf,
} from '../../app/preferences.ts';
import { LANGUAGE_NAMES, LANGUAGES, setLanguage } from '../../i18n/index.ts';
import { shownNumber } from '../../ui/number.ts';
import { formatDateTime } from '../../ui/time.ts';
import { fixedZones, LOCAL_ZONE, UTC_ZONE } from '../../ui/time-zone.ts';
import { useSeconds } from '../../ui/use-seconds.ts';
import { useZoneName } from '../../ui/zone-text.ts';
import classes from './settings.module.css';

const SCHEMES = ['light', 'dark', 'auto'] as const;
/** As many decimals as the point can resolve. */
const RESOLVED = 'all';
const ZONES = [LOCAL_ZONE, UTC_ZONE, ...fixedZones()];

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly hint?: string;
  readonly values: readonly Value[];
  readonly value: Value;
  nameOf(value: Value): string;
  onChange(value: Value): void;
  readonly testId: string;
}

/** One of a few, all in sight. */
function Choice<Value extends string>({ label, hint, values, value, nameOf, onChange, testId }: ChoiceProps<Value>) {
  const id = useId();
  return (
    <Input.Wrapper label={label} description={hint} labelElement="div" labelProps={{ id }}>
      <SegmentedControl
        fullWidth
        aria-labelledby={id}
        value={value}
        onChange={(next) => {
          const chosen = values.find((item) => item === next);
          if (chosen !== undefined) onChange(chosen);
        }}
        data={values.map((item) => ({ value: item, label: nameOf(item) }))}
        data-testid={testId}
      />
    </Input.Wrapper>
  );
}

/** How a time and a number look now. */
function Sample({ children }: { readonly children: ReactNode }) {
  return (
    <Text size="xs" className={classes.sample} data-testid="settings-sample">
      {children}
    </Text>
  );
}

function LookFields() {
  const { t, i18n } = useTranslation('settings');
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const density = usePreferences((state) => state.density);
  const addresses = usePreferences((state) => state.addresses);
  return (
    <>
      <Choice
        label={t('language')}
        values={LANGUAGES}
        value={LANGUAGES.find((language) => language === i18n.language) ?? 'en'}
        nameOf={(language) => LANGUAGE_NAMES[language]}
        onChange={(language) => void setLanguage(language)}
        testId="settings-language"
      />
      <Choice
        label={t('scheme.label')}
        values={SCHEMES}
        value={colorScheme}
        nameOf={(scheme) => t(`scheme.${scheme}`)}
        onChange={setColorScheme}
        testId="settings-scheme"
      />
      <Choice
        label={t('density.label')}
        hint={t('density.hint')}
        values={DENSITIES}
        value={density}
        nameOf={(item) => `${ROW_PIXELS[item]} px`}
        onChange={(next) => prefer({ density: next })}
        testId="settings-density"
      />
      <Choice
        label={t('addresses.label')}
        hint={t('addresses.hint')}
        values={ADDRESS_NOTATIONS}
        value={addresses}
        nameOf={(item) => t(`addresses.${item}`)}
        onChange={(next) => prefer({ addresses: next })}
        testId="settings-addresses"
      />
    </>
  );
}

function WritingFields() {
  const { t } = useTranslation('settings');
  const { timeZone, decimals, decimalSign, isGrouped } = usePreferences();
  const nameOfZone = useZoneName();
  const decimalChoices = [RESOLVED, ...Array.from({ length: MOST_DECIMALS + 1 }, (_, most) => String(most))];
  return (
    <>
      <Select
        label={t('zone.label')}
        description={t('zone.hint')}
        data={ZONES.map((zone) => ({ value: zone, label: nameOfZone(zone) }))}
        value={timeZone}
        allowDeselect={false}
        searchable
        onChange={(zone) => (zone === null ? undefined : prefer({ timeZone: zone }))}
        data-testid="settings-zone"
      />
      <Select
        label={t('number.decimals')}
        description={t('number.hint')}
        data={decimalChoices.map((value) => ({
          value,
          label: value === RESOLVED ? t('number.resolved') : t('number.most', { count: Number(value) }),
        }))}
        value={decimals === null ? RESOLVED : String(decimals)}
        allowDeselect={false}
        onChange={(value) => prefer({ decimals: value === RESOLVED || value === null ? null : Number(value) })}
        data-testid="settings-decimals"
      />
      <Choice
        label={t('number.sign')}
        values={DECIMAL_SIGNS}
        value={decimalSign}
        nameOf={(sign) => t(`number.${sign}`)}
        onChange={(sign) => prefer({ decimalSign: sign })}
        testId="settings-sign"
      />
      <Input.Wrapper label={t('number.groups')} labelElement="div">
        <Switch
          mt={6}
          label={t('number.grouped')}
          checked={isGrouped}
          onChange={(event) => prefer({ isGrouped: event.currentTarget.checked })}
          data-testid="settings-grouped"
        />
      </Input.Wrapper>
    </>
  );
}

/** What belongs to the person in front of the screen: it holds at once, and is kept in this browser. */
export function DisplaySettings() {
  const { t } = useTranslation('settings');
  const writing = usePreferences(writingOf);
  const now = new Date(useSeconds()).toISOString();
  return (
    <div className={classes.grid}>
      <LookFields />
      <WritingFields />
      <div className={classes.whole}>
        <Sample key={writing}>
          {t('sample')} <b>{formatDateTime(now)}</b> · <b>{shownNumber('-12345.678')}</b>
        </Sample>
        <Sample>{t('keptHere')}</Sample>
      </div>
    </div>
  );
}
