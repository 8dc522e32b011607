import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { Journey } from '#contract/keepers/journeys.ts'
import { createDemoState } from '../demo/demo-state.ts'
import { JourneyList } from '../journeys/journey-list.tsx'
import { LogbookYears } from '../logbook/logbook-card.tsx'

const render = (node: ReactNode) => renderToStaticMarkup(<MemoryRouter>{node}</MemoryRouter>)
const countItems = (markup: string) => markup.match(/<li/g)?.length
const indexes = Array.from({ length: 450 }, (_, index) => index)

test('a long list of journeys renders the first ones and the open one', () => {
  const journeys = indexes.map((index) => ({ ...(createDemoState('demo').journeys[0] as Journey), id: `${index}` }))
  const first = render(<JourneyList journeys={journeys} openId={undefined} />)
  expect(countItems(first)).toBe(200)
  expect(first).toContain('Show more of 450')
  expect(countItems(render(<JourneyList journeys={journeys} openId="299" />))).toBe(300)
  expect(render(<JourneyList journeys={journeys.slice(0, 200)} openId={undefined} />)).not.toContain('Show more')
})

test('a long logbook renders the newest entries by year', () => {
  const entries = indexes.map((index) => ({
    id: `${index}`,
    entry: 'I stay.',
    label: `Watch ${index}`,
    category: 'Work',
    occurredOn: new Date(Date.UTC(2000, 0, 1 + 20 * index)).toISOString().slice(0, 10),
  }))
  const years = render(<LogbookYears entries={entries} />)
  expect(countItems(years)).toBe(200)
  expect(years).toContain('Watch 449')
  expect(years).not.toContain('Watch 249<')
  expect(years).toContain('Show more of 450')
})
