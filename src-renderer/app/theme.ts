import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';
import { rowIcons } from './row-icons.ts';

/*
 * One restrained palette. Shade 7 carries white text with at least 4.5 : 1 in every colour, so filled buttons and badges meet
 * WCAG AA in both themes; a test holds the numbers.
 */
const steel: MantineColorsTuple = [
  '#eef7fd',
  '#ddedf9',
  '#c0def2',
  '#9dcbea',
  '#78b6de',
  '#58a1cf',
  '#3989b7',
  '#23709b',
  '#175b81',
  '#124765',
];
const red: MantineColorsTuple = [
  '#fff1ef',
  '#ffe1de',
  '#ffc8c3',
  '#ffa9a3',
  '#fa8882',
  '#eb6a66',
  '#d24c4c',
  '#b33638',
  '#95282b',
  '#751f21',
];
const green: MantineColorsTuple = [
  '#eff9f2',
  '#ddf0e4',
  '#c1e3ce',
  '#9dd3b3',
  '#78c097',
  '#57ad7e',
  '#369565',
  '#1f7b50',
  '#126540',
  '#0f4f31',
];
const amber: MantineColorsTuple = [
  '#fdf4ec',
  '#f7e8d8',
  '#efd4b8',
  '#e5bc90',
  '#d7a268',
  '#c68a43',
  '#af711f',
  '#935a00',
  '#7a4800',
  '#5f3800',
];
const gray: MantineColorsTuple = [
  '#f5f6f7',
  '#e8ebed',
  '#d5dade',
  '#bec5cb',
  '#a7afb7',
  '#909aa2',
  '#78828b',
  '#616a72',
  '#4e565d',
  '#3d4349',
];
const dark: MantineColorsTuple = [
  '#d6dbe0',
  '#b8c0c8',
  '#9aa4ae',
  '#6f7a85',
  '#3b444d',
  '#323a43',
  '#262d35',
  '#1b2127',
  '#161b20',
  '#101418',
];

const chinese = '"Microsoft YaHei", "PingFang SC", "Noto Sans CJK SC"';

/** Dense, calm, the same in both themes: 13 px text, small radius, no colour that is not a statement. */
export const theme = createTheme({
  // who asked the system for less motion gets none here
  respectReducedMotion: true,
  primaryColor: 'steel',
  primaryShade: 7,
  colors: { steel, red, green, amber, yellow: amber, gray, dark },
  white: '#ffffff',
  black: '#1c2329',
  defaultRadius: 'sm',
  radius: { xs: '2px', sm: '4px', md: '6px', lg: '8px', xl: '12px' },
  fontFamily: `"Segoe UI", -apple-system, BlinkMacSystemFont, ${chinese}, system-ui, sans-serif`,
  fontFamilyMonospace: `"Cascadia Mono", Consolas, "SF Mono", "DejaVu Sans Mono", ${chinese}, monospace`,
  headings: { fontWeight: '600', sizes: { h1: { fontSize: '18px' }, h2: { fontSize: '16px' }, h3: { fontSize: '14px' } } },
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '18px' },
  spacing: { xs: '6px', sm: '10px', md: '14px', lg: '18px', xl: '24px' },
  cursorType: 'pointer',
  components: {
    Button: { defaultProps: { size: 'xs' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 'md' } },
    TextInput: { defaultProps: { size: 'xs' } },
    Textarea: { defaultProps: { size: 'xs' } },
    NumberInput: { defaultProps: { size: 'xs' } },
    PasswordInput: { defaultProps: { size: 'xs' } },
    Select: { defaultProps: { size: 'xs', comboboxProps: { shadow: 'md' } } },
    MultiSelect: { defaultProps: { size: 'xs', comboboxProps: { shadow: 'md' } } },
    Autocomplete: { defaultProps: { size: 'xs' } },
    TagsInput: { defaultProps: { size: 'xs' } },
    Checkbox: { defaultProps: { size: 'xs' } },
    Switch: { defaultProps: { size: 'xs' } },
    SegmentedControl: { defaultProps: { size: 'xs' } },
    Text: { defaultProps: { size: 'sm' } },
    Tooltip: { defaultProps: { openDelay: 400, withArrow: true, multiline: true, maw: 360 } },
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'error', 'description'] } },
    Modal: {
      defaultProps: { centered: true, padding: 'md', overlayProps: { backgroundOpacity: 0.4 } },
      styles: { title: { fontSize: '15px', fontWeight: 600 } },
    },
    Notification: { styles: { description: { color: 'var(--lc-text)' }, title: { color: 'var(--lc-text)', fontWeight: 600 } } },
    Menu: { defaultProps: { shadow: 'md', withinPortal: true, withInitialFocusPlaceholder: false } },
    Alert: { defaultProps: { variant: 'light', p: 'xs' } },
  },
});

/** Colours of the pages by their name in `--lc-<name>`. A colour that makes a statement always has an icon or a word beside it. */
export const tokens = {
  light: {
    page: '#eef1f3',
    panel: '#ffffff',
    'panel-alt': '#f5f6f7',
    hover: '#eef4f8',
    selected: '#ddedf9',
    border: '#d5dade',
    text: '#1c2329',
    muted: '#5a636b',
    ok: '#1a6e46',
    warn: '#855000',
    bad: '#b02f32',
    busy: '#1d6690',
    changed: '#cfe6f7',
    'warn-soft': '#fdf4ec',
    'bad-soft': '#fff1ef',
  },
  dark: {
    page: '#14191e',
    panel: '#1b2127',
    'panel-alt': '#20272e',
    hover: '#252d35',
    selected: '#1f3a4d',
    border: '#343d46',
    text: '#d6dbe0',
    muted: '#9aa4ae',
    ok: '#78c097',
    warn: '#d7a268',
    bad: '#fa8882',
    busy: '#78b6de',
    changed: '#24506d',
    'warn-soft': '#33291d',
    'bad-soft': '#3a2325',
  },
} as const;

function asVariables(colours: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(colours).map(([name, value]) => [`--lc-${name}`, value]));
}

/** Mantine's own grey texts miss AA contrast; these reach it. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...asVariables(tokens.light),
    ...rowIcons(tokens.light),
    '--mantine-color-dimmed': gray[7],
    '--mantine-color-placeholder': gray[7],
    '--mantine-color-error': red[7],
    '--mantine-color-gray-light-color': gray[8],
  },
  dark: {
    ...asVariables(tokens.dark),
    ...rowIcons(tokens.dark),
    '--mantine-color-dimmed': dark[2],
    '--mantine-color-placeholder': dark[2],
    '--mantine-color-error': red[4],
    '--mantine-color-anchor': steel[4],
  },
});
