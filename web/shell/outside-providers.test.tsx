import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { useAuth } from '#web/page/auth-context.tsx'
import { useViewMode } from '../page/view-mode-provider.tsx'

function UsesAuth() {
  useAuth()
  return null
}

function UsesViewMode() {
  useViewMode()
  return null
}

it.each([
  ['useAuth must be used within an AuthProvider', <UsesAuth key="who" />],
  ['useViewMode must be used within a ViewModeProvider', <UsesViewMode key="mode" />],
])('a missing provider throws: %s', (text, page) => {
  expect(() => renderToStaticMarkup(page)).toThrow(text)
})
