import { readFileSync, writeFileSync } from 'node:fs'
import { isMain } from '../../server/start/require-node.ts'
import { getVariableName } from '../themes/base/theme-colors.ts'

type ColorSet = Record<string, string>

export interface TokenTheme {
  slug: string
  name: string
  light: ColorSet & { semantic: ColorSet }
  dark: ColorSet & { semantic: ColorSet }
}

/** keeper-classic also applies to :root, because custom themes have no rule here and leave colors unset. */
export function buildThemesCss(themes: TokenTheme[]): string {
  const rules = themes.flatMap((theme) => {
    const themeSelector = `[data-theme="${theme.slug}"]`
    const isDefault = theme.slug === 'keeper-classic'
    const light = isDefault ? `:root,\n${themeSelector}` : themeSelector
    const dark = isDefault
      ? `:root[data-mode="dark"],\n${themeSelector}[data-mode="dark"]`
      : `${themeSelector}[data-mode="dark"]`
    return [formatRule(light, theme.light), formatRule(dark, theme.dark)]
  })
  return `/* Written from tokens.json by build/write-themes-css.ts; a test keeps the two in sync. */\n${rules.join('\n')}`
}

function formatRule(selector: string, { semantic, ...core }: TokenTheme['light']): string {
  const colors: ColorSet = { ...(core as ColorSet), ...semantic }
  const lines = Object.entries(colors).map(([key, value]) => `  ${getVariableName(key)}: ${value.toLowerCase()};\n`)
  return `${selector} {\n${lines.join('')}}\n`
}

if (isMain(import.meta)) {
  const tokens = JSON.parse(readFileSync(new URL('../../contract/themes/tokens.json', import.meta.url), 'utf8')) as {
    themes: TokenTheme[]
  }
  writeFileSync(new URL('../themes/base/themes.css', import.meta.url), buildThemesCss(tokens.themes))
}
