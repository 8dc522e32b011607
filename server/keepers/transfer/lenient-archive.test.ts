import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { echoes } from '#contract/keepers/echoes.ts'
import { journeys } from '#contract/keepers/journeys.ts'
import { logbook } from '#contract/keepers/logbook.ts'
import { memoryCards } from '#contract/keepers/memory-cards.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { sources } from '#contract/keepers/sources.ts'
import { voice } from '#contract/keepers/voice.ts'
import { createZip, importArchive, png } from '#tests/archives.ts'
import { engines } from '#tests/engines.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { entryTables } from '../entries/entry-tables.ts'
import { type ArchivedEntity, archivedEntities, archiveKeys, toArchiveName } from './archive-columns.ts'
import type { EntryPart, ImportPart, ImportPlan } from './import-plan.ts'
import { planKeeperArchive } from './plan-keeper-archive.ts'
import { ZipReader } from './zip-reader.ts'

const at = '2026-01-02T03:04:05.000Z'
const times = { createdAt: at, updatedAt: at }
const commonFields = { ...times, source: 'keeper-elsewhere', topics: ['Sea'], aiVisible: true }
const image = {
  file: 'media/a.png',
  sha256: null,
  mime: 'image/png',
  bytes: png.length,
  name: 'A',
  alt: 'B',
  width: 1,
  height: 1,
  durationMs: 7,
}
const completeEntries: Record<ArchivedEntity, Record<string, unknown>> = {
  journey: {
    ...commonFields,
    title: 'Away',
    purpose: 'To see.',
    status: 'completed',
    startedOn: '2026-01-02',
    color: 'madder',
    endsOn: '2026-02-02',
    completedAt: at,
    paths: [],
  },
  moment: {
    ...commonFields,
    occurredAt: at,
    localDate: '2026-01-03',
    timezone: 'Asia/Tokyo',
    title: 'Fog',
    body: 'Words.',
    moodScore: 1,
    moodLabel: 'calm',
    place: { name: 'Quay', lat: 1, lng: 2 },
    journeyId: 'j',
    promptId: 'p',
    weather: { tempC: 3, condition: 'fog', source: 'me' },
    pinned: true,
    media: [image],
  },
  reflection: {
    ...commonFields,
    agentId: 'default-agent',
    topic: 'Sea',
    content: 'It waits.',
    restedAt: at,
    promotedAt: at,
    momentId: 'm',
  },
  card: {
    ...commonFields,
    reflectionId: 'r',
    reflectionAgentId: 'default-agent',
    reflectionCreatedAt: at,
    topic: 'Sea',
    content: 'It waits.',
    state: 'active',
  },
  voice: {
    ...commonFields,
    agentId: 'default-agent',
    label: 'Tide',
    belief: 'It forgives.',
    durationMs: 900,
    strength: 3,
    transcript: 'So.',
    transcriptStatus: 'done',
    language: 'en',
    media: [image],
    stillTrue: [{ answer: true, note: null, at }],
  },
  echo: {
    ...commonFields,
    agentId: 'default-agent',
    message: 'Later.',
    sealed: false,
    triggerAt: at,
    triggerTimezone: 'UTC',
    triggerConditions: { silentDays: 3 },
    armedAt: at,
    readyAt: at,
    readyBecause: 'Now.',
    mailedAt: at,
    deliveredAt: at,
  },
  logbook: {
    ...commonFields,
    agentId: 'default-agent',
    entry: 'Kept.',
    label: 'Light',
    category: 'Work',
    tags: ['a'],
    occurredOn: '2026-01-02',
    pinned: true,
    momentId: 'm',
    journeyId: 'j',
  },
  source: {
    ...commonFields,
    kind: 'conversation',
    title: 'Talk',
    currentMessageId: '1',
    occurredAt: at,
    changedAt: at,
    messages: [{ id: '1', parentId: null, role: 'person', text: 'Hello', at, model: null, hidden: false }],
    keepable: true,
  },
}
/** An entry of these kinds is empty without this field. */
const requiredTextFields: Partial<Record<ArchivedEntity, string>> = {
  reflection: 'content',
  card: 'content',
  echo: 'message',
  source: 'messages',
}
const otherValues: unknown[] = [
  ...['a word', '12', 'x\0y\ud800', 'long '.repeat(500), 7, -1e308, 0, true, false],
  ...['', null, undefined, {}, { name: 'n', deep: [[]] }, [], ['x', 7, null], [{}]],
]
const isText = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value) && value !== ''

interface Variant {
  id: string
  field: string
  value: unknown
  isKept: boolean
  entry: Record<string, unknown>
}

function listVariants(entity: ArchivedEntity): Variant[] {
  const entry = completeEntries[entity]
  return Object.keys(entry).flatMap((field) =>
    otherValues.map((value, index) => ({
      id: `${field} ${index}`,
      field,
      value,
      isKept: requiredTextFields[entity] !== field || (field !== 'messages' && isText(value)),
      entry: { ...entry, id: `${field} ${index}`, [field]: value },
    })),
  )
}

const createArchive = (keeper: object, archive: object = {}) =>
  JSON.stringify({ format: 'keeper', version: 1, exportedAt: at, keepers: [{ id: 'k', ...keeper }], ...archive })

const folder = mkdtempSync(join(tmpdir(), 'keeper-lenient-'))
afterAll(() => rmSync(folder, { recursive: true }))
async function planArchive(json: string): Promise<ImportPlan> {
  const path = join(folder, 'archive.zip')
  writeFileSync(path, await createZip({ 'keeper.json': json, 'media/a.png': png }))
  const zip = await ZipReader.open(path)
  const owner = { jobId: 'job', personId: 'person', uploadedAt: Date.parse(at), timezone: 'Europe/Berlin' }
  return planKeeperArchive(zip, owner).finally(() => zip.close())
}
async function listParts({ parts }: ImportPlan): Promise<ImportPart[]> {
  const list: ImportPart[] = []
  for await (const part of parts()) list.push(part)
  return list
}

describe.each(archivedEntities)('one unusable field of a %s', (entity) => {
  const variants = listVariants(entity)
  let plan: ImportPlan
  let partById: Map<string, EntryPart>
  beforeAll(async () => {
    plan = await planArchive(
      createArchive({ [archiveKeys[entity]]: [...variants.map(({ entry }) => entry), completeEntries[entity]] }),
    )
    partById = new Map()
    for (const part of await listParts(plan)) if (part.kind === 'entry') partById.set(part.entry.id, part)
  })

  it('never costs the entry', () => {
    const lost = variants
      .filter(({ id, isKept }) => isKept !== partById.has(id))
      .map(({ id, value }) => ({ id, value }))
    expect(lost).toEqual([])
  })

  it('changes no other field', () => {
    const validColumns = partById.get(`${archiveKeys[entity]}, entry ${variants.length + 1}`)?.columns
    expect(validColumns).toBeDefined()
    // Too long lines continue in the text; an unreadable author needs approval.
    for (const { id, field } of variants)
      for (const [column, value] of Object.entries(partById.get(id)?.columns ?? {}))
        if (toArchiveName(column) !== field && !(typeof value === 'string' && value.includes('long long')))
          if (!(column === 'state' && field === 'reflectionAgentId'))
            expect({ id, column, value }).toEqual({ id, column, value: validColumns?.[column] })
  })

  it('leaves no characters that a database can’t store', () => {
    expect(JSON.stringify([...partById.values()])).not.toMatch(/\\u0000|\\ud800/)
  })
})

it('an entry without a date or content is left out with a note', async () => {
  const { body: _body, title: _title, media: _media, ...empty } = completeEntries.moment
  const { createdAt: _createdAt, updatedAt: _updatedAt, occurredAt: _occurredAt, ...dateless } = completeEntries.moment
  const { preview } = await planArchive(createArchive({ title: 'K', moments: [empty, dateless, 'text', 7, null] }))
  expect(preview.entries).toBe(0)
  expect(preview.notes).toEqual([
    '1 entry is empty and is left out: K, 2026-01-02.',
    '1 entry has no date that can be read and is left out: moments, entry 2.',
    '3 entries aren’t objects and are left out: moments, entry 3; moments, entry 4; moments, entry 5.',
  ])
})

it('counts unusable values by kind, with the notes of other imports', async () => {
  const broken = [
    { moodScore: 0.5 },
    { moodScore: 9 },
    { place: [7] },
    { place: { name: 'Far', lat: 1e308, lng: 2 } },
    { weather: 7 },
    { timezone: 'Nowhere/Here' },
    { updatedAt: 'soon' },
    { pinned: {} },
    { topics: [{}] },
    { aiVisible: 'perhaps' },
  ]
  const { preview } = await planArchive(
    createArchive({
      title: 'K',
      moments: broken.map((field, index) => ({ ...completeEntries.moment, id: `m${index}`, ...field })),
    }),
  )
  const label = 'K, 2026-01-02, “Fog”'
  expect(preview.entries).toBe(broken.length)
  expect(preview.notes).toEqual([
    `2 moods couldn’t be read: ${label}; 1 more.`,
    `1 place couldn’t be read: ${label}.`,
    `1 place has coordinates that don’t exist; only its name is imported: ${label}.`,
    `1 weather value couldn’t be read: ${label}.`,
    `1 value of “timezone” couldn’t be read: ${label}.`,
    '1 entry names no time zone, so yours is used.',
    `1 date of the last change couldn’t be read: ${label}.`,
    `1 value of “pinned” couldn’t be read: ${label}.`,
    `1 tag couldn’t be read: ${label}.`,
    `1 entry doesn’t say whether AI can read it, so AI can’t: ${label}.`,
  ])
})

it('an entry without anything to keep is counted once', async () => {
  const { aiVisible: _, ...moment } = completeEntries.moment
  const { preview } = await planArchive(
    createArchive({ title: 'K', moments: [{ ...moment, id: 'm', body: ' ', title: '', media: [], moodScore: 'x' }] }),
  )
  expect(preview.entries).toBe(0)
  expect(preview.notes).toEqual([expect.stringMatching(/^1 entry is empty and is left out/)])
})

const parts: [kind: string, required: string[], whole: Record<string, unknown>, wrap: (items: object[]) => object][] = [
  [
    'topic',
    ['name'],
    { ...times, name: 'Sea', color: 'madder', note: 'n', pinned: true, aliases: ['Ocean'] },
    (topics) => ({ topics }),
  ],
  [
    'merged topic',
    ['name', 'into'],
    {
      ...times,
      name: 'Sea',
      color: 'madder',
      note: 'n',
      pinned: true,
      aliases: [],
      into: { topic: 'T' },
      mergedAt: at,
    },
    (mergedTopics) => ({ topics: [{ name: 'T' }], mergedTopics }),
  ],
  [
    'path',
    [],
    { ...times, title: 'North', state: 'taken', waypoints: [] },
    (paths) => ({ journeys: [{ ...completeEntries.journey, paths }] }),
  ],
  [
    'waypoint',
    [],
    { title: 'Mile', note: 'n', dueOn: '2026-01-02', doneAt: at, moments: ['m'] },
    (waypoints) => ({
      journeys: [{ ...completeEntries.journey, paths: [{ ...times, title: 'N', state: 'open', waypoints }] }],
    }),
  ],
  ['file', ['file'], image, (media) => ({ moments: [{ ...completeEntries.moment, media }] })],
  [
    'SOLE version',
    [],
    {
      version: 3,
      status: 'superseded',
      type: 'architecture',
      content: 'I stay.',
      statements: [],
      leftOut: [],
      authorKind: 'person',
      authorName: 'Ada',
      basedOn: 2,
      submittedAt: at,
      decidedAt: at,
      reason: 'r',
    },
    (sole) => ({ sole: sole.map((version, index) => ({ version: index + 1, ...version })) }),
  ],
  [
    'unfinished template',
    ['template'],
    { ...times, template: 't', name: 'T', step: 1, waitUntil: at, answers: [{ a: 'b' }, { c: 1 }], files: [] },
    (unfinished) => ({ unfinished }),
  ],
]

describe.each(parts)('one unusable field of a %s', (_, required, whole, wrap) => {
  const { version: __, ...fields } = whole
  it.each(Object.keys(fields))('is left out without affecting others: %s', async (field) => {
    const values = otherValues.filter((value) => !String(value).startsWith('long'))
    const items = values.map((value) => ({ ...fields, [field]: value }))
    const plan = await planArchive(createArchive({ title: 'K', ...wrap(items) }))
    const text = JSON.stringify(await listParts(plan))
    const count = (marked: string) => text.split(marked).length - 1
    const [marker, value] =
      Object.entries(fields).find(([name]) => name !== field && !['name', 'into'].includes(name)) ?? []
    const importedCount = count(`${JSON.stringify(marker)}:${JSON.stringify(value)}`)
    if (!required.includes(field))
      expect(importedCount, plan.preview.notes.join()).toBeGreaterThanOrEqual(values.length)
    expect(text).not.toMatch(/\\u0000|\\ud800/)
  })
})

it('a keeper is imported with any field unusable or missing', async () => {
  const keeper = {
    ...times,
    id: 'k',
    title: 'K',
    purpose: 'p',
    keeperType: 'journal',
    memoryPattern: 'SOLE',
    theme: 'keeper-classic',
    isPublic: false,
    topics: [],
    mergedTopics: [],
    journeys: [],
    sole: [],
    unfinished: [],
    sources: [],
    contentHash: 'x',
  }
  for (const field of Object.keys(keeper))
    for (const value of otherValues) {
      const { preview } = await planArchive(
        createArchive({ ...keeper, moments: [completeEntries.moment], [field]: value }),
      )
      expect({ field, value, entries: preview.entries }).toEqual({ field, value, entries: 1 })
    }
  for (const archive of [
    { exportedAt: 7 },
    { version: '1' },
    { version: undefined },
    { keepers: [7, { moments: [completeEntries.moment] }] },
  ])
    expect((await planArchive(createArchive({ moments: [completeEntries.moment] }, archive))).preview.entries).toBe(1)
})

it('a text that is too long is cut, and the import says so', async () => {
  const plan = await planArchive(
    createArchive({ title: 'K', moments: [{ ...completeEntries.moment, body: 'x'.repeat(600_000) }] }),
  )
  expect(plan.preview.notes).toEqual([
    '1 text is longer than 500,000 characters; its end is left out: K, 2026-01-02, “Fog”.',
  ])
})

it('a byte order mark, a single entry and unusable lists cost no other entry', async () => {
  const json = createArchive({
    title: 'K',
    moments: completeEntries.moment,
    reflections: 'none',
    echoes: 7,
    logbook: false,
  })
  const { preview } = await planArchive(`\ufeff${json}`)
  expect({ entries: preview.entries, notes: preview.notes }).toEqual({
    entries: 1,
    notes: ['3 entries aren’t objects and are left out: reflections, entry 1; echoes, entry 1; logbook, entry 1.'],
  })
})

it('an archive of a newer version or without keepers is refused', async () => {
  await expect(planArchive(createArchive({}, { version: '2' }))).rejects.toThrow(/newer version/)
  for (const archive of [{ keepers: {} }, { keepers: undefined }, { format: 'other' }])
    await expect(planArchive(createArchive({}, archive))).rejects.toThrow(/isn’t valid/)
})

describe.each(engines)('an archive in which every field is wrong, on %s', (engine) => {
  const { app, ben } = useTestApp(engine, ['ben'])

  it('is imported with every entry, and every list shows them', async () => {
    // All of them would take 5 s in each database.
    const variants = Object.fromEntries(
      archivedEntities.map((entity) => [entity, listVariants(entity).filter((_, index) => index % 4 === 0)]),
    )
    const lists = Object.fromEntries(
      archivedEntities.map((entity) => [archiveKeys[entity], variants[entity]?.map(({ entry }) => entry)]),
    )
    const job = await importArchive(ben, await createZip({ 'keeper.json': createArchive(lists), 'media/a.png': png }))
    const { db } = app.services
    for (const entity of archivedEntities) {
      const importedCount = variants[entity]?.filter(({ isKept }) => isKept).length
      const rows = await db
        .selectFrom(entryTables[entity] as 'moments')
        .select('id')
        .execute()
      expect({ entity, count: rows.length }).toEqual({ entity, count: importedCount })
    }
    const params = { id: job.keeperId ?? '' }
    for (const endpoint of [
      ...[moments.list, reflections.list, memoryCards.list, voice.list, echoes.list, logbook.list],
      ...[journeys.list, sources.list],
    ])
      expect((await ben.call(endpoint as typeof reflections.list, { params })).status).toBe(200)
  })
})
