import { expect, it } from 'vitest'
import { insertDecided, toWaitingItems } from './waiting-for-you.tsx'

const nothingWaiting = { echoesReady: 0, draftSubmittedAt: null, suggestions: 0 }
const formatItems = (waiting: Parameters<typeof toWaitingItems>[0]) =>
  toWaitingItems(waiting).map(({ title, text, to }) => [title, text, to].filter(Boolean).join(': '))

it('each keeper lists its waiting items by kind', () => {
  const keepers = [
    { ...nothingWaiting, keeperId: 'k1', title: 'The Harbour Year', echoesReady: 1, suggestions: 1 },
    { keeperId: 'k 2', title: 'Garden', echoesReady: 1200, draftSubmittedAt: '2026-11-20T10:00:00Z', suggestions: 3 },
  ]
  expect(formatItems({ keepers, moreKeepers: 0, toReview: [] })).toEqual([
    'The Harbour Year: 1 echo is ready: /keeper/k1/echo-writer',
    'The Harbour Year: 1 reflection to keep or let rest: /keeper/k1/reflection-journal?tab=suggested',
    'Garden: 1,200 echoes are ready: /keeper/k%202/echo-writer',
    'Garden: A SOLE draft to review: /keeper/k%202/memory',
    'Garden: 3 reflections to keep or let rest: /keeper/k%202/reflection-journal?tab=suggested',
  ])
})

it('drafts of other people come after own keepers', () => {
  const toReview = [
    { keeperId: 'k9', title: 'Quay Choir', ownerName: 'Ben Haugen' },
    { keeperId: 'k8', title: 'Tides', ownerName: null },
  ]
  expect(formatItems({ keepers: [], moreKeepers: 0, toReview })).toEqual([
    'Quay Choir: A SOLE draft by Ben Haugen to review: /keeper/1/memory?review=k9',
    'Tides: A SOLE draft by someone else to review: /keeper/1/memory?review=k8',
  ])
})

it('a decided item stays at its position once nothing more waits', () => {
  const createItem = (id: string) => ({ id, title: id, text: 'Waiting' })
  const [first, second, third] = [createItem('a'), createItem('b'), createItem('c')]
  const decided = new Map([[1, second]])
  expect(insertDecided([first, third], decided).map(({ id, text }) => `${id} ${text}`)).toEqual([
    'a Waiting',
    'b Done',
    'c Waiting',
  ])
  expect(insertDecided([first, second, third], decided)).toEqual([first, second, third])
})
