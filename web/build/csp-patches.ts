import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

interface Patch {
  file: RegExp
  find: RegExp
  replace: string
}

/** These packages add a <style>, which the page policy refuses; toaster.tsx and base.css have their rules. */
const patches: Patch[] = [
  { file: /[\\/]sonner[\\/]dist[\\/]index\.m?js$/, find: /^__insertCSS\(".*"\);?$/m, replace: '' },
  {
    file: /[\\/]@radix-ui[\\/]react-select[\\/]dist[\\/]index\.m?js$/,
    find: /jsx\(\s*"style",\s*\{\s*dangerouslySetInnerHTML:[\s\S]*?nonce\s*\}\s*\)/,
    replace: 'null',
  },
  {
    file: /[\\/]@radix-ui[\\/]react-scroll-area[\\/]dist[\\/]index\.m?js$/,
    find: /jsx\(\s*"style",\s*\{\s*dangerouslySetInnerHTML:[\s\S]*?nonce\s*\}\s*\)/,
    replace: 'null',
  },
]

/** Replacements for packages that break the page policy. */
const replacementModules: Record<string, string> = {
  'react-style-singleton': fileURLToPath(new URL('../csp/react-style-singleton.ts', import.meta.url)),
  'decode-named-character-reference': fileURLToPath(
    new URL('../csp/decode-named-character-reference.ts', import.meta.url),
  ),
}

export function cspPatches(): Plugin {
  return {
    name: 'keeper-csp-patches',
    apply: 'build',
    enforce: 'pre',
    resolveId(source) {
      return replacementModules[source] ?? null
    },
    transform(code, id) {
      const patch = patches.find(({ file }) => file.test(id.split('?')[0] ?? id))
      if (!patch) return null
      if (!patch.find.test(code)) {
        this.error(`${id} no longer writes the style that csp-patches.ts removes. Check the patch.`)
      }
      return { code: code.replace(patch.find, patch.replace), map: null }
    },
  }
}
