import type { Plugin } from 'vite'

const otherForms = /,\s*url\([^)]+\.(?:woff|ttf)\)\s*format\("(?:woff|truetype)"\)/g

/** Every browser that shows these pages reads woff2: the two other forms of the fonts for formulas are not written. */
export function formulaFonts(): Plugin {
  return {
    name: 'keeper-formula-fonts',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!/[\\/]katex[\\/]dist[\\/]katex\.min\.css$/.test(id.split('?')[0] ?? id)) return null
      const lean = code.replace(otherForms, '')
      if (/\.(?:woff|ttf)\)/.test(lean)) this.error(`${id} names its fonts in another way. Look at it again.`)
      return { code: lean, map: null }
    },
  }
}
