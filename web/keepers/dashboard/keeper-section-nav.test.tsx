import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import type { Dashboard } from '#contract/keepers/dashboard.ts'
import { writeSetting } from '#web/offline/browser-memory.ts'
import { dashboardQuery } from './dashboard-query.ts'
import { KeeperSectionNav } from './keeper-section-nav.tsx'

vi.mock('../moments/use-today.ts', () => ({ useToday: () => '2026-12-01' }))

const countPattern = />(\w+)<span class="([^"]*)">(\d*)</g

afterEach(() => writeSetting('keeper-section-counts', null))

/** Describes the links that have a count. Without `counts`, the counts are still loading. */
function renderCounts(counts?: Partial<Dashboard['counts']>): string[] {
  const queryClient = new QueryClient()
  if (counts) queryClient.setQueryData<unknown>(dashboardQuery('harbour', '2026-12-01').queryKey, { counts })
  const markup = renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={['/keeper/harbour/moments']}>
        <KeeperSectionNav id="harbour" keeper={undefined} />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  return [...markup.matchAll(countPattern)].map(([, label, classes = '', count]) => {
    const verb = classes.includes('invisible') ? 'reserves' : 'shows'
    const emptyWidth = classes.includes('min-w-[2ch]') ? '2ch' : 'nothing'
    return `${label} ${verb} ${count || emptyWidth}`
  })
}

test('loading counts reserve the width of the last counts in this browser', () => {
  writeSetting('keeper-section-counts', JSON.stringify([['harbour', { moments: 47, journeys: 0, voice: 4 }]]))
  expect(renderCounts()).toEqual(['Moments reserves 47', 'Voice reserves 4'])
})

test('counts that load for the first time reserve two digits', () => {
  expect(renderCounts()).toContain('Moments reserves 2ch')
})

test('loaded counts are as wide as their digits, also on the first visit', () => {
  expect(renderCounts({ moments: 385, journeys: 4, cards: 0 })).toEqual(['Moments shows 385', 'Journeys shows 4'])
})

test.each(['no JSON', '[["harbour", 7]]', '[["harbour", {"moments": "many"}]]'])(
  'stored counts that aren’t numbers show nothing: %s',
  (stored) => {
    writeSetting('keeper-section-counts', stored)
    expect(renderCounts().filter((line) => !line.endsWith('2ch'))).toEqual([])
  },
)
