import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { useAuth } from '#web/accounts/auth-context.tsx'
import { useViewMode } from './view-mode-provider.tsx'

function AsksWho() {
  useAuth()
  return null
}

function AsksForMode() {
  useViewMode()
  return null
}

/** No user-facing texts: they are for who builds a page (seed 000 §8). */
it.each([
  ['useAuth must be used within an AuthProvider', <AsksWho key="who" />],
  ['useViewMode must be used within a ViewModeProvider', <AsksForMode key="mode" />],
])('whoever forgets the provider is told: %s', (text, page) => {
  expect(() => renderToStaticMarkup(page)).toThrow(text)
})
