import { expect, it } from 'vitest'
import { toWaitingLines } from './waiting-for-you.tsx'

const quiet = { echoesReady: 0, draftSubmittedAt: null, suggestions: 0 }
const formatLines = (waiting: Parameters<typeof toWaitingLines>[0]) =>
  toWaitingLines(waiting).map(({ title, links }) => [title, ...links.map(({ text, to }) => `${text}: ${to}`)])

it('each keeper lists its waiting items with links', () => {
  const keepers = [
    { ...quiet, keeperId: 'k1', title: 'The Harbour Year', echoesReady: 1, suggestions: 1 },
    { keeperId: 'k 2', title: 'Garden', echoesReady: 1200, draftSubmittedAt: '2026-11-20T10:00:00Z', suggestions: 3 },
  ]
  expect(formatLines({ keepers, moreKeepers: 0, toReview: [] })).toEqual([
    [
      'The Harbour Year',
      '1 echo is ready: /keeper/k1/echo-writer',
      '1 reflection to keep or let rest: /keeper/k1/reflection-journal?tab=suggested',
    ],
    [
      'Garden',
      '1,200 echoes are ready: /keeper/k%202/echo-writer',
      'A SOLE draft to review: /keeper/k%202/memory',
      '3 reflections to keep or let rest: /keeper/k%202/reflection-journal?tab=suggested',
    ],
  ])
})

it('drafts of other people come after own keepers', () => {
  const toReview = [
    { keeperId: 'k9', title: 'Quay Choir', ownerName: 'Ben Haugen' },
    { keeperId: 'k8', title: 'Tides', ownerName: null },
  ]
  expect(formatLines({ keepers: [], moreKeepers: 0, toReview })).toEqual([
    ['Quay Choir', 'A SOLE draft by Ben Haugen to review: /keeper/1/memory?review=k9'],
    ['Tides', 'A SOLE draft by someone else to review: /keeper/1/memory?review=k8'],
  ])
})
