import { readFileSync, writeFileSync } from 'node:fs'
import { buildThemesCss, type TokenTheme } from '../themes/base/themes-css.ts'

const tokens = JSON.parse(readFileSync(new URL('../../contract/themes/tokens.json', import.meta.url), 'utf8')) as {
  themes: TokenTheme[]
}
writeFileSync(new URL('../themes/base/themes.css', import.meta.url), buildThemesCss(tokens.themes))
