import { normalizeColor } from '#contract/themes/normalize-color.ts'
import { shippedThemeSlugs, type ThemeKey, themeKeys } from '#contract/themes/theme-keys.ts'
import type { Theme } from '#contract/themes/themes.ts'
import { themeModes } from './theme-values.ts'

export type ThemeInFile = Pick<Theme, 'name' | 'note' | 'light' | 'dark' | 'basis'>

const maxThemeFileCharacters = 100_000
const maxNameLength = 60
const maxNoteLength = 200

export function createThemeFile({ name, note, light, dark, basis }: ThemeInFile): Blob {
  const file = { kind: 'keeper-theme', version: 1, name, note, basis, light, dark }
  return new Blob([`${JSON.stringify(file, null, 2)}\n`], { type: 'application/json' })
}

/** Parses an exported theme and drops unknown keys; `problems` lists everything wrong with it. */
export function readThemeFile(text: string): { theme: ThemeInFile } | { problems: string[] } {
  if (text.length > maxThemeFileCharacters)
    return { problems: ['This file is larger than a theme can be. Choose another one.'] }
  if (text.trim() === '') return { problems: ['This file is empty. Choose a file exported from a theme.'] }
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    return { problems: ['This file isn’t valid JSON. Choose a file exported from a theme.'] }
  }
  if (!isRecord(content)) return { problems: ['This isn’t a theme file. Choose a file exported from a theme.'] }
  const { name, note, basis } = content
  const problems: string[] = []
  const trimmedName = typeof name === 'string' ? name.trim() : ''
  if (trimmedName === '') problems.push('The theme has no name. Add it as "name".')
  if (trimmedName.length > maxNameLength)
    problems.push(`The name is longer than ${maxNameLength} characters. Shorten it.`)
  const trimmedNote = typeof note === 'string' ? note.trim() : ''
  if (trimmedNote.length > maxNoteLength)
    problems.push(`The note is longer than ${maxNoteLength} characters. Shorten it.`)
  const colorSets = themeModes.map((mode) => {
    const colorSet = content[mode]
    if (!isRecord(colorSet)) {
      problems.push(`The ${mode} colors are missing. Add them as "${mode}".`)
      return {}
    }
    return Object.fromEntries(
      themeKeys.map((key) => {
        const value = Object.hasOwn(colorSet, key) ? colorSet[key] : undefined
        const color = typeof value === 'string' ? normalizeColor(value) : undefined
        if (value === undefined) problems.push(`The ${mode} ${key} is missing. Use a hex color like #2a3d58.`)
        else if (color === undefined) problems.push(`The ${mode} ${key} isn’t a color. Use a hex color like #2a3d58.`)
        return [key, color ?? '']
      }),
    )
  }) as [Record<ThemeKey, string>, Record<ThemeKey, string>]
  const basisSlug = shippedThemeSlugs.find((slug) => slug === basis)
  if (basis !== undefined && basis !== null && !basisSlug)
    problems.push(`The theme’s base isn’t a built-in theme. Set "basis" to one of ${shippedThemeSlugs.join(', ')}.`)
  if (problems.length > 0) return { problems }
  return {
    theme: {
      name: trimmedName,
      note: trimmedNote,
      basis: basisSlug ?? null,
      light: colorSets[0],
      dark: colorSets[1],
    },
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
