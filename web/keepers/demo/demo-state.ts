import type { Echo } from '#contract/keepers/echoes.ts'
import type { Journey, JourneyPoint, Path, Waypoint } from '#contract/keepers/journeys.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { getInstant, getLocalDay, getLocalTime } from '#contract/keepers/local-time.ts'
import type { LogbookEntry } from '#contract/keepers/logbook.ts'
import { builtInModel, type MemoryCard } from '#contract/keepers/memory-cards.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import type { Reflection } from '#contract/keepers/reflections.ts'
import type { SoleStatement, SoleVersion } from '#contract/keepers/sole.ts'
import { normalizeTopicName } from '#contract/keepers/topics.ts'
import type { VoiceEntry } from '#contract/keepers/voice.ts'
import { demoIds } from '#contract/samples/demo-ids.ts'
import * as extras from '#contract/samples/demo-story.ts'
import * as story from '#contract/samples/sample-story.ts'
import { addDays, dayMs } from '#web/ui/text/days.ts'
import { getLocalTimeZone } from '#web/ui/text/format-time.ts'
import { echoKind, logbookKind, voiceKind } from '../entries/entry-kinds.ts'

const hoursPerDay = 24

export interface DemoEntries {
  moment: Moment[]
  reflection: Reflection[]
  card: MemoryCard[]
  voice: VoiceEntry[]
  echo: Echo[]
  logbook: LogbookEntry[]
}
export type DemoEntity = keyof DemoEntries

export interface DemoState {
  keeperId: string
  entries: DemoEntries
  journeys: (Journey & { paths: Path[]; paths_cursor: null; beads: JourneyPoint[] })[]
  /** Newest first. */
  soleVersions: SoleVersion[]
  history: Map<string, { rev: number; savedAt: string; snapshot: Record<string, unknown> }[]>
  /** Texts of echoes by id, because a sealed echo hides its text until delivery. */
  sealedTexts: Map<string, string>
  deletedIds: Set<string>
}

/** The sample story as one keeper, dated relative to `now`. */
export function createDemoState(keeperId: string, now = Date.now()): DemoState {
  const timezone = getLocalTimeZone()
  const today = getLocalDay(timezone, now)
  const getId = (entity: string, name: string | number) => `${keeperId}-${entity}-${name}`
  const getTime = (daysAgo: number) => new Date(now - daysAgo * dayMs).toISOString()
  const getDay = (daysAgo: number) => addDays(today, -daysAgo)
  const createBase = (id: string, at: string) => ({ id, keeperId, createdAt: at, updatedAt: at, rev: 1 })
  const authorFields = { agentId: demoIds.agent, aiVisible: true, momentId: null }
  const journeyId = getId('journey', 'crossing')

  const moments = [...story.sampleMoments, { ...story.sampleYearAgoMoment, daysAgo: undefined }].map(
    (
      sample: Omit<story.SampleMoment, 'daysAgo' | 'topics'> & { daysAgo?: number; topics?: readonly string[] },
      index,
    ) => {
      // The newest moment is from today, but never in the future.
      const localDate = sample.daysAgo === undefined ? getSameDayLastYear(today) : getDay(sample.daysAgo - 1)
      const isInFuture = localDate === today && getLocalTime(timezone, now) < sample.time
      const at = new Date(getInstant(timezone, localDate, isInFuture ? '00:00' : sample.time)).toISOString()
      const moment: Moment = {
        ...createBase(getId('moment', sample.waypoint ?? index), at),
        occurredAt: at,
        localDate,
        timezone,
        title: null,
        body: sample.body,
        mood: sample.mood === undefined ? null : { score: sample.mood, label: null },
        place: sample.place ? { name: sample.place, lat: null, lng: null, ...story.samplePlaces[sample.place] } : null,
        weather: null,
        topics: (sample.topics ?? []).map((name) => ({ id: getTopicId(keeperId, name), name, color: 'iron-gall' })),
        media: [],
        journeyId: sample.waypoint ? journeyId : null,
        pinned: sample.pinned ?? false,
        aiVisible: true,
        promptId: null,
      }
      return moment
    },
  )
  const momentsById = new Map(moments.map((moment) => [moment.id, moment]))

  const allReflections = [...story.sampleReflections, ...extras.demoReflections]
  const reflections = allReflections.map(({ name, hoursAgo, topic, content, isPromoted, isHidden }): Reflection => {
    const at = getTime(hoursAgo / hoursPerDay)
    return {
      ...createBase(getId('reflection', name), at),
      ...authorFields,
      topic,
      content,
      aiVisible: !isHidden,
      promotedToMemoryCard: isPromoted ?? false,
      promotedAt: isPromoted ? at : null,
      memoryCardId: null,
      restedAt: null,
    }
  })
  const promotedCards = allReflections
    .filter(({ isPromoted }) => isPromoted)
    .map(({ hoursAgo, ...fields }): extras.DemoCard => ({ ...fields, daysAgo: hoursAgo / hoursPerDay }))
  const cards = [...promotedCards, ...extras.demoCards]
    .map(
      ({ name, daysAgo, topic, content, isPending, isHidden, isDraft }): MemoryCard => ({
        ...createBase(getId('card', name), getTime(daysAgo)),
        reflectionId: null,
        content,
        topic,
        aiVisible: !isHidden,
        state: isDraft ? 'draft' : 'active',
        embedded: !isPending,
        embedding: isPending ? null : builtInModel,
        reflection: null,
      }),
    )
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))

  const voice = [{ ...story.sampleVoiceEntry, stillTrue: [] }, ...extras.demoVoiceEntries].map(
    ({ daysAgo, stillTrue, ...fields }, index): VoiceEntry => ({
      ...voiceKind.createEmpty(getId('voice', index), keeperId, getTime(daysAgo)),
      ...fields,
      agentId: demoIds.agent,
      stillTrue: stillTrue.map(({ daysAgo: answeredDaysAgo, ...answer }) => ({
        ...answer,
        at: getTime(answeredDaysAgo),
      })),
    }),
  )
  const createEcho = (name: string, dueInHours: number | null, fields: Partial<Echo>): Echo => {
    const dueAt = dueInHours === null ? null : getTime(-dueInHours / hoursPerDay)
    const emptyEcho = echoKind.createEmpty(getId('echo', name), keeperId, getTime(90))
    return { ...echoKind.applyChanges(emptyEcho, { triggerDate: dueAt, ...fields }), agentId: demoIds.agent }
  }
  const { ready, sealed } = story.sampleEchoes
  const { conditional, delivered } = extras.demoEchoes
  const deliveredAt = getTime(58)
  const echoes = [
    createEcho('ready', ready.dueInHours, { message: ready.message }),
    createEcho('sealed', sealed.dueInHours, { message: sealed.message, sealed: true }),
    createEcho('conditional', null, {
      message: conditional.message,
      triggerConditions: { topic: conditional.topic },
    }),
    createEcho('delivered', delivered.dueInHours, {
      message: delivered.message,
      state: 'delivered',
      delivered: true,
      deliveredAt,
    }),
  ]
  const logbook = [story.sampleLogbookEntry, ...extras.demoLogbookEntries].map(
    ({ daysAgo, ...fields }, index): LogbookEntry => ({
      ...logbookKind.createEmpty(getId('logbook', index), keeperId, getTime(daysAgo)),
      ...fields,
      agentId: demoIds.agent,
      occurredOn: getDay(daysAgo),
    }),
  )

  const createWaypoint = (name: string, title: string, note: string): Waypoint => {
    const reachedMoment = momentsById.get(getId('moment', name))
    return {
      id: getId('waypoint', name),
      title,
      note,
      dueOn: null,
      doneAt: reachedMoment?.occurredAt ?? null,
      momentIds: reachedMoment ? [reachedMoment.id] : [],
    }
  }
  const startedAt = getTime(30)
  const createPath = (name: string, title: string, state: Path['state'], position: number, waypoints: Waypoint[]) => ({
    ...createBase(getId('path', name), startedAt),
    journeyId,
    title,
    state,
    position,
    waypoints,
  })
  const { sampleJourney } = story
  const reachedMoments = moments.filter((moment) => moment.journeyId).toReversed()
  const crossingJourney = {
    ...createBase(journeyId, startedAt),
    title: sampleJourney.title,
    purpose: sampleJourney.purpose,
    status: 'active' as const,
    startedOn: getDay(30),
    endsOn: null,
    completedAt: null,
    color: 'verdigris' as const,
    aiVisible: true,
    _count: { Path: 3, Waypoint: 4, WaypointDone: 2, Moment: reachedMoments.length },
    paths: [
      createPath('by-sea', sampleJourney.path, 'taken', 0, [
        ...sampleJourney.waypoints.map(({ name, title, note }) => createWaypoint(name, title, note)),
      ]),
      ...extras.demoPaths.map(({ name, title, state, waypoint }, index) =>
        createPath(name, title, state, index + 1, [createWaypoint(name, waypoint.title, waypoint.note)]),
      ),
    ],
    paths_cursor: null,
    beads: reachedMoments.map(
      ({ id, occurredAt, localDate, body, pinned }): JourneyPoint => ({
        id,
        occurredAt,
        localDate,
        title: null,
        excerpt: body,
        waypointId: id.replace('-moment-', '-waypoint-'),
        pinned,
      }),
    ),
  }
  const gardenJourney = {
    ...crossingJourney,
    ...extras.demoGarden,
    id: getId('journey', 'garden'),
    status: 'completed' as const,
    startedOn: getDay(600),
    completedAt: getTime(380),
    color: 'ochre' as const,
    _count: { Path: 0, Waypoint: 0, WaypointDone: 0, Moment: 0 },
    paths: [],
    beads: [],
  }

  const createStatement = (
    { text, source, quote }: { text: string; source: string; quote: string },
    name: string | number,
    { kind = 'add', replacesId = null }: Partial<Pick<SoleStatement, 'kind' | 'replacesId'>> = {},
  ): SoleStatement => {
    const entry = source === 'voice' ? voice[0] : cards.find(({ id }) => id === getId('card', source))
    const entity = source === 'voice' ? ('voice' as const) : ('card' as const)
    return {
      id: `statement-${name}`,
      text,
      kind,
      replacesId,
      sources: entry ? [{ entity, id: entry.id, quote, at: entry.createdAt }] : [],
    }
  }
  const statements = story.sampleStatements.map((statement, index) => createStatement(statement, index))
  const [firstStatement] = statements
  const draftStatements = extras.demoDraftStatements.map((draft, index) =>
    createStatement(draft, `draft-${index}`, {
      kind: draft.kind,
      replacesId: draft.replaces === null ? null : `statement-${draft.replaces}`,
    }),
  )
  const unchangedStatements = firstStatement ? [{ ...firstStatement, kind: 'keep' as const }] : []
  const soleVersions = [
    createSoleVersion(keeperId, 4, [...unchangedStatements, ...draftStatements], {
      status: 'draft',
      basedOn: 3,
      submittedAt: getTime(1),
      decidedBy: null,
      editable: true,
    }),
    createSoleVersion(keeperId, 3, statements, {
      status: 'active',
      basedOn: 1,
      submittedAt: getTime(3),
      decidedAt: getTime(3),
    }),
    createSoleVersion(keeperId, 2, [createStatement(extras.demoRejectedStatement, 'rejected')], {
      status: 'rejected',
      basedOn: 1,
      submittedAt: getTime(8),
      decidedAt: getTime(8),
      reason: extras.demoRejectedStatement.reason,
    }),
    createSoleVersion(keeperId, 1, statements.slice(0, 1), {
      author: 'Sample',
      authorKind: 'person',
      submittedAt: getTime(14),
      decidedAt: getTime(14),
    }),
  ]
  return {
    keeperId,
    entries: { moment: moments, reflection: reflections, card: cards, voice, echo: echoes, logbook },
    journeys: [crossingJourney, gardenJourney],
    soleVersions,
    sealedTexts: new Map([[getId('echo', 'sealed'), sealed.message]]),
    deletedIds: new Set(),
    history: new Map(),
  }
}

export function createSoleVersion(
  keeperId: string,
  version: number,
  statements: SoleStatement[],
  fields: Partial<SoleVersion>,
): SoleVersion {
  const at = fields.decidedAt ?? fields.submittedAt ?? new Date().toISOString()
  return {
    keeperId,
    version,
    statements,
    type: 'narrative',
    content: joinStatements(statements),
    author: 'Platform Agent',
    authorKind: 'agent',
    timestamp: at,
    editable: false,
    status: 'superseded',
    runId: null,
    basedOn: null,
    submittedAt: at,
    decidedBy: { id: 'sample', name: 'Sample' },
    decidedAt: null,
    reason: null,
    leftOut: [],
    ...fields,
  }
}

export const joinStatements = (statements: readonly SoleStatement[]) =>
  statements
    .filter(({ kind }) => kind !== 'drop')
    .map(({ text }) => text)
    .join(' ')

export function createDemoKeeper({ keeperId, soleVersions }: DemoState): Keeper {
  const createdAt = '2026-01-05T08:00:00.000Z'
  const findVersion = (status: SoleVersion['status']) => soleVersions.find((version) => version.status === status)
  const draft = findVersion('draft')
  return {
    id: keeperId,
    title: keeperId === 'demo' ? 'Demo Keeper' : 'Demo SOLE Keeper',
    purpose: 'A keeper to explore. Nothing here can be changed.',
    keeperType: 'journal',
    keeperTypeId: null,
    memoryPattern: 'sole',
    keepsStory: true,
    theme: 'keeper-classic',
    isPublic: false,
    createdAt,
    updatedAt: createdAt,
    rev: 1,
    ownerId: 'sample',
    owner: { id: 'sample', name: 'Sample' },
    KeeperType: { id: 'system-journal', name: 'Journal', memoryPattern: 'SOLE' },
    engagement_templates: [],
    _count: { Journey: 0, Path: 0 },
    sole: findVersion('active') ?? null,
    soleDraft: draft ?? null,
    soleSubmittedAt: draft?.submittedAt ?? null,
    entryCount: 0,
    firstEntryAt: null,
    lastEntryAt: null,
  }
}

export const getTopicId = (keeperId: string, name: string) =>
  `${keeperId}-topic-${normalizeTopicName(name).replaceAll(' ', '-')}`

function getSameDayLastYear(day: string): string {
  return String(Number(day.slice(0, 4)) - 1) + (day.endsWith('-02-29') ? '-02-28' : day.slice(4))
}
