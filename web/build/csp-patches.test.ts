import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { cspPatches } from './csp-patches.ts'
import { findHtmlProblems } from './prerendered-pages.ts'

const require = createRequire(import.meta.url)

function transform(code: string, id: string): string | null {
  const plugin = cspPatches() as unknown as {
    transform: (this: unknown, code: string, id: string) => { code: string } | null
  }
  const context = {
    error(message: string) {
      throw new Error(message)
    },
  }
  return plugin.transform.call(context, code, id)?.code ?? null
}

test.each([
  ['sonner', /^__insertCSS\(/m],
  ['@radix-ui/react-select', /dangerouslySetInnerHTML/],
  ['@radix-ui/react-scroll-area', /dangerouslySetInnerHTML/],
])('the installed %s no longer writes a style element', (name, style) => {
  const entry = require.resolve(name).replace(/index\.js$/, 'index.mjs')
  const code = readFileSync(entry, 'utf8')
  expect(code).toMatch(style)
  expect(transform(code, entry)).not.toMatch(style)
})

test('an unknown package version fails the build', () => {
  expect(() => transform('writeStyles()', '/node_modules/sonner/dist/index.mjs')).toThrow(/no longer writes/)
})

test('other files stay unchanged', () => {
  expect(transform('writeStyles()', '/node_modules/sonner-like/dist/index.mjs')).toBeNull()
})

test.each([
  ['<p style="color:red">', 'a style attribute: a prerendered component uses style={{}}'],
  ['<style>p{}</style>', 'a <style> element'],
  ['<script>1</script>', 'an inline script'],
  ['<body onload="x()">', 'an event attribute'],
])('%s is reported', (html, problem) => {
  expect(findHtmlProblems(html)).toEqual([problem])
})

test('a clean page has no problems', () => {
  expect(
    findHtmlProblems('<script src="/theme.js"></script><p class="x" data-style="on=1">A style="x" in words</p>'),
  ).toEqual([])
})

test('a package that breaks the page policy is replaced in the browser build', () => {
  const { resolveId } = cspPatches() as unknown as { resolveId: (source: string) => string | null }
  const folder = new URL('../../node_modules/decode-named-character-reference/', import.meta.url)
  expect(readFileSync(new URL('index.dom.js', folder), 'utf8')).toMatch(/innerHTML = characterReference/)
  expect(readFileSync(resolveId('decode-named-character-reference') ?? '', 'utf8')).toMatch(
    /toTrustedCharacterReference/,
  )
  expect(resolveId('react')).toBeNull()
})
