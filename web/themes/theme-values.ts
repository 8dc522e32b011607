import type { ThemeKey } from '#contract/themes/theme-keys.ts'
import type { Theme } from '#contract/themes/themes.ts'
import { truncate } from '#contract/truncate.ts'

export const themeModes = ['light', 'dark'] as const

export type ThemeValues = Pick<Theme, 'name' | 'note' | 'visibility' | 'light' | 'dark' | 'basis'>

export function toThemeValues({ name, note, visibility, light, dark, basis }: Theme): ThemeValues {
  return { name, note, visibility, light, dark, basis }
}

export function copyThemeValues(theme: Theme): ThemeValues {
  return {
    ...toThemeValues(theme),
    name: truncate(`My ${theme.name}`, 60),
    note: '',
    visibility: 'private',
  }
}

const keyLabels: Readonly<Record<string, string>> = {
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
  input: 'Field borders',
  ring: 'Focus ring',
  success: 'Success',
  successForeground: 'Text on success',
  successSoft: 'Success background',
  warning: 'Warnings',
  warningForeground: 'Text on warnings',
  warningSoft: 'Warning background',
  info: 'Notes',
  infoForeground: 'Text on notes',
  infoSoft: 'Note background',
  destructiveSoft: 'Error background',
  ribbonText: 'Text on ribbons',
  ribbonSoft: 'Ribbon background',
  sidebar: 'Sidebar',
  sidebarForeground: 'Text in the sidebar',
  paper: 'Paper',
}

export function getKeyLabel(key: ThemeKey | string): string {
  return keyLabels[key] ?? key
}
