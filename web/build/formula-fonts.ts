import type { Plugin } from 'vite'

const otherFormats = /,\s*url\([^)]+\.(?:woff|ttf)\)\s*format\("(?:woff|truetype)"\)/g

/** Every supported browser reads woff2, so the other two formats of the formula fonts are omitted. */
export function formulaFonts(): Plugin {
  return {
    name: 'keeper-formula-fonts',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!/[\\/]katex[\\/]dist[\\/]katex\.min\.css$/.test(id.split('?')[0] ?? id)) return null
      const strippedCode = code.replace(otherFormats, '')
      if (/\.(?:woff|ttf)\)/.test(strippedCode)) this.error(`${id} names its fonts in a new way. Check this plugin.`)
      return { code: strippedCode, map: null }
    },
  }
}
