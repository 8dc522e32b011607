import type { ThemeKey } from '#contract/themes/theme-keys.ts'
import type { Theme } from '#contract/themes/themes.ts'

/** What is changed of a theme. */
export type ThemeValues = Pick<Theme, 'name' | 'note' | 'visibility' | 'light' | 'dark'>

export function valuesOfTheme({ name, note, visibility, light, dark }: Theme): ThemeValues {
  return { name, note, visibility, light, dark }
}

/** A new theme that begins as another one. */
export function valuesFrom(theme: Theme): ThemeValues {
  return { ...valuesOfTheme(theme), name: `${theme.name} of mine`.slice(0, 60), note: '', visibility: 'private' }
}

/** 'Card foreground' */
export function keyLabel(key: ThemeKey | string): string {
  const words = key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
