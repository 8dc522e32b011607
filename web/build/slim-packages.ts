import type { Plugin } from 'vite'

/** Removes the React keys of icons' parts, a tenth of their bytes: parts drawn from constants need none. */
export function slimIcons(): Plugin {
  return {
    name: 'keeper-slim-icons',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!/[\\/]lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/]/.test(id)) return null
      return { code: code.replace(/,\s+key: "\w+"|^__iconData\.node;$/gm, ''), map: null }
    },
  }
}

const otherFontFormats = /,\s*url\([^)]+\.(?:woff|ttf)\)\s*format\("(?:woff|truetype)"\)/g

/** Every supported browser reads woff2, so the other two formats of the formula fonts are omitted. */
export function formulaFonts(): Plugin {
  return {
    name: 'keeper-formula-fonts',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!/[\\/]katex[\\/]dist[\\/]katex\.min\.css$/.test(id.split('?')[0] ?? id)) return null
      const strippedCode = code.replace(otherFontFormats, '')
      if (/\.(?:woff|ttf)\)/.test(strippedCode)) this.error(`${id} names its fonts in a new way. Check this plugin.`)
      return { code: strippedCode, map: null }
    },
  }
}
