import type { TopicalEntity } from '#contract/keepers/keeper-fields.ts'
import { getInstant, getLocalDay } from '#contract/keepers/local-time.ts'
import type { SoleStatement } from '#contract/keepers/sole-document.ts'
import { normalizeTopicName } from '#contract/keepers/topics.ts'
import * as story from '#contract/samples/sample-story.ts'
import { json, type Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { dayMs, hourMs } from '#server/values/time-units.ts'
import { formatDueReason } from '../echoes/check-time-triggers.ts'
import { noSource } from '../entries/create-entry.ts'
import { createCardVectorWrites, createSearchColumns } from '../memory-cards/index-cards.ts'
import { getPigment } from '../topics/link-topics.ts'

const promotionDelayMs = 60 * 1000
const journeyAgeMs = 30 * dayMs
const echoAgeMs = 20 * dayMs
const soleAgeMs = 3 * dayMs
const sampleAuthor = 'sample'

interface SampleContext {
  keeperId: string
  ownerId: string
  timezone: string
}

export function createSampleWrites(services: Services, { keeperId, ownerId, timezone }: SampleContext): Write[] {
  const { db, newId } = services
  const now = services.now().getTime()
  const createBaseColumns = (id: string, createdAt: number) => ({
    id,
    keeper_id: keeperId,
    owner_id: ownerId,
    created_at: createdAt,
    updated_at: createdAt,
    deleted_at: null,
  })
  const topicLinks: Write[] = []
  const topicIdByName = new Map<string, string>()
  function linkTopics(entity: TopicalEntity, id: string, mentionedAt: number, names: readonly string[]) {
    for (const name of names) {
      const topicId = topicIdByName.get(name) ?? newId()
      topicIdByName.set(name, topicId)
      topicLinks.push(
        db
          .insertInto('entry_topics')
          .values({ entity, entity_id: id, topic_id: topicId, keeper_id: keeperId, said_at: mentionedAt }),
      )
    }
  }

  const startedAt = now - journeyAgeMs
  const journeyId = newId()
  const pathId = newId()
  const waypointIds = new Map<string, string>(story.sampleJourney.waypoints.map(({ name }) => [name, newId()]))
  const reachedAtByWaypoint = new Map<string, number>()
  const waypointLinks: Write[] = []

  const createMomentRow = (
    id: string,
    { occurredAt, day, body, mood }: { occurredAt: number; day: string; body: string; mood: number | undefined },
  ) => ({
    ...createBaseColumns(id, occurredAt),
    ...noSource,
    occurred_at: occurredAt,
    local_date: day,
    timezone,
    title: null,
    body,
    mood_score: mood ?? null,
    mood_label: null,
    place: null,
    weather: null,
    journey_id: null,
    prompt_id: null,
    pinned: false,
    ai_visible: true,
  })
  const moments = story.sampleMoments.map(
    ({ daysAgo, time, body, topics: names, mood, place: placeName, pinned, waypoint }) => {
      const id = newId()
      const day = getLocalDay(timezone, now - daysAgo * dayMs)
      const occurredAt = getInstant(timezone, day, time)
      linkTopics('moment', id, occurredAt, names)
      const waypointId = waypoint && waypointIds.get(waypoint)
      if (waypoint && waypointId) {
        reachedAtByWaypoint.set(waypoint, occurredAt)
        waypointLinks.push(
          db.insertInto('waypoint_moments').values({ waypoint_id: waypointId, moment_id: id, position: 0 }),
        )
      }
      return db.insertInto('moments').values({
        ...createMomentRow(id, { occurredAt, day, body, mood }),
        place: placeName ? json({ name: placeName, lat: null, lng: null, ...story.samplePlaces[placeName] }) : null,
        journey_id: waypoint ? journeyId : null,
        pinned: pinned ?? false,
      })
    },
  )
  const lastYearDay = getSameDayLastYear(getLocalDay(timezone, now))
  moments.push(
    db.insertInto('moments').values(
      createMomentRow(newId(), {
        occurredAt: getInstant(timezone, lastYearDay, story.sampleYearAgoMoment.time),
        day: lastYearDay,
        body: story.sampleYearAgoMoment.body,
        mood: story.sampleYearAgoMoment.mood,
      }),
    ),
  )

  const cards = new Map<string, { id: string; writtenAt: number }>()
  const reflections = story.sampleReflections.flatMap(({ name, hoursAgo, topic, content, isPromoted }): Write[] => {
    const id = newId()
    const writtenAt = now - hoursAgo * hourMs
    // Soon after, because the card shows this date and its quotes the date of the reflection.
    const promotedAt = isPromoted ? writtenAt + promotionDelayMs : null
    linkTopics('reflection', id, writtenAt, topic === null ? [] : [topic])
    const reflection = db.insertInto('reflections').values({
      ...createBaseColumns(id, writtenAt),
      ...noSource,
      agent_id: sampleAuthor,
      topic,
      content,
      ai_visible: true,
      rested_at: null,
      promoted_at: promotedAt,
      moment_id: null,
    })
    if (promotedAt === null) return [reflection]
    const cardId = newId()
    cards.set(name, { id: cardId, writtenAt })
    linkTopics('card', cardId, writtenAt, topic === null ? [] : [topic])
    return [
      reflection,
      db.insertInto('memory_cards').values({
        ...createBaseColumns(cardId, promotedAt),
        ...noSource,
        reflection_id: id,
        reflection_agent_id: sampleAuthor,
        reflection_created_at: writtenAt,
        content,
        topic,
        ai_visible: true,
        state: 'active',
        ...createSearchColumns({ content, topic }, now),
      }),
      ...createCardVectorWrites(services, { id: cardId, content }, now),
    ]
  })

  const voiceId = newId()
  const voiceWrittenAt = now - story.sampleVoiceEntry.daysAgo * dayMs
  const { ready, sealed } = story.sampleEchoes
  const createEchoRow = ({ message, dueInHours }: typeof ready, triggerAt = now + dueInHours * hourMs) => ({
    ...createBaseColumns(newId(), now - echoAgeMs),
    ...noSource,
    agent_id: sampleAuthor,
    message,
    sealed: message === sealed.message,
    trigger_at: triggerAt,
    trigger_conditions: null,
    ready_at: triggerAt <= now ? triggerAt : null,
    ready_because: triggerAt <= now ? formatDueReason(triggerAt, timezone) : null,
    // A sample sends no email.
    mailed_at: now,
    delivered_at: null,
  })
  const otherWrites: Write[] = [
    db.insertInto('voice_entries').values({
      ...createBaseColumns(voiceId, voiceWrittenAt),
      ...noSource,
      agent_id: sampleAuthor,
      label: story.sampleVoiceEntry.label,
      belief: story.sampleVoiceEntry.belief,
      ai_visible: true,
      audio_id: null,
      duration_ms: null,
      transcript: null,
      transcript_status: 'none',
      language: null,
      strength: story.sampleVoiceEntry.strength,
      still_true: json([]),
    }),
    db.insertInto('echoes').values(createEchoRow(ready)),
    db.insertInto('echoes').values(createEchoRow(sealed)),
    db.insertInto('logbook_entries').values({
      ...createBaseColumns(newId(), now - story.sampleLogbookEntry.daysAgo * dayMs),
      ...noSource,
      agent_id: sampleAuthor,
      entry: story.sampleLogbookEntry.entry,
      label: story.sampleLogbookEntry.label,
      category: story.sampleLogbookEntry.category,
      tags: json([...story.sampleLogbookEntry.tags]),
      occurred_on: getLocalDay(timezone, now - story.sampleLogbookEntry.daysAgo * dayMs),
      pinned: false,
      ai_visible: true,
      moment_id: null,
      journey_id: journeyId,
    }),
  ]

  const statements = story.sampleStatements.map(({ text, source, quote }): SoleStatement => {
    const card = cards.get(source)
    const sourceEntry = card
      ? { entity: 'card' as const, id: card.id, writtenAt: card.writtenAt }
      : { entity: 'voice' as const, id: voiceId, writtenAt: voiceWrittenAt }
    return {
      id: newId(),
      text,
      kind: 'add',
      replacesId: null,
      sources: [
        { entity: sourceEntry.entity, id: sourceEntry.id, quote, at: new Date(sourceEntry.writtenAt).toISOString() },
      ],
    }
  })

  return [
    db.insertInto('journeys').values({
      ...createBaseColumns(journeyId, startedAt),
      ...noSource,
      title: story.sampleJourney.title,
      purpose: story.sampleJourney.purpose,
      status: 'active',
      started_on: getLocalDay(timezone, startedAt),
      ends_on: null,
      completed_at: null,
      color: 'verdigris',
      ai_visible: true,
    }),
    db.insertInto('paths').values({
      ...createBaseColumns(pathId, startedAt),
      journey_id: journeyId,
      title: story.sampleJourney.path,
      state: 'taken',
      position: 0,
    }),
    ...story.sampleJourney.waypoints.map(({ name, title, note }, position) =>
      db.insertInto('waypoints').values({
        id: waypointIds.get(name) ?? newId(),
        path_id: pathId,
        title,
        note,
        due_on: null,
        done_at: reachedAtByWaypoint.get(name) ?? null,
        position,
      }),
    ),
    ...moments,
    ...waypointLinks,
    ...reflections,
    ...otherWrites,
    ...[...topicIdByName].map(([name, id]) =>
      db.insertInto('topics').values({
        ...createBaseColumns(id, startedAt),
        name,
        name_folded: normalizeTopicName(name),
        color: getPigment(normalizeTopicName(name)),
        note: '',
        pinned: false,
        merged_into: null,
      }),
    ),
    ...topicLinks,
    db.insertInto('sole_versions').values({
      id: newId(),
      keeper_id: keeperId,
      owner_id: ownerId,
      version: 1,
      status: 'active',
      type: 'narrative',
      content: statements.map(({ text }) => text).join(' '),
      statements: json(statements),
      author_kind: 'import',
      author_id: null,
      author_name: 'Sample',
      run_id: null,
      based_on: null,
      submitted_at: now - soleAgeMs,
      decided_by: null,
      decided_at: now - soleAgeMs,
      reason: null,
    }),
  ]
}

function getSameDayLastYear(day: string): string {
  return String(Number(day.slice(0, 4)) - 1) + (day.endsWith('-02-29') ? '-02-28' : day.slice(4))
}
