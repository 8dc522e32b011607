import { expect, it } from 'vitest'
import { getPaletteRoutes } from '../page/page-routes.ts'
import { createPaletteActions, type PaletteContext } from './palette-actions.ts'
import { arrangeEntries, type PaletteEntry } from './rank-entries.ts'
import { describePage, routeKeywords } from './use-palette-entries.ts'

const entries = getPaletteRoutes().map<PaletteEntry>(({ path, to, title }) => ({
  id: to,
  group: 'Go to',
  title,
  keywords: `${to} ${routeKeywords[path] ?? ''}`,
  to,
}))
const findFirst = (input: string) => arrangeEntries(entries, input, { expanded: new Set() })[0]?.visible[0]?.entry.to

it('every path with search terms is listed in the palette', () => {
  const paths = getPaletteRoutes().map(({ path }) => path)
  expect(Object.keys(routeKeywords).filter((path) => !paths.includes(path))).toEqual([])
})

it.each([
  ['api usage analytics', '/studio/admin'],
  ['budget', '/studio/admin'],
  ['audit', '/admin/audit'],
  ['intent console', '/studio/kip'],
  ['trash', '/keeper/bin'],
])('typing %s finds %s first', (input, to) => {
  expect(findFirst(input)).toBe(to)
})

it('themes are found by what is done with them', () => {
  const actions = createPaletteActions({ themes: [] } as unknown as PaletteContext)
  const [group] = arrangeEntries(actions, 'apply colors', { expanded: new Set() })
  expect(group?.visible[0]?.entry.title).toBe('Use theme Keeper Classic')
})

it.each([
  ['/keeper/k2/moments', 'Moments', 'Garden Log'],
  ['/keeper/1/voice-panel', 'Voice Panel', 'The Harbour Year'],
  ['/keeper/selected/metadata?id=k2', 'Keeper Metadata', 'Garden Log'],
  ['/keeper/deleted/moments', 'Moments', 'Keepers'],
  ['/studio/agents/lamp-lighter', 'Lamp Lighter', 'Studio › Manage Agents'],
  ['/library', 'Documents', ''],
])('the recent page %s is named %s, %s', (address, title, hint) => {
  const keepers = [
    { id: 'k1', title: 'The Harbour Year' },
    { id: 'k2', title: 'Garden Log' },
  ]
  const agents = [{ id: 'a1', slug: 'lamp-lighter', name: 'Lamp Lighter' }]
  expect(describePage(address, keepers, agents)).toEqual({ title, hint })
})
