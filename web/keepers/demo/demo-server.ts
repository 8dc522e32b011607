import { dashboards } from '#contract/keepers/dashboard.ts'
import { type Echo, echoes } from '#contract/keepers/echoes.ts'
import { entries } from '#contract/keepers/entries.ts'
import { journeys } from '#contract/keepers/journeys.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { type LogbookEntry, logbook } from '#contract/keepers/logbook.ts'
import { builtInModel, type EmbeddingStatus, memoryCards } from '#contract/keepers/memory-cards.ts'
import { type Moment, moments } from '#contract/keepers/moments.ts'
import { defaultSuggestionAgeMs, reflections } from '#contract/keepers/reflections.ts'
import { sources } from '#contract/keepers/sources.ts'
import { type Mention, normalizeTopicName, type Topic, topics } from '#contract/keepers/topics.ts'
import { type VoiceEntry, voice } from '#contract/keepers/voice.ts'
import { toPlainText } from '#contract/plain-text.ts'
import { demoIds, demoKeeperIds } from '#contract/samples/demo-ids.ts'
import { demoTopicDetails } from '#contract/samples/demo-story.ts'
import { createTextFilter } from '#contract/search/search-query.ts'
import type { AnyEndpoint, CallInput, UntypedCallInput } from '#web/api/api-types.ts'
import { addDays } from '#web/ui/text/days.ts'
import type { EntryKind } from '../entries/entry-kinds.ts'
import { echoKind, logbookKind, voiceKind } from '../entries/entry-kinds.ts'
import {
  answers,
  createDemoError,
  findEntry,
  getNow,
  listEntries,
  onDemoCall,
  putEntry,
  removeEntry,
  updateEntry,
} from './demo-answers.ts'
import { createDemoKeeper, createDemoState, type DemoEntries, type DemoState, getTopicId } from './demo-state.ts'
import './demo-sole.ts'

const states = new Map<string, DemoState>()

/** Answers as the server would; changes last until the keeper is opened again. */
export function answerDemoCall(endpoint: AnyEndpoint, input: UntypedCallInput): Response {
  const { id = '' } = input.params as { id?: string }
  // The last one, because the ID of the first is also the start of the second’s.
  const keeperId = demoKeeperIds.findLast((demoId) => id === demoId || id.startsWith(`${demoId}-`)) ?? demoKeeperIds[0]
  if (endpoint === keepers.show || !states.has(keeperId)) states.set(keeperId, createDemoState(keeperId))
  const handler = answers.get(endpoint)
  if (!handler) throw createDemoError(403, 'This is sample data. Nothing here can be changed.')
  const answer = handler.answer(states.get(keeperId) as DemoState, input)
  if (typeof answer !== 'string') return Response.json({ success: true, data: answer, ...handler.envelope })
  return new Response(answer, { headers: { 'Content-Disposition': 'attachment; filename="sample-journey.md"' } })
}

const wordPattern = /[\p{L}\p{N}]+/gu

const matchesTopic = (name: string | null, requestedTopic: string | undefined) =>
  !requestedTopic || normalizeTopicName(name ?? '') === normalizeTopicName(requestedTopic)

onDemoCall(keepers.show, createDemoKeeper)
onDemoCall(sources.list, () => [])
onDemoCall(entries.history, ({ history }, { params: { id } }) => history.get(id) ?? [])
onDemoCall(entries.restore, ({ keeperId, deletedIds }, { params: { entity, id } }) => {
  deletedIds.delete(id)
  return { entity, id, keeperId }
})

function listMoments(state: DemoState, query: CallInput<typeof moments.list>['query'] = {}): Moment[] {
  const { q = '', topic, mood, journeyId, from, to, spot, withMedia } = query
  const matchesText = createTextFilter(q)
  return listEntries(state, 'moment').filter(
    (moment) =>
      matchesText(moment.title, toPlainText(moment.body), moment.mood?.label, moment.place?.name) &&
      (!topic || moment.topics.some(({ name }) => matchesTopic(name, topic))) &&
      (mood === undefined || moment.mood?.score === Number(mood)) &&
      (from === undefined || moment.localDate >= from) &&
      (to === undefined || moment.localDate <= to) &&
      (spot === undefined || moment.place?.name === spot) &&
      (journeyId === undefined || moment.journeyId === journeyId) &&
      // The samples have no pictures or recordings.
      withMedia === undefined,
  )
}

function listDays(state: DemoState, from: string, to: string) {
  const days = Map.groupBy(listMoments(state, { from, to }), ({ localDate }) => localDate)
  return [...days].toReversed().map(([date, dayMoments]) => {
    const scores = dayMoments.flatMap(({ mood }) => (mood ? [mood.score] : []))
    const total = scores.reduce((sum, score) => sum + score, 0)
    return { date, count: dayMoments.length, mood: scores.length === 0 ? null : total / scores.length }
  })
}

const listOnThisDay = (state: DemoState, date: string) =>
  listMoments(state).filter(({ localDate }) => localDate < date && localDate.slice(4) === date.slice(4))

onDemoCall(moments.list, (state, { query }) => ({ items: listMoments(state, query), next_cursor: null }))
onDemoCall(moments.show, (state, { params: { id } }) => findEntry(state, 'moment', id))
onDemoCall(moments.calendar, (state, { query: { from, to } }) => listDays(state, from, to))
onDemoCall(moments.onThisDay, (state, { query: { date } }) => listOnThisDay(state, date))
onDemoCall(moments.years, (state) =>
  [...Map.groupBy(listMoments(state), ({ localDate }) => localDate.slice(0, 4))]
    .toReversed()
    .map(([year, yearMoments]) => ({ year, count: yearMoments.length, first: yearMoments.at(-1)?.localDate ?? '' })),
)
onDemoCall(moments.places, (state) => {
  const visits = Map.groupBy(
    listMoments(state).filter(({ place }) => place),
    ({ place }) => place?.name ?? '',
  )
  const places = [...visits].map(([name, placeMoments]) => {
    const { lat = null, lng = null } = placeMoments[0]?.place ?? {}
    const [last = '', first = last] = [placeMoments[0]?.localDate, placeMoments.at(-1)?.localDate]
    return { spot: name, name, lat, lng, moments: placeMoments.length, first, last }
  })
  return { places: places.toSorted((a, b) => a.first.localeCompare(b.first)), isWhole: true }
})

onDemoCall(journeys.list, ({ journeys: allJourneys }) => allJourneys)
onDemoCall(journeys.show, (state, { params: { id } }) => findJourney(state, id))
onDemoCall(journeys.story, (state, { params: { id } }) => {
  const { title, purpose, paths } = findJourney(state, id)
  const sections = paths.map(({ title: name, state, waypoints }) => {
    const lines = waypoints.map((waypoint) => `### ${waypoint.title}\n\n${waypoint.note && `> ${waypoint.note}\n\n`}`)
    return `## ${{ taken: name, open: 'Open', not_taken: 'Not taken' }[state]}\n\n${lines.join('')}`
  })
  return `# ${title}\n\n> ${purpose}\n\n${sections.join('')}`
})

function findJourney({ journeys: allJourneys }: DemoState, journeyId: string) {
  const journey = allJourneys.find(({ id }) => id === journeyId)
  if (!journey) throw createDemoError(404, 'This sample doesn’t exist.')
  return journey
}

function listMentions(state: DemoState): (Mention & { topics: string[] })[] {
  const momentMentions = listEntries(state, 'moment').map(({ id, body, occurredAt, topics: momentTopics }) => ({
    entity: 'moment' as const,
    id,
    title: null,
    excerpt: body,
    at: occurredAt,
    topics: momentTopics.map(({ name }) => name),
  }))
  const otherMentions = (['reflection', 'card'] as const).flatMap((entity) =>
    listEntries(state, entity).map(({ id, content, createdAt, topic }) => ({
      entity,
      id,
      title: null,
      excerpt: toPlainText(content),
      at: createdAt,
      topics: topic === null ? [] : [topic],
    })),
  )
  return [...momentMentions, ...otherMentions].toSorted((a, b) => b.at.localeCompare(a.at))
}

function listTopics(state: DemoState): Topic[] {
  const mentions = listMentions(state)
  const names = [...new Set(mentions.flatMap(({ topics: topicNames }) => topicNames))]
  return names
    .map((name): Topic => {
      const topicMentions = mentions.filter(({ topics: topicNames }) => topicNames.includes(name))
      const counts = { moment: 0, reflection: 0, card: 0, voice: 0, logbook: 0 }
      for (const { entity } of topicMentions) counts[entity] += 1
      const [last, first] = [topicMentions[0]?.at ?? getNow(), topicMentions.at(-1)?.at ?? getNow()]
      const { aliases = [], note = '' } = demoTopicDetails[name] ?? {}
      return {
        id: getTopicId(state.keeperId, name),
        keeperId: state.keeperId,
        createdAt: first,
        updatedAt: first,
        rev: 1,
        name,
        aliases,
        note,
        counts,
        color: note ? 'verdigris' : 'iron-gall',
        pinned: note !== '',
        total: topicMentions.length,
        firstSaidAt: first,
        lastSaidAt: last,
      }
    })
    .toSorted((a, b) => Number(b.pinned) - Number(a.pinned) || b.total - a.total)
}

onDemoCall(topics.list, listTopics)
onDemoCall(topics.show, (state, { params: { id } }) => {
  const allTopics = listTopics(state)
  const topic = allTopics.find((candidate) => candidate.id === id)
  if (!topic) throw createDemoError(404, 'This sample doesn’t exist.')
  const mentions = listMentions(state).filter(({ topics: topicNames }) => topicNames.includes(topic.name))
  const together = allTopics.flatMap(({ id: otherId, name, color }) => {
    const count = mentions.filter(({ topics: topicNames }) => name !== topic.name && topicNames.includes(name)).length
    return count > 0 ? [{ id: otherId, name, color, count }] : []
  })
  return { ...topic, mentions, together, merges: [] }
})

onDemoCall(reflections.list, (state, { query: { q = '', topic } = {} }) => {
  const isMatch = createTextFilter(q)
  return listEntries(state, 'reflection')
    .filter((entry) => matchesTopic(entry.topic, topic) && isMatch(toPlainText(entry.content), entry.topic))
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
})
onDemoCall(reflections.suggestions, (state) =>
  listEntries(state, 'reflection')
    .filter(({ createdAt }) => Date.now() - Date.parse(createdAt) > defaultSuggestionAgeMs)
    .filter(({ promotedToMemoryCard, restedAt }) => !promotedToMemoryCard && restedAt === null)
    .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt)),
)
onDemoCall(reflections.show, (state, { params: { id } }) => findEntry(state, 'reflection', id))
onDemoCall(reflections.create, (state, { body: { id, content, topic, aiVisible = true } }) =>
  putEntry(state, 'reflection', {
    id: `${state.keeperId}-reflection-${id}`,
    keeperId: state.keeperId,
    rev: 1,
    agentId: demoIds.agent,
    createdAt: getNow(),
    updatedAt: getNow(),
    content,
    topic: topic?.trim() || null,
    aiVisible,
    promotedToMemoryCard: false,
    promotedAt: null,
    memoryCardId: null,
    restedAt: null,
    momentId: null,
  }),
)
onDemoCall(reflections.update, (state, { params: { id }, body = {} }) => {
  const { topic, ...changes } = body
  return updateEntry(state, 'reflection', id, {
    ...changes,
    ...(topic !== undefined && { topic: topic?.trim() || null }),
  })
})
onDemoCall(reflections.remove, (state, { params: { id } }) => removeEntry(state, id))
onDemoCall(reflections.rest, (state, { params: { id }, body: { rest = true } = {} }) =>
  updateEntry(state, 'reflection', id, { restedAt: rest ? getNow() : null }),
)
onDemoCall(reflections.promote, (state, { params: { id } }) => {
  const promotion = { promotedToMemoryCard: true, promotedAt: getNow() }
  const { keeperId, content, topic, aiVisible } = updateEntry(state, 'reflection', id, promotion)
  return putEntry(state, 'card', {
    id: id.replace('-reflection-', '-card-'),
    keeperId,
    createdAt: getNow(),
    updatedAt: getNow(),
    rev: 1,
    content,
    topic,
    aiVisible,
    state: 'active',
    embedded: true,
    embedding: builtInModel,
    reflectionId: null,
    reflection: null,
  })
})

const groupCards = (state: DemoState) =>
  [...Map.groupBy(listEntries(state, 'card'), ({ topic }) => topic)]
    .map(([topic, cards]) => ({ topic, cards, count: cards.length }))
    .toSorted((a, b) => b.count - a.count)

function getEmbeddingStatus(state: DemoState): EmbeddingStatus {
  const cards = listEntries(state, 'card')
  const pending = cards.filter(({ embedded }) => !embedded).length
  const cardTopics = groupCards(state).flatMap(({ topic, count }) => (topic === null ? [] : [{ topic, count }]))
  const total = cards.length
  return {
    total,
    embedded: total - pending,
    pending,
    model: builtInModel,
    lexical: true,
    topics: cardTopics,
    job: null,
  }
}

onDemoCall(memoryCards.list, (state, { query: { topic, embedded } = {} }) =>
  listEntries(state, 'card').filter(
    (card) => matchesTopic(card.topic, topic) && !(embedded === 'false' && card.embedded),
  ),
)
onDemoCall(memoryCards.byTopic, groupCards)
onDemoCall(memoryCards.embeddingStatus, getEmbeddingStatus)
onDemoCall(memoryCards.generateEmbeddings, (state) => {
  const embedding = { embedded: true, embedding: builtInModel }
  state.entries.card = state.entries.card.map((card) => ({ ...card, ...embedding }))
  return getEmbeddingStatus(state)
})
onDemoCall(
  memoryCards.search,
  (state, { query: { query } }) => {
    const queryWords = query.toLowerCase().match(wordPattern) ?? []
    const results = listEntries(state, 'card').flatMap((card) => {
      const marks = [...card.content.matchAll(wordPattern)]
        .filter(([word]) => queryWords.some((queryWord) => word.toLowerCase().startsWith(queryWord)))
        .map(({ 0: word, index }): [number, number] => [index, index + word.length])
      const matched = ['words' as const]
      return marks.length > 0 ? [{ card, matched, score: marks.length, snippet: card.content, marks }] : []
    })
    return results.toSorted((a, b) => b.score - a.score)
  },
  { meaning: { searched: true, model: builtInModel, lexical: true, reason: null } },
)
onDemoCall(memoryCards.show, (state, { params: { id } }) => findEntry(state, 'card', id))
onDemoCall(memoryCards.update, (state, { params: { id }, body = {} }) => {
  const { goldenCheck: _goldenCheck, ...changes } = body
  return updateEntry(state, 'card', id, changes)
})
onDemoCall(memoryCards.remove, (state, { params: { id } }) => removeEntry(state, id))

function serveEntries<Kind extends 'voice' | 'echo' | 'logbook'>(
  kind: Kind,
  { endpoints, createEmpty, applyChanges }: EntryKind<DemoEntries[Kind][number]>,
) {
  const applyAndSeal = (state: DemoState, entry: DemoEntries[Kind][number], body: Record<string, unknown>) => {
    if (typeof body.message === 'string') state.sealedTexts.set(entry.id, body.message)
    return applyChanges(entry, body)
  }
  onDemoCall(endpoints.list, (state) => listEntries(state, kind))
  onDemoCall(endpoints.create, (state, input) => {
    const { id, ...body } = input.body as { id: string }
    const emptyEntry = createEmpty(`${state.keeperId}-${kind}-${id}`, state.keeperId, getNow())
    return putEntry(state, kind, applyAndSeal(state, emptyEntry, { ...body, keeperId: state.keeperId }))
  })
  onDemoCall(endpoints.update, (state, input) => {
    const { id } = input.params as { id: string }
    const body = input.body as Record<string, unknown>
    return updateEntry(state, kind, id, applyAndSeal(state, findEntry(state, kind, id), body))
  })
  onDemoCall(endpoints.remove, (state, input) => removeEntry(state, (input.params as { id: string }).id))
}
serveEntries<'voice'>('voice', voiceKind as EntryKind<VoiceEntry>)
serveEntries<'echo'>('echo', echoKind as EntryKind<Echo>)
serveEntries<'logbook'>('logbook', logbookKind as EntryKind<LogbookEntry>)

onDemoCall(echoes.deliver, (state, { params: { id } }) => {
  const { sealed, message } = findEntry(state, 'echo', id)
  return updateEntry(state, 'echo', id, {
    state: 'delivered',
    delivered: true,
    deliveredAt: getNow(),
    message: sealed ? (state.sealedTexts.get(id) ?? '') : message,
  })
})
onDemoCall(voice.stillTrue, (state, { params: { id }, body: { answer, note = null } }) => {
  const { stillTrue } = findEntry(state, 'voice', id)
  return updateEntry(state, 'voice', id, { stillTrue: [...stillTrue, { answer, note, at: getNow() }] })
})
onDemoCall(logbook.categories, (state) => [...new Set(listEntries(state, 'logbook').map(({ category }) => category))])

const streakDays = 42
/** Days without an entry, counted back from today. */
const missedDaysAgo = new Set([7, 16, 30, 31, 38])

onDemoCall(dashboards.show, (state, { query: { date = getNow().slice(0, 10) } = {} }) => {
  const writtenDays = new Map(listDays(state, '0000-01-01', date).map((day) => [day.date, day]))
  const pinnedDays = new Set(listMoments(state).flatMap(({ pinned, localDate }) => (pinned ? [localDate] : [])))
  const days = Array.from({ length: streakDays }, (_, index) => {
    const daysAgo = streakDays - 1 - index
    const day = addDays(date, -daysAgo)
    const count = writtenDays.get(day)?.count ?? (missedDaysAgo.has(daysAgo) ? 0 : 1)
    return { date: day, count, kept: pinnedDays.has(day), mood: writtenDays.get(day)?.mood ?? null }
  })
  const { total: cards, embedded: cardsEmbedded } = getEmbeddingStatus(state)
  return {
    counts: {
      moments: listMoments(state).length,
      reflections: listEntries(state, 'reflection').length,
      journeys: state.journeys.length,
      paths: state.journeys.reduce((total, journey) => total + journey._count.Path, 0),
      cards,
      cardsEmbedded,
      voice: listEntries(state, 'voice').length,
      echoesReady: listEntries(state, 'echo').filter((echo) => echo.state === 'ready').length,
      logbook: listEntries(state, 'logbook').length,
      topics: listTopics(state).length,
      sources: 0,
    },
    today: {
      date,
      promptId: 'worth-keeping',
      prompt: 'What is worth keeping from today?',
      moments: listMoments(state, { from: date, to: date }),
    },
    onThisDay: listOnThisDay(state, date),
    streak: { current: 15, longest: 31, graceUsed: true, days },
    echoesReady: [],
    pendingSole: null,
    activeSole: null,
    suggestions: [],
    recent: [],
  }
})
