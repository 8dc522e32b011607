import { Buffer } from 'node:buffer'
import { beforeEach, describe, expect, it } from 'vitest'
import { echoes } from '#contract/keepers/echoes.ts'
import { engagementTemplates } from '#contract/keepers/engagement-templates.ts'
import { journeys } from '#contract/keepers/journeys.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { getLocalDay } from '#contract/keepers/local-time.ts'
import { logbook } from '#contract/keepers/logbook.ts'
import { memoryCards } from '#contract/keepers/memory-cards.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { sole } from '#contract/keepers/sole.ts'
import { topics } from '#contract/keepers/topics.ts'
import { transfer } from '#contract/keepers/transfer.ts'
import { voice } from '#contract/keepers/voice.ts'
import { json } from '#server/db/database.ts'
import {
  createZip,
  deleteKeepersAndImports,
  type ExportedArchive,
  importArchive,
  png,
  previewArchive,
  uploadArchive,
  waitForImportJob,
} from '#tests/archives.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import type { Actor } from '#tests/test-app.ts'
import { unzip } from '#tests/unzip.ts'
import { useTestApp } from '#tests/use-test-app.ts'

describe.each(engines)('export and import, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])
  beforeEach(() => deleteKeepersAndImports(app))

  async function readExport(actor: Actor, id: string) {
    const response = await actor.fetch(`/api/keeper/keepers/${id}/export`)
    expect(response.status).toBe(200)
    const files = await unzip(Buffer.from(await response.arrayBuffer()))
    const archive = JSON.parse(String(files.get('keeper.json'))) as ExportedArchive
    return { files, archive, keeper: archive.keepers[0] as ExportedArchive['keepers'][number] }
  }
  const zipFiles = (files: Map<string, Buffer>) => createZip(Object.fromEntries(files))

  async function uploadPicture(keeperId: string): Promise<string> {
    const response = await ada.fetch(`/api/keeper/keepers/${keeperId}/media?name=buns.png&alt=Buns`, {
      method: 'POST',
      headers: { 'content-type': 'image/png' },
      body: new Uint8Array(png),
    })
    return ((await response.json()) as { data: { id: string } }).data.id
  }

  async function createFullKeeper() {
    const { id } = await createTestKeeper(ada)
    const params = { id }
    const picture = await uploadPicture(id)
    const journey = (await ada.call(journeys.create, { params, body: { title: 'Leaving the city', color: 'madder' } }))
      .data
    const moment = (
      await ada.call(moments.create, {
        params,
        body: {
          body: 'The ferry was late.\n\n*Cardamom* buns.  ',
          occurredAt: '2024-11-20T18:05:00Z',
          timezone: 'Europe/Oslo',
          mood: { score: 2, label: 'light' },
          place: { name: 'The quay' },
          topics: ['Per', 'Bergen'],
          mediaIds: [picture],
          journeyId: journey.id,
          pinned: true,
        },
      })
    ).data
    const [path] = (await ada.call(journeys.paths, { params: { id: journey.id } })).data
    await ada.call(journeys.updatePath, {
      params: { id: path?.id ?? '' },
      body: { waypoints: [{ title: 'Sell the desk', momentIds: [moment.id] }] },
    })
    const reflection = (await ada.call(reflections.create, { params, body: { content: 'I stay.', topic: 'Per' } })).data
    await ada.call(reflections.promote, { params: { id: reflection.id } })
    await ada.call(reflections.create, {
      params,
      body: { content: `Not for machines. ${'On and on. '.repeat(45_000)}`, aiVisible: false },
    })
    await ada.call(voice.create, { params, body: { label: 'Sea', belief: 'The tide forgives.', strength: 4 } })
    await ada.call(echoes.create, {
      params,
      body: { message: 'sealed-canary', sealed: true, triggerDate: '2040-01-01', triggerTimezone: 'Asia/Tokyo' },
    })
    await ada.call(logbook.create, {
      params,
      body: { entry: 'Sailed alone.', label: 'Boat', category: 'Sea', tags: ['boat'], momentId: moment.id },
    })
    await ada.call(sole.submitDraft, {
      params,
      body: {
        statements: [{ text: 'I stay.', sources: [{ entity: 'reflection', id: reflection.id, quote: 'I stay.' }] }],
      },
    })
    await ada.call(sole.approve, { params, body: {} })
    const startTemplate = async (x: string) =>
      (await ada.call(engagementTemplates.begin, { params: { x }, body: { keeperId: id } })).data
    const gratitude = await startTemplate('system-gratitude')
    const templateAnswers = Object.fromEntries(gratitude.fields.map(({ key }) => [key, 'The quay, unfinished-canary.']))
    await ada.call(engagementTemplates.answerStep, {
      params: { runId: gratitude.id },
      body: { answers: templateAnswers },
    })
    await ada.call(engagementTemplates.abandon, { params: { runId: (await startTemplate('system-morning-pages')).id } })
    const trashed = (await ada.call(reflections.create, { params, body: { content: 'trashed-canary' } })).data
    await ada.call(reflections.remove, { params: { id: trashed.id } })
    return { id, momentId: moment.id }
  }

  it('imports the exported content and exports the same again', async () => {
    const { id } = await createFullKeeper()
    const first = await readExport(ada, id)
    expect(first.keeper.contentHash).toMatch(/^[0-9a-f]{64}$/)
    const job = await importArchive(ben, await zipFiles(first.files))
    const { entryCount } = (await ada.call(keepers.show, { params: { id } })).data
    expect(job).toMatchObject({ kind: 'keeper-zip', error: null, preview: { entries: entryCount } })
    expect(job.preview?.notes).toContainEqual(expect.stringMatching(/: 1 journey is included\.$/))
    expect((await ben.call(keepers.show, { params: { id: job.keeperId ?? '' } })).data.entryCount).toBe(entryCount)
    expect(job.done).toBe(job.total)
    const second = await readExport(ben, job.keeperId ?? '')
    expect(second.keeper.contentHash).toBe(first.keeper.contentHash)
    const { id: _, sole: versions, contentHash: __, isPublic: ___, ...content } = second.keeper
    expect(first.keeper).toMatchObject(content)
    expect(versions).toMatchObject([{ status: 'draft', decidedAt: null }])
    const [name] = [...first.files.keys()].filter((file) => file.startsWith('media/'))
    expect(second.files.get(name ?? '')).toEqual(png)
  })

  it('creates ordinary entries: searchable, on their journey, with pictures', async () => {
    const { id } = await createFullKeeper()
    const { files } = await readExport(ada, id)
    const { keeperId } = await importArchive(ben, await zipFiles(files))
    const params = { id: keeperId ?? '' }
    const [moment] = (await ben.call(moments.list, { params })).data.items
    expect(moment).toMatchObject({ localDate: '2024-11-20', pinned: true, mood: { score: 2, label: 'light' } })
    expect(moment?.topics.map(({ name }) => name)).toEqual(['Bergen', 'Per'])
    const bytes = await ben.fetch(`/api/keeper/media/${moment?.media[0]?.id}`)
    expect(Buffer.from(await bytes.arrayBuffer())).toEqual(png)
    const matches = await ben.call(memoryCards.search, { params, query: { query: 'stay' } })
    expect(matches.data).toMatchObject([{ card: { content: 'I stay.', state: 'active' } }])
    const [journey] = (await ben.call(journeys.list, { params })).data
    const [path] = (await ben.call(journeys.paths, { params: { id: journey?.id ?? '' } })).data
    expect(path?.waypoints).toMatchObject([{ title: 'Sell the desk', momentIds: [moment?.id] }])
    expect((await ben.call(topics.list, { params })).data.map(({ name, total }) => [name, total])).toContainEqual([
      'Per',
      3,
    ])
    expect((await ben.call(keepers.show, { params })).data).toMatchObject({ sole: null, soleDraft: { version: 1 } })
  })

  it('leads links between entries to the imported entries', async () => {
    const { id, momentId } = await createFullKeeper()
    const link = `/keeper/${id}/moments?moment=${momentId}`
    const content = `[The ferry](${link}), https://other.example${link}, /keeper/elsewhere/moments?moment=${momentId}`
    await ada.call(reflections.create, { params: { id }, body: { content } })
    const { files } = await readExport(ada, id)
    const { keeperId } = await importArchive(ben, await zipFiles(files))
    const params = { id: keeperId ?? '' }
    const [moment] = (await ben.call(moments.list, { params })).data.items
    const imported = (await ben.call(reflections.list, { params })).data.map((reflection) => reflection.content)
    expect(imported).toContain(content.replace(link, `/keeper/${keeperId}/moments?moment=${moment?.id}`))
  })

  it('resumes an unfinished template, which is also in the Markdown', async () => {
    const { id } = await createFullKeeper()
    const { files, keeper } = await readExport(ada, id)
    expect(keeper.unfinished).toMatchObject([{ template: 'gratitude', step: 0 }])
    expect(String(files.get('the-harbour-year/unfinished.md'))).toContain('unfinished-canary')
    const job = await importArchive(ben, await zipFiles(files))
    expect(job.preview?.notes).toContainEqual(expect.stringContaining('1 unfinished template is included'))
    const runs = (await ben.call(engagementTemplates.runsOfKeeper, { params: { id: job.keeperId ?? '' } })).data
    expect(runs).toMatchObject([{ template: { slug: 'gratitude' }, finishedAt: null }])
    expect(Object.values(runs[0]?.answers[0] ?? {})).toContain('The quay, unfinished-canary.')
    const changedArchive = JSON.parse(String(files.get('keeper.json')))
    changedArchive.keepers[0].unfinished[0].template = 'not-here'
    const other = await importArchive(ben, await createZip({ 'keeper.json': JSON.stringify(changedArchive) }))
    const none = await ben.call(engagementTemplates.runsOfKeeper, { params: { id: other.keeperId ?? '' } })
    expect(none.data).toEqual([])
    expect(other.preview?.notes).toContainEqual(
      expect.stringMatching(
        /^.+ is unfinished and was left out with its answers, because its template isn’t available here\./,
      ),
    )
  })

  it('imports the files of an unfinished template, which its moment shows', async () => {
    const { id } = await createTestKeeper(ada)
    const picturesField = { key: 'pictures', label: 'Pictures', type: 'media' as const, required: false }
    const wordsField = { key: 'words', label: 'Words', type: 'text' as const, required: false }
    const form = await ada.call(engagementTemplates.create, {
      body: { kind: 'content-type', label: 'The quay', fields: [wordsField, picturesField], target: 'moment' },
    })
    const { data: run } = await ada.call(engagementTemplates.begin, {
      params: { x: form.data.id },
      body: { keeperId: id },
    })
    const answers = { words: 'Low tide', pictures: [await uploadPicture(id)] }
    await ada.call(engagementTemplates.answerStep, { params: { runId: run.id }, body: { answers } })
    const first = await readExport(ada, id)
    expect(String(first.files.get('the-harbour-year/unfinished.md'))).toMatch(
      /!\[Buns\]\(\.\.\/media\/[0-9a-f]{64}\.png\)/,
    )

    const job = await importArchive(ada, await zipFiles(first.files))
    expect(job.preview).toMatchObject({ media: 1, missingMedia: 0 })
    const importedId = job.keeperId ?? ''
    expect((await readExport(ada, importedId)).keeper.contentHash).toBe(first.keeper.contentHash)
    const [resumedRun] = (await ada.call(engagementTemplates.runsOfKeeper, { params: { id: importedId } })).data
    await ada.call(engagementTemplates.answerStep, {
      params: { runId: resumedRun?.id ?? '' },
      body: { answers: resumedRun?.answers[0] ?? {}, done: true },
    })
    const [moment] = (await ada.call(moments.list, { params: { id: importedId } })).data.items
    expect(moment).toMatchObject({ title: 'The quay', media: [{ name: 'buns.png', alt: 'Buns' }] })
    const bytes = await ada.fetch(`/api/keeper/media/${moment?.media[0]?.id}`)
    expect(Buffer.from(await bytes.arrayBuffer())).toEqual(png)

    await ada.call(engagementTemplates.update, { params: { x: form.data.id }, body: { fields: [wordsField] } })
    const without = await importArchive(ada, await zipFiles(first.files))
    expect(without.preview?.notes).toContainEqual(
      'The quay, still unfinished, was imported without 1 file of its answers: no question asks for it anymore.',
    )
    const [importedRun] = (await ada.call(engagementTemplates.runsOfKeeper, { params: { id: without.keeperId ?? '' } }))
      .data
    expect(importedRun?.answers[0]).toEqual({ words: 'Low tide' })
  })

  it('leaves out deleted entries and encodes sealed echoes', async () => {
    const { id } = await createFullKeeper()
    const { files, keeper } = await readExport(ada, id)
    for (const [name, content] of files) {
      expect(String(content), name).not.toContain('trashed-canary')
      expect(String(content), name).not.toContain('sealed-canary')
    }
    const { keeperId } = await importArchive(ben, await zipFiles(files))
    const { message } = await app.services.db
      .selectFrom('echoes')
      .select('message')
      .where('keeper_id', '=', keeperId)
      .executeTakeFirstOrThrow()
    expect(message).toBe('sealed-canary')
    expect(keeper.echoes[0]).toMatchObject({ message: '', sealed: true })
  })

  it('formats the days in Markdown in the owner’s time zone', async () => {
    const { id } = await createTestKeeper(ada)
    const params = { id }
    await ada.call(moments.create, { params, body: { body: 'Dusk.', timezone: 'America/New_York' } })
    // Still the evening of the 20th in New York.
    const createdAt = '2020-11-21T01:30:00Z'
    await ada.call(reflections.create, { params, body: { content: 'I stay.', createdAt } })
    await ada.call(echoes.create, {
      params,
      body: { message: 'Later.', createdAt, triggerDate: '2040-01-01', triggerTimezone: 'Asia/Tokyo' },
    })
    const { files } = await readExport(ada, id)
    const getMarkdown = (name: string) => String(files.get(`the-harbour-year/${name}.md`))
    expect(getMarkdown('reflections')).toContain('## 2020-11-20\n')
    expect(getMarkdown('echoes')).toContain('## Echo of 2020-11-20\n\n_comes back on 2040-01-01_')
  })

  it('imports ten years of weekly answers to a belief', async () => {
    const { id } = await createTestKeeper(ada)
    const belief = (
      await ada.call(voice.create, { params: { id }, body: { label: 'Sea', belief: 'The tide forgives.' } })
    ).data
    const answers = Array.from({ length: 520 }, (_, week) => ({
      answer: week % 7 !== 0,
      note: `${week}: ${'as the water has it. '.repeat(10)}`.trim(),
      at: new Date(Date.UTC(2016, 0, 3 + 7 * week)).toISOString(),
    }))
    const { db } = app.services
    await db
      .updateTable('voice_entries')
      .set({ still_true: json(answers) })
      .where('id', '=', belief.id)
      .execute()
    const { keeperId, preview } = await importArchive(ben, await zipFiles((await readExport(ada, id)).files))
    expect(preview?.notes).toEqual([])
    const [importedBelief] = (await ben.call(voice.list, { params: { id: keeperId ?? '' } })).data
    expect(importedBelief).toMatchObject({ belief: 'The tide forgives.', stillTrue: answers })
  })

  it('imports memories written by an AI as drafts', async () => {
    const { id } = await createTestKeeper(ada)
    const reflection = await ada.call(reflections.create, {
      params: { id },
      body: { content: 'An agent said.', agentId: 'some-agent' },
    })
    await ada.call(reflections.promote, { params: { id: reflection.data.id } })
    const { files } = await readExport(ada, id)
    const preview = (await previewArchive(ben, await zipFiles(files))).preview
    expect(preview).toMatchObject({ drafts: 1, entries: 2 })
    await app.services.db.deleteFrom('import_jobs').execute()
    const { keeperId } = await importArchive(ben, await zipFiles(files))
    const cards = (await ben.call(memoryCards.list, { params: { id: keeperId ?? '' } })).data
    expect(cards).toMatchObject([{ content: 'An agent said.', state: 'draft' }])
  })

  it('reports an unreadable value and derives it from the others', async () => {
    const { id } = await createFullKeeper()
    const { files, archive } = await readExport(ada, id)
    const [moment] = archive.keepers[0]?.moments ?? []
    if (moment) moment.localDate = 'soon'
    files.set('keeper.json', Buffer.from(JSON.stringify(archive)))
    const job = await importArchive(ben, await zipFiles(files))
    expect(job.preview?.notes.join()).toContain('1 value of “localDate” couldn’t be read')
    const { items } = (await ben.call(moments.list, { params: { id: job.keeperId ?? '' } })).data
    expect(items).toMatchObject([
      { localDate: getLocalDay(items[0]?.timezone ?? '', Date.parse(items[0]?.occurredAt ?? '')) },
    ])
  })

  it.each([
    ["a file that isn't a zip", Buffer.from('hello'), 'This isn’t a zip file'],
    ['a zip of something else', { 'a.txt': 'hello' }, 'neither a Keeper archive'],
  ] as const)('refuses %s', async (_, upload, expectedMessage) => {
    const response = await uploadArchive(
      ben,
      Buffer.isBuffer(upload) ? upload : await createZip(upload as Record<string, string>),
    )
    expect({ status: response.status, response: await response.text() }).toEqual({
      status: 422,
      response: expect.stringContaining(expectedMessage),
    })
    expect((await ben.call(transfer.list)).data).toEqual([])
  })

  it.each([
    ['that is invalid', '{', 'isn’t valid JSON'],
    ['of a newer version', '{"format":"keeper","version":9}', 'newer version of Keeper'],
    [
      'of another structure',
      '{"format":"keeper","version":1,"exportedAt":"2026-01-01T00:00:00Z","keepers":{"id":1}}',
      'isn’t valid',
    ],
  ])('fails on a keeper.json %s with a message', async (_, content, expectedMessage) => {
    const job = await previewArchive(ben, await createZip({ 'keeper.json': content }))
    expect(job).toMatchObject({ state: 'failed', error: expect.stringContaining(expectedMessage) })
  })

  it('stops when the quota is full, and resumes once there is space', async () => {
    const full = await createFullKeeper()
    const job = await previewArchive(ben, await zipFiles((await readExport(ada, full.id)).files))
    const { limits } = app.services.settings
    const previousLimit = limits.mediaBytesPerPerson
    limits.mediaBytesPerPerson = png.length - 1
    const startImport = async () => (await ben.call(transfer.begin, { params: { jobId: job.id }, body: {} })).status
    expect(await startImport()).toBe(200)
    const stopped = await waitForImportJob(ben, job.id, 'failed')
    expect(stopped.error).toMatch(/0 MB of the 1 MB each person has here, and this file doesn’t fit/)
    limits.mediaBytesPerPerson = previousLimit
    expect(await startImport()).toBe(200)
    const finished = await waitForImportJob(ben, job.id, 'done')
    const { items } = (await ben.call(moments.list, { params: { id: finished.keeperId ?? '' } })).data
    expect(items.flatMap(({ media }) => media).length).toBe(1)
  })

  it('can be canceled with its file, is private, and stays finished', async () => {
    const { id } = await createTestKeeper(ada)
    const job = await previewArchive(ben, await zipFiles((await readExport(ada, id)).files))
    const params = { jobId: job.id }
    const foreignCalls = [
      await ada.call(transfer.show, { params }),
      await ada.call(transfer.cancel, { params }),
      await ada.call(transfer.begin, { params, body: {} }),
    ]
    expect(foreignCalls.map(({ status }) => status)).toEqual([404, 404, 404])
    expect((await ben.call(transfer.cancel, { params })).data.state).toBe('cancelled')
    const secondImport = await ben.call(transfer.begin, { params, body: {} })
    expect({ status: secondImport.status, error: secondImport.body.error }).toEqual({
      status: 409,
      error: expect.stringContaining('canceled'),
    })
    expect((await ada.fetch(`/api/keeper/keepers/${'f'.repeat(32)}/export`)).status).toBe(404)
    expect((await ben.fetch(`/api/keeper/keepers/${id}/export`)).status).toBe(404)
  })
})
