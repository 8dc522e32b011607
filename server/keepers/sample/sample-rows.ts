import type { TopicalEntity } from '#contract/keepers/keeper-words.ts'
import { dayIn, instantIn } from '#contract/keepers/lived-time.ts'
import type { SoleStatement } from '#contract/keepers/sole-document.ts'
import { foldedTopic } from '#contract/keepers/topics.ts'
import { json, type Write } from '#server/db/database.ts'
import { dayMs, hourMs } from '#server/hours-and-days.ts'
import type { Services } from '#server/services.ts'
import { formatDueReason } from '../echoes/echo-view.ts'
import { cardVector, foundBy } from '../memory-cards/read-cards.ts'
import { pigmentOf } from '../topics/link-topics.ts'
import * as story from './sample-story.ts'

const keptAfterMs = 60 * 1000
const writtenBy = 'sample'

interface Frame {
  keeperId: string
  ownerId: string
  timezone: string
}

export function sampleRows(services: Services, { keeperId, ownerId, timezone }: Frame): Write[] {
  const { db, newId } = services
  const now = services.now().getTime()
  const written = (id: string, at: number) => ({
    id,
    keeper_id: keeperId,
    owner_id: ownerId,
    created_at: at,
    updated_at: at,
    deleted_at: null,
  })
  const noSource = { source_kind: null, source_id: null }
  const links: Write[] = []
  const topics = new Map<string, string>()
  function speaksOf(entity: TopicalEntity, id: string, saidAt: number, names: readonly string[]) {
    for (const name of names) {
      const topic = topics.get(name) ?? newId()
      topics.set(name, topic)
      links.push(
        db
          .insertInto('entry_topics')
          .values({ entity, entity_id: id, topic_id: topic, keeper_id: keeperId, said_at: saidAt }),
      )
    }
  }

  const begunAt = now - 30 * dayMs
  const journeyId = newId()
  const pathId = newId()
  const waypointIds = new Map<string, string>(story.sampleJourney.waypoints.map(({ name }) => [name, newId()]))
  const reached = new Map<string, number>()
  const beads: Write[] = []

  const momentRow = (
    id: string,
    { at, day, body, mood }: { at: number; day: string; body: string; mood: number | undefined },
  ) => ({
    ...written(id, at),
    ...noSource,
    occurred_at: at,
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
  const moments = story.sampleMoments.map(({ daysAgo, time, body, topics: names, mood, place, pinned, waypoint }) => {
    const id = newId()
    const day = dayIn(timezone, now - daysAgo * dayMs)
    const at = instantIn(timezone, day, time)
    speaksOf('moment', id, at, names)
    const waypointId = waypoint && waypointIds.get(waypoint)
    if (waypoint && waypointId) {
      reached.set(waypoint, at)
      beads.push(db.insertInto('waypoint_moments').values({ waypoint_id: waypointId, moment_id: id, position: 0 }))
    }
    return db.insertInto('moments').values({
      ...momentRow(id, { at, day, body, mood }),
      place: place ? json({ name: place, lat: null, lng: null }) : null,
      journey_id: waypoint ? journeyId : null,
      pinned: pinned ?? false,
    })
  })
  const yearAgo = sameDayAYearBefore(dayIn(timezone, now))
  moments.push(
    db.insertInto('moments').values(
      momentRow(newId(), {
        at: instantIn(timezone, yearAgo, story.sampleYearAgo.time),
        day: yearAgo,
        body: story.sampleYearAgo.body,
        mood: story.sampleYearAgo.mood,
      }),
    ),
  )

  const cards = new Map<string, { id: string; at: number }>()
  const reflections = story.sampleReflections.flatMap(({ name, hoursAgo, topic, content, kept }): Write[] => {
    const id = newId()
    const at = now - hoursAgo * hourMs
    // On the same day, as the card and its quotes show different dates.
    const keptAt = kept ? at + keptAfterMs : null
    speaksOf('reflection', id, at, [topic])
    const reflection = db.insertInto('reflections').values({
      ...written(id, at),
      ...noSource,
      agent_id: writtenBy,
      topic,
      content,
      ai_visible: true,
      rested_at: null,
      promoted_at: keptAt,
      moment_id: null,
    })
    if (keptAt === null) return [reflection]
    const card = newId()
    cards.set(name, { id: card, at })
    speaksOf('card', card, at, [topic])
    return [
      reflection,
      db.insertInto('memory_cards').values({
        ...written(card, keptAt),
        ...noSource,
        reflection_id: id,
        reflection_agent_id: writtenBy,
        reflection_created_at: at,
        content,
        topic,
        ai_visible: true,
        state: 'active',
        ...foundBy({ content, topic }, now),
      }),
      ...cardVector(services, { id: card, content }, now),
    ]
  })

  const voiceId = newId()
  const voiceAt = now - 15 * dayMs
  const { ready, sealed } = story.sampleEchoes
  const echo = (message: string, when: number) => ({
    ...written(newId(), now - 20 * dayMs),
    ...noSource,
    agent_id: writtenBy,
    message,
    sealed: message === sealed,
    trigger_at: when,
    trigger_conditions: null,
    ready_at: when <= now ? when : null,
    ready_because: when <= now ? formatDueReason(when, timezone) : null,
    // A sample sends no email.
    mailed_at: now,
    delivered_at: null,
  })
  const others: Write[] = [
    db.insertInto('voice_entries').values({
      ...written(voiceId, voiceAt),
      ...noSource,
      agent_id: writtenBy,
      label: story.sampleVoice.label,
      belief: story.sampleVoice.belief,
      ai_visible: true,
      audio_id: null,
      duration_ms: null,
      transcript: null,
      transcript_status: 'none',
      language: null,
      strength: story.sampleVoice.strength,
      still_true: json([]),
    }),
    db.insertInto('echoes').values(echo(ready, now - 2 * hourMs)),
    db.insertInto('echoes').values(echo(sealed, now + 40 * dayMs)),
    db.insertInto('logbook_entries').values({
      ...written(newId(), now - story.sampleLogbook.daysAgo * dayMs),
      ...noSource,
      agent_id: writtenBy,
      entry: story.sampleLogbook.entry,
      label: story.sampleLogbook.label,
      category: story.sampleLogbook.category,
      tags: json([...story.sampleLogbook.tags]),
      occurred_on: dayIn(timezone, now - story.sampleLogbook.daysAgo * dayMs),
      pinned: false,
      ai_visible: true,
      moment_id: null,
      journey_id: journeyId,
    }),
  ]

  const statements = story.sampleStatements.map(({ text, source, quote }): SoleStatement => {
    const card = 'card' in source ? cards.get(source.card) : undefined
    const from = card
      ? { entity: 'card' as const, id: card.id, at: card.at }
      : { entity: 'voice' as const, id: voiceId, at: voiceAt }
    return {
      id: newId(),
      text,
      kind: 'add',
      replacesId: null,
      sources: [{ entity: from.entity, id: from.id, quote, at: new Date(from.at).toISOString() }],
    }
  })

  return [
    db.insertInto('journeys').values({
      ...written(journeyId, begunAt),
      ...noSource,
      title: story.sampleJourney.title,
      purpose: story.sampleJourney.purpose,
      status: 'active',
      started_on: dayIn(timezone, begunAt),
      ends_on: null,
      completed_at: null,
      color: 'verdigris',
      ai_visible: true,
    }),
    db.insertInto('paths').values({
      ...written(pathId, begunAt),
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
        done_at: reached.get(name) ?? null,
        position,
      }),
    ),
    ...moments,
    ...beads,
    ...reflections,
    ...others,
    ...[...topics].map(([name, id]) =>
      db.insertInto('topics').values({
        ...written(id, begunAt),
        name,
        name_folded: foldedTopic(name),
        color: pigmentOf(foldedTopic(name)),
        note: '',
        pinned: false,
        merged_into: null,
      }),
    ),
    ...links,
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
      submitted_at: now - 3 * dayMs,
      decided_by: null,
      decided_at: now - 3 * dayMs,
      reason: null,
    }),
  ]
}

function sameDayAYearBefore(day: string): string {
  return String(Number(day.slice(0, 4)) - 1) + (day.endsWith('-02-29') ? '-02-28' : day.slice(4))
}
