import type { ThemeKey } from '#contract/themes/theme-keys.ts'
import type { Theme } from '#contract/themes/themes.ts'
import { truncate } from '#contract/truncate.ts'

/** What is changed of a theme. */
export type ThemeValues = Pick<Theme, 'name' | 'note' | 'visibility' | 'light' | 'dark' | 'basis'>

export function valuesOfTheme({ name, note, visibility, light, dark, basis }: Theme): ThemeValues {
  return { name, note, visibility, light, dark, basis }
}

/** A new theme that begins as another one. */
export function valuesFrom(theme: Theme): ThemeValues {
  return {
    ...valuesOfTheme(theme),
    name: truncate(`${theme.name} of mine`, 60),
    note: '',
    visibility: 'private',
  }
}

const labels: Readonly<Record<string, string>> = {
  background: 'Page',
  foreground: 'Text',
  card: 'Cards',
  cardForeground: 'Text on cards',
  popover: 'Menus',
  popoverForeground: 'Text in menus',
  primary: 'Main buttons',
  primaryForeground: 'Text on main buttons',
  secondary: 'Quiet buttons',
  secondaryForeground: 'Text on quiet buttons',
  muted: 'Quiet areas',
  mutedForeground: 'Quiet text',
  accent: 'Highlights',
  accentForeground: 'Text on highlights',
  destructive: 'Delete buttons',
  destructiveForeground: 'Text on delete buttons',
  border: 'Lines',
  input: 'Edges of fields',
  ring: 'Frame of what has the focus',
  success: 'What went well',
  successForeground: 'Text on what went well',
  successSoft: 'Ground of what went well',
  warning: 'Warnings',
  warningForeground: 'Text on warnings',
  warningSoft: 'Ground of warnings',
  info: 'Notes',
  infoForeground: 'Text on notes',
  infoSoft: 'Ground of notes',
  destructiveSoft: 'Ground of errors',
  ribbonText: 'Text on ribbons',
  ribbonSoft: 'Ground of ribbons',
  sidebar: 'Sidebar',
  sidebarForeground: 'Text in the sidebar',
  paper: 'Paper',
}

/** 'Text on cards' */
export function keyLabel(key: ThemeKey | string): string {
  return labels[key] ?? key
}
