import { getVariableName } from './theme-colours.ts'

type ColourSet = Record<string, string>

export interface TokenTheme {
  slug: string
  name: string
  light: ColourSet & { semantic: ColourSet }
  dark: ColourSet & { semantic: ColourSet }
}

/** keeper-classic also applies to :root, because custom themes have no rule here and leave colors unset. */
export function themesCss(themes: TokenTheme[]): string {
  const blocks = themes.flatMap((theme) => {
    const named = `[data-theme="${theme.slug}"]`
    const isDefault = theme.slug === 'keeper-classic'
    const light = isDefault ? `:root,\n${named}` : named
    const dark = isDefault ? `:root[data-mode="dark"],\n${named}[data-mode="dark"]` : `${named}[data-mode="dark"]`
    return [block(light, theme.light), block(dark, theme.dark)]
  })
  return `/* Written from tokens.json by build/write-themes-css.ts; a test keeps the two in sync. */\n${blocks.join('\n')}`
}

function block(selector: string, { semantic, ...core }: TokenTheme['light']): string {
  const colours: ColourSet = { ...(core as ColourSet), ...semantic }
  const lines = Object.entries(colours).map(([key, value]) => `  ${getVariableName(key)}: ${value.toLowerCase()};\n`)
  return `${selector} {\n${lines.join('')}}\n`
}
