import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { echoes } from '#contract/keepers/echoes.ts'
import { engagementTemplates } from '#contract/keepers/engagement-templates.ts'
import { journeys } from '#contract/keepers/journeys.ts'
import { logbook } from '#contract/keepers/logbook.ts'
import { moments } from '#contract/keepers/moments.ts'
import { transfer } from '#contract/keepers/transfer.ts'
import { voice } from '#contract/keepers/voice.ts'
import { json } from '#server/db/database.ts'
import {
  archivedKeeper,
  archivedAt as at,
  createKeeperJson,
  createZip,
  exportKeeper,
  fetchImportJob,
  importArchive,
  png,
  previewArchive,
  waitForImportJob,
} from '#tests/archives.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { unzip } from '#tests/unzip.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { sweepEchoes } from '../echoes/check-time-triggers.ts'
import { sealedStep } from '../templates/template-runs.ts'
import { executeImport } from './execute-import.ts'

const mebibyte = 1024 * 1024
const times = { createdAt: at, updatedAt: at }
const commonFields = { source: null, ...times }
const moment = {
  ...commonFields,
  id: 'm',
  occurredAt: at,
  localDate: '2026-01-02',
  timezone: 'UTC',
  title: null,
  body: 'Words.',
  moodScore: null,
  moodLabel: null,
  place: null,
  weather: null,
  journeyId: null,
  promptId: null,
  pinned: false,
  aiVisible: true,
}
const echo = {
  ...commonFields,
  id: 'e',
  agentId: 'self',
  message: 'Later.',
  sealed: false,
  triggerAt: null,
  triggerConditions: null,
  readyAt: null,
  readyBecause: null,
  mailedAt: null,
  deliveredAt: null,
}
const belief = {
  ...commonFields,
  id: 'v',
  agentId: 'self',
  label: 'Sea',
  belief: 'The tide forgives.',
  aiVisible: true,
  durationMs: null,
  transcript: null,
  transcriptStatus: 'none',
  language: null,
  strength: null,
  stillTrue: [],
}
const createArchive = (contents: object) => createKeeperJson({ ...archivedKeeper, ...contents })
const createArchivedFile = (bytes: Buffer, fields: object = {}) => {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const described = { name: null, alt: null, width: null, height: null, durationMs: null }
  return { file: `media/${sha256}.png`, sha256, mime: 'image/png', bytes: bytes.length, ...described, ...fields }
}

// Archives are refused before they reach the database, so one engine suffices.
describe.each(engines.slice(0, 1))('an archive made by hand, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'], { perTest: true })

  const countFilesOnDisk = () => {
    const folder = join(app.services.settings.dataDir, 'media')
    return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile()).length
  }

  it.each([
    ['an anniversary without a day', { echoes: [{ ...echo, triggerConditions: { anniversary: 5 } }] }, 'anniversary'],
    ["answers that aren't a list", { voiceEntries: [{ ...belief, stillTrue: {} }] }, 'stillTrue'],
    ['half a mood', { moments: [{ ...moment, moodScore: 0.5 }] }, 'mood'],
    ['an enormous mood', { moments: [{ ...moment, moodScore: 2 ** 40 }] }, 'mood'],
    ['a place that is a number', { moments: [{ ...moment, place: [7] }] }, 'place'],
  ])('an archive with %s is imported without that value and reports it', async (_, contents, name) => {
    const job = await importArchive(ben, await createZip({ 'keeper.json': createArchive(contents) }))
    expect(job.preview?.notes.join()).toMatch(new RegExp(`1 .*${name}.*couldn’t be read`))
    expect(job.preview?.entries).toBe(1)
    const params = { id: job.keeperId ?? '' }
    const values = [
      ...(await ben.call(echoes.list, { params })).data.map(({ triggerConditions }) => triggerConditions),
      ...(await ben.call(voice.list, { params })).data.map(({ stillTrue }) => stillTrue),
      ...(await ben.call(moments.list, { params })).data.items.map(({ mood, place }) => mood ?? place),
    ]
    expect(values.map((value) => value ?? [])).toEqual([[]])
  })

  it('invisible characters are removed from names but not from texts', async () => {
    const dirty = '\u202EFog\nat \u200Bsea\u{E0061}'
    const fields = { title: dirty, moodLabel: dirty, body: dirty, place: { name: dirty }, topics: [dirty] }
    const contents = { title: dirty, moments: [{ ...moment, ...fields }], voiceEntries: [{ ...belief, label: dirty }] }
    const { keeperId } = await importArchive(ben, await createZip({ 'keeper.json': createArchive(contents) }))
    const stored = app.services.db.selectFrom('moments').select(['title', 'body', 'mood_label', 'place'])
    expect(await stored.where('keeper_id', '=', keeperId).executeTakeFirst()).toMatchObject({
      title: 'Fog at sea',
      mood_label: 'Fog at sea',
      body: dirty,
      place: { name: 'Fog at sea' },
    })
    const beliefs = app.services.db.selectFrom('voice_entries').select('label').where('keeper_id', '=', keeperId)
    expect(await beliefs.executeTakeFirst()).toEqual({ label: 'Fog at sea' })
    const keeperQuery = app.services.db.selectFrom('keepers').select('title').where('id', '=', keeperId)
    expect(await keeperQuery.executeTakeFirst()).toEqual({ title: 'Fog at sea' })
  })

  it('overlong values continue in the text of their entry and are reported', async () => {
    const title = `${'T'.repeat(200)}, and the end of the title`
    const label = `${'L'.repeat(120)} goes on`
    const topic = `${'long '.repeat(40)}name`
    const bytes = await createZip({
      'keeper.json': createArchive({
        topics: [{ name: topic, color: 'ochre', note: '', pinned: false, aliases: [], ...times }],
        moments: [
          { ...moment, title, topics: [topic] },
          { ...moment, id: 'blank', title: ' '.repeat(60_000) },
        ],
        voiceEntries: [{ ...belief, label }],
      }),
    })
    const job = await importArchive(ben, bytes)
    const params = { id: job.keeperId ?? '' }
    const items = (await ben.call(moments.list, { params })).data.items
    expect(items.map((item) => ({ title: item.title, body: item.body, topics: item.topics.length }))).toEqual(
      expect.arrayContaining([
        { title: 'T'.repeat(200), body: ', and the end of the title\n\nWords.', topics: 1 },
        { title: null, body: 'Words.', topics: 0 },
      ]),
    )
    const [voiceEntry] = (await ben.call(voice.list, { params })).data
    expect(voiceEntry).toMatchObject({ label: 'L'.repeat(120), belief: ' goes on\n\nThe tide forgives.' })
    expect(job.preview?.notes).toContain(
      '2 titles or names are too long; the parts cut off were added to the start of their texts: K, 2026-01-02, “TTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTT”; K, 2026-01-02, “LLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLL”.',
    )
    expect(job.preview?.notes.join()).toMatch(/the name of the topic (long )+.*is too long/)
  })

  it('an answer without a date is imported and exported unchanged', async () => {
    const stillTrue = [{ answer: true, note: null, at: 'soon' }]
    const bytes = await createZip({ 'keeper.json': createArchive({ voiceEntries: [{ ...belief, stillTrue }] }) })
    const { keeperId } = await importArchive(ben, bytes)
    const files = await unzip(await exportKeeper(ben, keeperId ?? ''))
    expect(String(files.get('k/voiceEntries.md'))).toContain('- soon: still true')
  })

  it('finished templates create entries where valid; the others are reopened', async () => {
    const template = await app.services.db
      .selectFrom('engagement_templates')
      .select(['slug', 'label', 'fields'])
      .where('system', '=', true)
      .where('kind', '=', 'content-type')
      .where('target', '=', 'logbook')
      .executeTakeFirstOrThrow()
    const keys = template.fields.filter(({ type }) => type === 'longtext').map(({ key }) => key)
    const long = { [keys[0] ?? 'said']: 'Long. '.repeat(5000), at_last: 'Longer. '.repeat(5000) }
    const run = { template: template.slug, name: template.label, step: sealedStep, waitUntil: null, ...times }
    const unfinished = [
      { ...run, answers: [{ [keys[0] ?? 'said']: 'Short.' }] },
      { ...run, answers: [long] },
    ]
    const job = await importArchive(ben, await createZip({ 'keeper.json': createArchive({ unfinished }) }))
    const note = `${template.label}: its answers couldn’t become an entry, so its last step is open again with all of them. What you wrote can’t be saved: Use at most 50,000 characters.`
    expect(job.preview?.notes).toContain(note)
    const params = { id: job.keeperId ?? '' }
    const runs = (await ben.call(engagementTemplates.runsOfKeeper, { params })).data
    for (const { id } of runs)
      expect((await ben.call(engagementTemplates.showRun, { params: { runId: id } })).status).toBe(200)
    const importedRuns = (await ben.call(engagementTemplates.runsOfKeeper, { params })).data
    expect(importedRuns.map(({ answers, entries, step }) => [answers, entries.length, step])).toEqual([
      [[long], 0, 0],
      [[{ [keys[0] ?? 'said']: 'Short.' }], 1, 1],
    ])
    const entries = (await ben.call(logbook.list, { params })).data
    expect(entries.map(({ entry }) => entry)).toEqual([expect.stringContaining('Short.')])

    // A run imported before that check existed.
    const [open] = importedRuns
    await app.services.db
      .updateTable('template_runs')
      .set({ step: sealedStep })
      .where('id', '=', open?.id ?? '')
      .execute()
    const reopenedRun = await ben.call(engagementTemplates.showRun, { params: { runId: open?.id ?? '' } })
    expect({ status: reopenedRun.status, fields: Object.keys(reopenedRun.body.fields ?? {}) }).toEqual({
      status: 400,
      fields: ['answers'],
    })
    expect((await ben.call(engagementTemplates.showRun, { params: { runId: open?.id ?? '' } })).data.answers).toEqual([
      long,
    ])
    expect((await ben.call(logbook.list, { params })).data).toHaveLength(1)
  })

  it('an invalid echo trigger does not delay other echoes', async () => {
    const { id } = await createTestKeeper(ada)
    const body = { message: 'Due.', triggerDate: '2026-01-01' }
    const due = (await ada.call(echoes.create, { params: { id }, body })).data
    const strange = (await ada.call(echoes.create, { params: { id }, body: { message: 'Strange.' } })).data
    await app.services.db
      .updateTable('echoes')
      .set({ trigger_conditions: json({ anniversary: 5, silentDays: 'x' }) as never })
      .where('id', '=', strange.id)
      .execute()
    await app.services.db.updateTable('echoes').set({ ready_at: null }).where('id', '=', due.id).execute()
    await sweepEchoes(app.services)
    const rows = await app.services.db.selectFrom('echoes').select(['message', 'ready_at']).orderBy('message').execute()
    expect(rows).toEqual([
      { message: 'Due.', ready_at: expect.any(Number) },
      { message: 'Strange.', ready_at: null },
    ])
  })

  it('an imported echo can’t learn anything about a foreign journey', async () => {
    const { id } = await createTestKeeper(ada)
    const secret = (await ada.call(journeys.create, { params: { id }, body: { title: 'SECRET of ada' } })).data
    const ownJourney = (await ada.call(journeys.create, { params: { id }, body: { title: 'Ours' } })).data
    await ada.call(echoes.create, {
      params: { id },
      body: { message: 'There.', triggerConditions: { journeyId: ownJourney.id } },
    })
    const files = await unzip(Buffer.from(await (await ada.fetch(`/api/keeper/keepers/${id}/export`)).arrayBuffer()))
    const job = await importArchive(ben, await createZip(Object.fromEntries(files)))
    const params = { id: job.keeperId ?? '' }
    const importedJourney = (await ben.call(journeys.list, { params })).data.find(({ title }) => title === 'Ours')
    expect((await ben.call(echoes.list, { params })).data).toMatchObject([
      { message: 'There.', triggerConditions: { journeyId: importedJourney?.id } },
    ])

    const foreignReference = { echoes: [{ ...echo, triggerConditions: { journeyId: secret.id, topic: 'Nets' } }] }
    const secondJob = await importArchive(ben, await createZip({ 'keeper.json': createArchive(foreignReference) }))
    const secondCall = { params: { id: secondJob.keeperId ?? '' } }
    const [importedEcho] = (await ben.call(echoes.list, secondCall)).data
    expect(importedEcho?.triggerConditions).toEqual({ topic: 'Nets' })
    // The echo learns nothing even if its row names the foreign journey.
    await app.services.db
      .updateTable('echoes')
      .set({ trigger_conditions: json({ journeyId: secret.id }) })
      .where('id', '=', importedEcho?.id ?? '')
      .execute()
    app.passTime(1000)
    await ada.call(journeys.complete, { params: { id: secret.id }, body: {} })
    await sweepEchoes(app.services)
    expect((await ben.call(echoes.list, secondCall)).data).toMatchObject([{ state: 'pending', readyBecause: null }])
    await ben.call(journeys.complete, { params: { id: importedJourney?.id ?? '' }, body: {} })
    expect((await ben.call(echoes.list, { params })).data).toMatchObject([
      { state: 'ready', readyBecause: 'The journey “Ours” is complete.' },
    ])
  })

  it('files over the limit are counted, and the bytes determine the file type', async () => {
    const html = Buffer.from('<!doctype html><script>1</script>')
    const strange = [
      createArchivedFile(png, { mime: 'text/html' }),
      createArchivedFile(png, { mime: 'image/png\r\nx: y' }),
      createArchivedFile(html, { mime: 'text/html' }),
    ]
    const many = Array.from({ length: 201 }, () => createArchivedFile(png, { width: 0.5, height: -1 }))
    const contents = {
      moments: [
        { ...moment, media: strange },
        { ...moment, id: 'n', media: many },
      ],
    }
    const job = await importArchive(
      ben,
      await createZip({
        'keeper.json': createArchive(contents),
        [createArchivedFile(png).file]: png,
        [createArchivedFile(html).file]: html,
      }),
    )
    expect(job.preview).toMatchObject({ entries: 2, media: 203 })
    expect(job.preview?.notes).toEqual([
      expect.stringMatching(/^1 file is of a type that Keeper doesn’t store and is left out: \w+\.png\.$/),
      '1 file is left out, because its entry has more than 200: K, 2026-01-02, “Words.”.',
    ])
    const { items } = (await ben.call(moments.list, { params: { id: job.keeperId ?? '' } })).data
    expect(items.map(({ media }) => media.length).toSorted()).toEqual([2, 200])
    expect([...new Set(items.flatMap(({ media }) => media.map(({ mime }) => mime)))]).toEqual(['image/png'])
  })

  it('files with false checksums are discarded and counted in each step', async () => {
    const createBlock = (fill: number) => Buffer.alloc(mebibyte, fill)
    const damagedFiles = Array.from({ length: 9 }, (_, index) => ({
      ...createArchivedFile(png),
      file: `media/${index}.png`,
    }))
    const damagedBytes = Object.fromEntries(damagedFiles.map(({ file }, index) => [file, createBlock(index)]))
    const archiveContent = createArchive({ moments: [{ ...moment, media: damagedFiles }] })
    const job = await importArchive(ben, await createZip({ 'keeper.json': archiveContent, ...damagedBytes }))
    expect(job.preview?.notes).toEqual(['9 files are damaged and are left out: 0.png; 1.png; 2.png; 6 more.'])
    expect((await ben.call(moments.list, { params: { id: job.keeperId ?? '' } })).data.items).toMatchObject([
      { body: 'Words.', media: [] },
    ])
    expect(countFilesOnDisk()).toBe(0)

    app.services.settings.limits.mediaBytesPerPerson = 3 * mebibyte
    const undamagedFiles = Array.from({ length: 9 }, (_, index) => createArchivedFile(createBlock(index)))
    const files = Object.fromEntries(undamagedFiles.map(({ file }, index) => [file, createBlock(index)]))
    const secondJob = await previewArchive(
      ben,
      await createZip({ 'keeper.json': createArchive({ moments: [{ ...moment, media: undamagedFiles }] }), ...files }),
    )
    await ben.call(transfer.begin, { params: { jobId: secondJob.id }, body: {} })
    expect((await waitForImportJob(ben, secondJob.id, 'failed')).error).toMatch(/this file doesn’t fit/)
    expect(countFilesOnDisk()).toBe(3)
  })

  it('an archive whose preview ends the process is not retried forever', async () => {
    const { id } = await previewArchive(ben, await createZip({ 'keeper.json': createArchive({}) }))
    const executeAfterAttempts = async (done: number) => {
      const interruptedState = { state: 'reading' as const, done, lease_until: 0 }
      await app.services.db.updateTable('import_jobs').set(interruptedState).where('id', '=', id).execute()
      await executeImport(app.services, id)
      return fetchImportJob(ben, id)
    }
    expect(await executeAfterAttempts(1)).toMatchObject({ state: 'previewed', done: 0 })
    expect(await executeAfterAttempts(2)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('more than once'),
    })
  })

  it('an archive with many topics, paths and SOLE versions is imported completely', async () => {
    const topics = Array.from({ length: 400 }, (_, index) => ({
      name: `Topic ${index}`,
      color: 'madder',
      note: '',
      pinned: false,
      aliases: [],
      createdAt: at,
      updatedAt: at,
    }))
    const waypoints = Array.from({ length: 700 }, (_, index) => ({
      title: `Mile ${index}`,
      note: '',
      dueOn: null,
      doneAt: null,
      moments: ['m'],
    }))
    const journey = {
      ...commonFields,
      id: 'j',
      title: 'Away',
      purpose: '',
      status: 'active',
      startedOn: null,
      endsOn: null,
      completedAt: null,
      color: 'madder',
      aiVisible: true,
      paths: [{ title: 'North', state: 'open', createdAt: at, updatedAt: at, waypoints }],
    }
    const statements = Array.from({ length: 120 }, (_, index) => ({
      id: `s${index}`,
      text: `I stay ${index}.`,
      kind: 'add',
      replacesId: null,
      sources: [{ entity: 'moment', id: 'm', quote: 'Words.', at: null }],
    }))
    const sole = Array.from({ length: 5 }, (_, index) => ({
      version: index + 1,
      status: index === 4 ? 'active' : 'superseded',
      type: 'architecture',
      content: 'I stay.',
      statements,
      leftOut: [],
      authorKind: 'person',
      authorName: 'Ada',
      basedOn: index || null,
      submittedAt: at,
      decidedAt: at,
      reason: null,
    }))
    const job = await importArchive(
      ben,
      await createZip({ 'keeper.json': createArchive({ topics, journeys: [journey], moments: [moment], sole }) }),
    )
    const count = async (table: 'topics' | 'waypoints' | 'waypoint_moments' | 'sole_versions') =>
      (await app.services.db.selectFrom(table).selectAll().execute()).length
    expect(job.error).toBe(null)
    expect({
      topics: await count('topics'),
      waypoints: await count('waypoints'),
      waypoint_moments: await count('waypoint_moments'),
    }).toEqual({ topics: 400, waypoints: 700, waypoint_moments: 700 })
    expect(await count('sole_versions')).toBe(5)
  })

  it('an archive with a hundred million values is refused before parsing', async () => {
    const bytes = await createZip({ 'keeper.json': `[${'[],'.repeat(100_000_000 / 3)}0]` })
    expect(bytes.length).toBeLessThan(mebibyte)
    const preview = previewArchive(ben, bytes)
    expect((await ada.fetch('/api/keeper/keepers')).status).toBe(200)
    expect(await preview).toMatchObject({ state: 'failed', error: expect.stringContaining('too large to read') })
  })

  it('thirty notes are reported as twenty and a count of the others', async () => {
    const run = { template: 'nowhere', name: 'Gone', step: 0, waitUntil: null, answers: [], ...times }
    const journey = { ...commonFields, id: 'j', title: 'Away' }
    const keepers = Array.from({ length: 29 }, (_, index) => ({
      ...archivedKeeper,
      id: `k${index}`,
      title: `K${index}`,
      journeys: [journey],
    }))
    const bytes = await createZip({
      'keeper.json': createKeeperJson(...keepers, { ...archivedKeeper, unfinished: [run] }),
    })
    const { preview, id } = await previewArchive(ben, bytes)
    expect(preview).toMatchObject({
      moreNotes: 11,
      notes: [
        '29 entries don’t say whether AI can read them, so AI can’t: K0, 2026-01-02, “Away”; K1, 2026-01-02, “Away”; K2, 2026-01-02, “Away”; 26 more.',
        ...Array.from({ length: 19 }, (_, index) => `K${index}: 1 journey is included.`),
      ],
    })
    await ben.call(transfer.begin, { params: { jobId: id }, body: {} })
    const finished = await waitForImportJob(ben, id, 'done')
    expect(finished.preview?.notes[0]).toMatch(/^Gone is unfinished and was left out/)
    expect(finished.preview).toMatchObject({ moreNotes: 12, notes: { length: 20 } })
  })
})
