import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { Journey } from '#contract/keepers/journeys.ts'
import type { Topic } from '#contract/keepers/topics.ts'
import { demoJourneys } from './demo/demo-journeys.ts'
import { demoTopic, demoTopics } from './demo/demo-topics.ts'
import { JourneyList } from './journeys/journey-list.tsx'
import { PatternCard } from './patterns/pattern-card.tsx'
import { ComingAlong } from './topics/coming-along.tsx'
import { TopicChips } from './topics/topic-chips.tsx'
import type { WholeTopic } from './topics/topic-queries.ts'

const wordsOf = (shown: ReactNode) =>
  renderToStaticMarkup(<MemoryRouter>{shown}</MemoryRouter>)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
const addressOf = (id: string) => `/${id}`

test('a journey with one waypoint and one moment uses the singular', () => {
  const journey = demoJourneys[0] as Journey
  const counting = (count: number) => {
    const _count = { Path: 1, Waypoint: count, WaypointDone: 1, Moment: count }
    return wordsOf(<JourneyList journeys={[{ ...journey, _count }]} openId={undefined} />)
  }
  expect(counting(1)).toContain('1 of 1 waypoint · 1 moment ')
  expect(counting(2)).toContain('1 of 2 waypoints · 2 moments ')
})

test('a topic mentioned once reads “1 time”', () => {
  const topic = demoTopics[0] as Topic
  const chips = (total: number) =>
    wordsOf(<TopicChips topics={[{ ...topic, total }]} openId={null} addressOf={addressOf} />)
  expect(chips(1)).toMatch(/ 1 time $/)
  expect(chips(2)).toMatch(/ 2 times $/)
  const whole = demoTopic(topic.id) as WholeTopic
  const together = [1, 2].map((count) => ({ id: `${count}`, name: 'Per', color: topic.color, count }))
  const along = wordsOf(<ComingAlong topic={{ ...whole, together }} addressOf={addressOf} />)
  expect(along).toContain(' 1 time together ')
  expect(along).toContain(' 2 times together ')
})

test('a pattern with a delay of one hour uses the singular', () => {
  const pattern = {
    id: 'p',
    slug: 'p',
    name: 'P',
    description: '',
    system: false,
    mine: true,
    sections: [],
    captureFrom: [],
    keepsStory: false,
    createdAt: '2026-01-05T08:00:00.000Z',
    updatedAt: '2026-01-05T08:00:00.000Z',
    rev: 1,
    _count: { Keeper: 0 },
  }
  const after = (minAgeHours: number) =>
    wordsOf(<PatternCard pattern={{ ...pattern, promote: { minAgeHours, needsHuman: true } }} />)
  expect(after(1)).toContain('Suggested after 1 hour;')
  expect(after(24)).toContain('Suggested after 24 hours;')
})
