import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { Journey } from '#contract/keepers/journeys.ts'
import { type Topic, topics } from '#contract/keepers/topics.ts'
import { answerDemoCall } from './demo/demo-server.ts'
import { createDemoState } from './demo/demo-state.ts'
import { JourneyList } from './journeys/journey-list.tsx'
import { PatternCard } from './patterns/memory-patterns-page.tsx'
import { RelatedTopics } from './topics/topic-panel.tsx'
import type { TopicDetails } from './topics/topic-queries.ts'
import { TopicChips } from './topics/topics-section.tsx'

const renderText = (node: ReactNode) =>
  renderToStaticMarkup(<MemoryRouter>{node}</MemoryRouter>)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
const getTopicPath = (id: string) => `/${id}`

test('a journey with one waypoint and one moment uses the singular', () => {
  const journey = createDemoState('demo').journeys[0] as Journey
  const renderJourney = (count: number) => {
    const _count = { Path: 1, Waypoint: count, WaypointDone: 1, Moment: count }
    return renderText(<JourneyList journeys={[{ ...journey, _count }]} openId={undefined} />)
  }
  expect(renderJourney(1)).toContain('1 of 1 waypoint · 1 moment ')
  expect(renderJourney(2)).toContain('1 of 2 waypoints · 2 moments ')
})

test('a topic mentioned once reads “1 time”', async () => {
  const [topic] = (await answerDemoCall(topics.list, { params: { id: 'demo' } }).json()).data as [Topic]
  const renderChips = (total: number) =>
    renderText(<TopicChips topics={[{ ...topic, total }]} openId={null} getTopicPath={getTopicPath} />)
  expect(renderChips(1)).toMatch(/ 1 time $/)
  expect(renderChips(2)).toMatch(/ 2 times $/)
  const answer = answerDemoCall(topics.show, { params: { id: topic.id } })
  const topicDetails = (await answer.json()).data as TopicDetails
  const together = [1, 2].map((count) => ({ id: `${count}`, name: 'Per', color: topic.color, count }))
  const text = renderText(<RelatedTopics topic={{ ...topicDetails, together }} getTopicPath={getTopicPath} />)
  expect(text).toContain(' 1 time together ')
  expect(text).toContain(' 2 times together ')
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
  const renderPattern = (minAgeHours: number) =>
    renderText(<PatternCard pattern={{ ...pattern, promote: { minAgeHours, needsHuman: true } }} />)
  expect(renderPattern(1)).toContain('suggested for memory after 1 hour;')
  expect(renderPattern(24)).toContain('suggested for memory after 24 hours;')
})
