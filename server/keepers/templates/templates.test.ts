import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { sharing } from '#contract/agents/sharing.ts'
import {
  type EngagementTemplate,
  engagementTemplates,
  type TemplateAnswers,
  type TemplateField,
  type TemplateRun,
} from '#contract/keepers/engagement-templates.ts'
import { entries } from '#contract/keepers/entries.ts'
import { keeperTypes } from '#contract/keepers/keeper-types.ts'
import { type Keeper, keepers } from '#contract/keepers/keepers.ts'
import { logbook } from '#contract/keepers/logbook.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { topics } from '#contract/keepers/topics.ts'
import { json } from '#server/db/database.ts'
import { sweepMedia } from '#server/media/sweep-media.ts'
import { hourMs } from '#server/values/time-units.ts'
import { copyRow } from '#tests/copy-row.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { fetchAllPages } from '#tests/fetch-all-pages.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import { removeRequestId } from '#tests/remove-request-id.ts'
import { createTemplateField as field, createTemplateStep as step } from '#tests/template-fixtures.ts'
import type { Actor } from '#tests/test-app.ts'
import { uploadMedia } from '#tests/upload-media.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { sealedStep } from './template-runs.ts'

const unknownId = '0'.repeat(32)

describe.each(engines)('engagement templates, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'], { perTest: true })

  const create = (body: object, actor = ada) => actor.call(engagementTemplates.create, { body })
  const createContentType = async (fields: object = {}, actor = ada) =>
    (await create({ kind: 'content-type', label: 'Tide notes', fields: [field('tide')], ...fields }, actor)).data
  const createProcess = async (fields: object = {}, actor = ada) =>
    (await create({ kind: 'process', label: 'Ebb and flow', steps: [step('Ebb')], ...fields }, actor)).data
  const find = (x: string, actor = ada) => actor.call(engagementTemplates.find, { params: { x } })
  const update = (x: string, body: object) => ada.call(engagementTemplates.update, { params: { x }, body })
  const remove = (x: string) => ada.call(engagementTemplates.remove, { params: { x } })
  const link = (id: string, templateId: string, actor = ada) =>
    actor.call(engagementTemplates.linkToKeeper, { params: { id, templateId } })
  const listOfKeeper = async (id: string) => (await ada.call(engagementTemplates.ofKeeper, { params: { id } })).data
  it('built-in templates are linked to matching keeper types', async () => {
    const linked = (await ada.call(keeperTypes.templates, { params: { id: 'system-wellness' } })).data
    expect(linked.map(({ slug }) => slug)).toEqual([
      'reflection_journal',
      'memorycard_generator',
      'voice_panel',
      'echo_writer',
      'gratitude',
      'morning-pages',
      'grief-letter',
    ])
  })

  it('are found by id and slug, and listed by type', async () => {
    const created = await createContentType({ type: 'identity' })
    expect((await find(created.id)).data).toEqual(created)
    expect((await find('tide-notes')).data).toEqual(created)
    const identities = (await find('identity')).data as EngagementTemplate[]
    expect(identities.map(({ slug }) => slug)).toEqual([
      'voice_panel',
      'identity_logbook',
      'grief-letter',
      'tide-notes',
    ])
    expect((await createContentType({ label: 'Memory' })).slug).toBe('memory-template')
  })

  it('other people’s templates respond like unknown ids in every call', async () => {
    const created = await createContentType()
    const keeper = await createTestKeeper(ben)
    const sendCalls = (x: string) => [
      find(x, ben),
      link(keeper.id, x, ben),
      ben.call(engagementTemplates.begin, { params: { x }, body: { keeperId: keeper.id } }),
      create({ kind: 'process', label: 'Theirs', steps: [step('One', { contentTypeId: x })] }, ben),
    ]
    const foreign = await Promise.all(sendCalls(created.id))
    const unknown = await Promise.all(sendCalls(unknownId))
    expect(foreign.map(({ status }) => status)).toEqual([404, 404, 404, 400])
    expect(foreign.map(({ text }) => removeRequestId(text))).toEqual(unknown.map(({ text }) => removeRequestId(text)))
    expect((await find(created.id)).data).toEqual(created)
  })

  it('can be used in the processes of domain members', async () => {
    const created = await createContentType()
    await insertDomain(app, ada, [[ben, 'admin']])
    expect((await find(created.id, ben)).data).toMatchObject({ mine: false, system: false })
    expect(
      (await createProcess({ steps: [step('One', { contentTypeId: created.id })] }, ben)).steps[0]?.contentTypeId,
    ).toBe(created.id)
    expect((await update('gratitude', { label: 'Mine' })).status).toBe(403)
    expect((await update('tide-notes', { fields: [field('moon')] })).data).toMatchObject({ fields: [{ key: 'moon' }] })
  })

  it('are validated with an error that names the field', async () => {
    const listRejectedFields = async (body: object) =>
      Object.keys((await create({ label: 'Odd', ...body })).body.fields ?? {})
    const createWithFields = (fields: TemplateField[], settings = {}) =>
      listRejectedFields({ kind: 'content-type', fields, ...settings })
    expect(await createWithFields([])).toEqual(['fields'])
    expect(await createWithFields([field('a'), field('a')])).toEqual(['fields.1.key'])
    expect(await createWithFields([field('a', { type: 'choice', options: ['One'] })])).toEqual(['fields.0.options'])
    expect(await createWithFields([field('a', { type: 'choice', options: ['One', 'One'] })])).toEqual([
      'fields.0.options',
    ])
    expect(await createWithFields([field('a', { type: 'media' })])).toEqual(['target'])
    expect(await createWithFields([field('a', { type: 'media' })], { target: 'moment' })).toEqual([])
    expect(await createWithFields([field('a')], { steps: [step('One')] })).toEqual(['steps'])
    expect(await listRejectedFields({ kind: 'process', steps: [] })).toEqual(['steps'])
    expect(await listRejectedFields({ kind: 'process', steps: [step('One', { agentSlug: 'nobody' })] })).toEqual([
      'steps.0.agentSlug',
    ])
    expect(await listRejectedFields({ kind: 'process', steps: [step('One', { agentSlug: 'kip' })] })).toEqual([])
    // An agent that is visible but cannot be run.
    const body = { name: 'Shown', purpose: 'p', visibility: 'shared' } as const
    const { id, slug } = (await ben.call(agents.create, { body })).data
    await ben.call(sharing.grant, { params: { agentId: id, personId: ada.id }, body: { rights: ['share'] } })
    expect(await listRejectedFields({ kind: 'process', steps: [step('One', { agentSlug: slug })] })).toEqual([
      'steps.0.agentSlug',
    ])
    expect(await listRejectedFields({ kind: 'page' })).toEqual(['kind'])
  })

  it('linked to a keeper type or started in a deleted keeper cannot be deleted', async () => {
    const keeper = await createTestKeeper(ada)
    const created = await createContentType()
    const removeRefused = async () => {
      const { status, body } = await remove(created.id)
      return { status, error: body.error }
    }
    const { id: processId } = await createProcess({ steps: [step('One', { contentTypeId: created.id })] })
    expect((await find(created.id)).data).toMatchObject({ templateCount: 1 })
    await remove(processId)

    const { data: type } = await ada.call(keeperTypes.create, { body: { name: 'Walks' } })
    await ada.call(keeperTypes.linkTemplate, { params: { id: type.id, templateId: created.id } })
    expect(await removeRefused()).toEqual({ status: 409, error: expect.stringMatching(/used by a keeper type/) })
    await ada.call(keeperTypes.unlinkTemplate, { params: { id: type.id, templateId: created.id } })

    const startedRun = await ada.call(engagementTemplates.begin, {
      params: { x: created.id },
      body: { keeperId: keeper.id },
    })
    // The answers are restored with their keeper.
    await ada.call(keepers.remove, { params: { id: keeper.id } })
    expect(await removeRefused()).toEqual({ status: 409, error: expect.stringMatching(/used by an unfinished run/) })
    await ada.call(entries.restore, { params: { entity: 'keeper', id: keeper.id } })
    expect((await ada.call(engagementTemplates.showRun, { params: { runId: startedRun.data.id } })).status).toBe(200)
    await ada.call(engagementTemplates.abandon, { params: { runId: startedRun.data.id } })
    expect((await remove('tide-notes')).status).toBe(200)
    expect((await find(created.id)).status).toBe(404)
  })

  it('a keeper’s templates are its type’s, then its links, each once', async () => {
    const created = await createContentType()
    const keeper = await createTestKeeper(ada, { keeperType: 'professional' })
    for (const id of [created.id, created.id, 'system-gratitude', 'system-one-to-one'])
      expect((await link(keeper.id, id)).status).toBe(200)
    const listed = await listOfKeeper(keeper.id)
    expect(listed.map(({ slug, ofType }) => `${slug} ${ofType}`)).toEqual([
      'reflection_journal true',
      'memorycard_generator true',
      'identity_logbook true',
      'decision-log true',
      'one-to-one true',
      'weekly-review true',
      'tide-notes false',
      'gratitude false',
    ])
    expect((await ada.call(keepers.show, { params: { id: keeper.id } })).data.engagement_templates).toHaveLength(8)
    await ada.call(engagementTemplates.unlinkFromKeeper, { params: { id: keeper.id, templateId: created.id } })
    expect((await listOfKeeper(keeper.id)).map(({ slug }) => slug)).not.toContain('tide-notes')
    expect((await link(keeper.id, created.id, ben)).status).toBe(404)
  })
})

describe.each(engines)('running a template, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'], { perTest: true })
  let keeper: Keeper
  beforeEach(async () => {
    keeper = await createTestKeeper(ada)
  })

  const startRun = async (x: string, options: object = {}, actor = ada) =>
    actor.call(engagementTemplates.begin, { params: { x }, body: { keeperId: keeper.id, ...options } })
  const startRunData = async (x: string) => (await startRun(x)).data
  const answer = (runId: string, answers: TemplateAnswers, options: object = {}, ifMatch?: number, actor = ada) =>
    actor.call(engagementTemplates.answerStep, {
      params: { runId },
      body: { answers, ...options },
      ...(ifMatch !== undefined && { ifMatch }),
    })
  const completeStep = (runId: string, answers: TemplateAnswers, options: object = {}) =>
    answer(runId, answers, { done: true, ...options })
  const show = (runId: string, actor = ada) => actor.call(engagementTemplates.showRun, { params: { runId } })
  const listRuns = async () => (await ada.call(engagementTemplates.runsOfKeeper, { params: { id: keeper.id } })).data
  const inKeeper = {
    params: {
      get id() {
        return keeper.id
      },
    },
  }
  const listReflections = async () => (await ada.call(reflections.list, inKeeper)).data
  const createForm = async (fields: TemplateField[], target = 'reflection') =>
    (
      await ada.call(engagementTemplates.create, {
        body: { kind: 'content-type', label: 'Everything', category: 'Harbour', target, fields } as never,
      })
    ).data

  it('pages long lists of runs, unfinished first, each once', async () => {
    const { db } = app.services
    await startRunData('gratitude')
    const row = await db
      .selectFrom('template_runs')
      .selectAll()
      .where('keeper_id', '=', keeper.id)
      .executeTakeFirstOrThrow()
    await copyRow(db, 'template_runs', row, {
      count: 449,
      values: (index) => ({
        id: `run${index}`,
        updated_at: row.updated_at - Math.floor(index / 3),
        finished_at: index % 2 === 0 ? row.updated_at : null,
      }),
    })
    const pages = await fetchAllPages(ada, engagementTemplates.runsOfKeeper, { id: keeper.id })
    expect(pages.map(({ length }) => length)).toEqual([200, 200, 50])
    const all = pages.flat()
    expect(new Set(all.map(({ id }) => id)).size).toBe(450)
    const areUnfinished = all.map(({ finishedAt }) => finishedAt === null)
    expect(areUnfinished).toEqual([...Array(225).fill(true), ...Array(225).fill(false)])
    const updateTimes = new Map(
      (await db.selectFrom('template_runs').select(['id', 'updated_at']).execute()).map(({ id, updated_at }) => [
        id,
        updated_at,
      ]),
    )
    for (const half of [all.slice(0, 225), all.slice(225)]) {
      const times = half.map(({ id }) => updateTimes.get(id) ?? 0)
      expect(times).toEqual(times.toSorted((a, b) => b - a))
    }
  })

  it('turns a form into a readable reflection under its first tag', async () => {
    const run = await startRunData('gratitude')
    expect(run).toMatchObject({ step: 0, answers: [], finishedAt: null, waitUntil: null, entries: [] })
    expect(run.fields.map(({ key }) => key)).toEqual(['good', 'who', 'why', 'tags'])
    const { status, data } = await completeStep(run.id, {
      good: 'Soup, and *rain*.',
      who: 'Mira',
      tags: ['soup', 'rain'],
    })
    expect(status).toBe(200)
    expect(data).toMatchObject({ step: 1, fields: [], finishedAt: expect.any(String) })
    const [reflection, ...otherReflections] = await listReflections()
    expect(otherReflections).toEqual([])
    expect(data.entries).toEqual([{ entity: 'reflection', id: reflection?.id }])
    expect(reflection).toMatchObject({
      topic: 'soup',
      content:
        '**What was good today, however small?**\n\nSoup, and *rain*.\n\n**Who had a hand in it?:** Mira\n\n**What is it about?:** soup, rain',
    })
    // The reflection can be edited like any other.
    const edited = await ada.call(reflections.update, {
      params: { id: reflection?.id ?? '' },
      body: { content: 'Mine.' },
    })
    expect(edited.data.content).toBe('Mine.')
  })

  it('keeps an unfinished answer through a restart', async () => {
    const run = await startRunData('weekly-review')
    await completeStep(run.id, { answer: 'Rain.' })
    const draft = await answer(run.id, { answer: '' }, {}, 2)
    expect(draft.data).toMatchObject({ step: 1, rev: 3, answers: [{ answer: 'Rain.' }, { answer: '' }] })
    await answer(run.id, { answer: 'Sleep gave' })
    // The state is in the database only, so any process can continue.
    expect((await show(run.id)).data).toMatchObject({
      step: 1,
      answers: [{ answer: 'Rain.' }, { answer: 'Sleep gave' }],
      fields: [{ key: 'answer', label: 'What gave and took strength' }],
    })
    expect((await listRuns()).map(({ id }) => id)).toEqual([run.id])
    expect(await listReflections()).toEqual([])
  })

  it('validates a completed step and names every invalid field', async () => {
    const form = await createForm(
      [
        { key: 'name', label: 'Name', type: 'text', required: true },
        { key: 'on', label: 'On', type: 'date', required: false },
        { key: 'count', label: 'Count', type: 'number', required: false },
        { key: 'pick', label: 'Pick', type: 'choice', required: false, options: ['Ebb', 'Flow'] },
        { key: 'sure', label: 'Sure', type: 'scale', required: false, most: 3 },
        { key: 'tags', label: 'Tags', type: 'tags', required: false },
      ],
      'logbook',
    )
    const run = await startRunData(form.id)
    const invalidAnswers = { name: ' ', on: '2026-02-30', count: 'two', pick: 'Both', sure: 4, tags: [''], other: 'x' }
    const { status, body } = await completeStep(run.id, invalidAnswers)
    expect(status).toBe(400)
    expect(Object.keys(body.fields ?? {}).sort()).toEqual(
      ['count', 'name', 'on', 'other', 'pick', 'sure', 'tags'].map((key) => `answers.${key}`),
    )
    expect((await show(run.id)).data).toMatchObject({ answers: [], rev: 1 })
    const validAnswers = { name: 'Low water', on: '2026-02-28', count: 2, pick: 'Ebb', sure: 3, tags: ['tide', 'moon'] }
    expect((await completeStep(run.id, validAnswers, { timezone: 'Pacific/Kiritimati' })).status).toBe(200)
    const [entry] = (await ada.call(logbook.list, inKeeper)).data
    expect(entry).toMatchObject({
      label: 'Everything',
      category: 'Harbour',
      tags: ['tide', 'moon'],
      entry:
        '**Name:** Low water\n\n**On:** February 28, 2026\n\n**Count:** 2\n\n**Pick:** Ebb\n\n**Sure:** 3 of 3\n\n**Tags:** tide, moon',
    })
    const topicNames = (await ada.call(topics.list, inKeeper)).data.map(({ name }) => name)
    expect(topicNames).toEqual(expect.arrayContaining(['tide', 'moon']))
  })

  it('creates a moment with files, place and topics, or reports a lost file', async () => {
    const form = await createForm(
      [
        { key: 'pictures', label: 'Pictures', type: 'media', required: false },
        { key: 'where', label: 'Where', type: 'place', required: false },
        { key: 'tags', label: 'Tags', type: 'tags', required: false },
      ],
      'moment',
    )
    const run = await startRunData(form.id)
    const missing = await completeStep(run.id, { pictures: [unknownId] })
    expect({ status: missing.status, fields: Object.keys(missing.body.fields ?? {}) }).toEqual({
      status: 400,
      fields: ['answers'],
    })
    expect((await completeStep(run.id, {})).body.fields).toEqual({ answers: 'Answer at least one question.' })
    const mediaId = await uploadMedia(ada, keeper.id)
    const { data } = await completeStep(run.id, { pictures: [mediaId], where: 'The old pier', tags: ['harbour'] })
    const { data: moment } = await ada.call(moments.show, { params: { id: data.entries[0]?.id ?? '' } })
    expect(moment).toMatchObject({
      title: 'Everything',
      place: { name: 'The old pier' },
      topics: [{ name: 'harbour' }],
      media: [{ id: mediaId }],
    })
  })

  it('dates a delayed entry in the person’s time zone', async () => {
    const form = await createForm([{ key: 'what', label: 'What', type: 'text', required: true }], 'moment')
    const run = await startRunData(form.id)
    const answers = { what: 'High water' }
    await app.services.db
      .updateTable('template_runs')
      .set({ step: sealedStep, answers: json([answers]) })
      .where('id', '=', run.id)
      .execute()
    const { data } = await completeStep(run.id, answers, { timezone: 'Pacific/Kiritimati' })
    const { data: moment } = await ada.call(moments.show, { params: { id: data.entries[0]?.id ?? '' } })
    expect(moment.timezone).toBe('Pacific/Kiritimati')
  })

  it('keeps uploaded pictures of an open run and deletes unused ones', async () => {
    const form = await createForm([{ key: 'pictures', label: 'Pictures', type: 'media', required: false }], 'moment')
    const run = await startRunData(form.id)
    const usedId = await uploadMedia(ada, keeper.id)
    const unusedId = await uploadMedia(ada, keeper.id)
    await answer(run.id, { pictures: [usedId] })
    for (let weeks = 0; weeks < 6; weeks += 2) {
      app.passTime(14 * 24 * hourMs)
      expect((await show(run.id)).data.answers).toEqual([{ pictures: [usedId] }])
      await sweepMedia(app.services)
    }
    const rows = await app.services.db.selectFrom('media').select('id').execute()
    expect(rows.map(({ id }) => id)).toEqual([usedId])
    expect(rows.map(({ id }) => id)).not.toContain(unusedId)
    const { data } = await completeStep(run.id, { pictures: [usedId] })
    const { data: moment } = await ada.call(moments.show, { params: { id: data.entries[0]?.id ?? '' } })
    expect(moment.media.map(({ id }) => id)).toEqual([usedId])
    expect((await ada.fetch(`/api/keeper/media/${usedId}`)).status).toBe(200)
  })

  it('enforces the waiting time between steps', async () => {
    const run = await startRunData('grief-letter')
    await completeStep(run.id, { answer: 'You.' })
    const waiting = (await completeStep(run.id, { answer: 'That day.' })).data
    expect(waiting.step).toBe(2)
    expect(Date.parse(waiting.waitUntil ?? '')).toBeGreaterThan(app.services.now().getTime() + 23 * hourMs)
    app.passTime(23 * hourMs)
    const early = await completeStep(run.id, { answer: 'Thank you.' })
    expect({ status: early.status, data: early.body.data }).toEqual({
      status: 409,
      data: { waitUntil: waiting.waitUntil },
    })
    expect((await show(run.id)).data.answers).toHaveLength(2)
    // Earlier answers can still be edited.
    expect((await completeStep(run.id, { answer: 'You, always.' }, { step: 0 })).data).toMatchObject({
      step: 2,
      waitUntil: waiting.waitUntil,
    })
    app.passTime(2 * hourMs)
    expect((await completeStep(run.id, { answer: 'Thank you.' })).data).toMatchObject({ step: 3 })
    app.passTime(25 * hourMs)
    const { data } = await completeStep(run.id, { answer: 'I go on.' })
    expect(data.entries).toHaveLength(1)
    const [letterReflection] = await listReflections()
    expect(letterReflection?.topic).toBe('Grief letter')
    expect(letterReflection?.content).toMatch(
      /^## Who you are writing to\n\n\*\*Who or what are you writing to.+\*\*\n\nYou, always\.\n\n## A day together/,
    )
  })

  it('creates one entry for ten concurrent completions', async () => {
    const run = await startRunData('morning-pages')
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        answer(run.id, { pages: `Version ${index}` }, { done: true, step: 0 }, 1),
      ),
    )
    const [reflection, ...otherReflections] = await listReflections()
    expect(otherReflections).toEqual([])
    const accepted = responses.filter(({ status }) => status === 200)
    expect(accepted).toHaveLength(1)
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(9)
    expect(reflection?.content).toContain(accepted[0]?.data.answers[0]?.pages)
    // A retry after a lost response.
    const retry = await answer(run.id, accepted[0]?.data.answers[0] ?? {}, { done: true, step: 0 }, 1)
    expect({ status: retry.status, entries: retry.data.entries }).toEqual({
      status: 200,
      entries: accepted[0]?.data.entries,
    })
    expect((await completeStep(run.id, { pages: 'Another' }, { step: 0 })).status).toBe(409)
    expect(await listReflections()).toHaveLength(1)
  })

  it('creates a missing entry once after a crash', async () => {
    const run = await startRunData('morning-pages')
    await answer(run.id, { pages: 'Before the end.' })
    await app.services.db.updateTable('template_runs').set({ step: sealedStep }).where('id', '=', run.id).execute()
    const responses = await Promise.all(Array.from({ length: 5 }, () => show(run.id)))
    expect(new Set(responses.map(({ data }) => data.entries[0]?.id)).size).toBe(1)
    expect((await listReflections()).map(({ content }) => content)).toEqual([
      '**What is on your mind?**\n\nBefore the end.',
    ])
  })

  it('reports a conflict between two tabs at one step', async () => {
    const run = await startRunData('weekly-review')
    await answer(run.id, { answer: 'First tab' }, { done: true, step: 0 }, 1)
    const late = await answer(run.id, { answer: 'Second tab' }, { done: true, step: 0 }, 1)
    expect({ status: late.status, code: late.body.code }).toEqual({ status: 409, code: 'stale' })
    expect(late.body.data).toMatchObject({
      yours: { answers: [{ answer: 'Second tab' }] },
      current: { answers: [{ answer: 'First tab' }], step: 1 },
    })
    expect((await answer(run.id, { answer: 'Too far' }, { step: 3 })).body.fields).toHaveProperty('step')
  })

  it('starts once per id and restores a discarded run', async () => {
    const id = 'a'.repeat(32)
    const started = await Promise.all([startRun('gratitude', { id }), startRun('gratitude', { id })])
    expect(started.map(({ status }) => status)).toEqual([200, 200])
    expect(await listRuns()).toHaveLength(1)
    await answer(id, { good: 'Half' })
    await ada.call(engagementTemplates.abandon, { params: { runId: id } })
    expect(await listRuns()).toEqual([])
    expect((await show(id)).status).toBe(404)
    expect((await startRun('gratitude', { id })).data.answers).toEqual([{ good: 'Half' }])
    expect((await startRun('weekly-review', { id })).status).toBe(409)
    expect((await startRun('reflection_journal')).status).toBe(422)
  })

  it('hides runs of other people and refuses their keepers', async () => {
    const run = await startRunData('gratitude')
    const sendCalls = (id: string) => [
      show(id, ben),
      answer(id, { good: 'x' }, { done: true }, undefined, ben),
      ben.call(engagementTemplates.abandon, { params: { runId: id } }),
    ]
    const foreign = await Promise.all(sendCalls(run.id))
    const unknown = await Promise.all(sendCalls(unknownId))
    expect(foreign.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(foreign.map(({ text }) => removeRequestId(text))).toEqual(unknown.map(({ text }) => removeRequestId(text)))
    expect((await startRun('gratitude', {}, ben)).status).toBe(404)
    expect((await startRun('gratitude', { id: run.id }, ben)).status).toBe(404)
    expect((await show(run.id)).data).toEqual(run)
  })

  it('counts the keepers in which the person uses a process', async () => {
    const fetchWeeklyReview = async (actor: Actor) =>
      (await actor.call(engagementTemplates.find, { params: { x: 'weekly-review' } })).data as EngagementTemplate
    await startRunData('weekly-review')
    const bensKeeper = await createTestKeeper(ben)
    await startRun('weekly-review', { keeperId: bensKeeper.id }, ben)
    await startRun('weekly-review', { keeperId: (await createTestKeeper(ben)).id }, ben)
    expect((await fetchWeeklyReview(ada)).templateCount).toBe(1)
    expect((await fetchWeeklyReview(ben)).templateCount).toBe(2)
  })

  it.each(['another’s', 'in another keeper'] as const)(
    'does not mistake an entry with its id %s for its own',
    async (ownerLabel) => {
      const run = await startRunData('gratitude')
      const id = createHash('sha256').update(`${run.id}\nentry`).digest('hex').slice(0, 32)
      const other = await createTestKeeper(ada)
      const { data } = await ada.call(reflections.create, {
        params: { id: other.id },
        body: { content: 'In another keeper.' },
      })
      const ownership = ownerLabel === 'another’s' ? { owner_id: ben.id, keeper_id: keeper.id } : {}
      await app.services.db
        .updateTable('reflections')
        .set({ id, ...ownership })
        .where('id', '=', data.id)
        .execute()
      expect((await completeStep(run.id, { good: 'Soup.' })).status).toBe(409)
    },
  )

  it('keeps all answers when fields are added or removed', async () => {
    const form = await createForm([{ key: 'low_water', label: 'Low water', type: 'text', required: false }])
    const run = await startRunData(form.id)
    await answer(run.id, { low_water: 'At six' })
    const process = await ada.call(engagementTemplates.create, {
      body: {
        kind: 'process',
        label: 'Both tides',
        steps: [step('Ebb', { contentTypeId: form.id }), step('Flow'), step('Moon')],
      },
    })
    const processRun: TemplateRun = await startRunData(process.data.id)
    await completeStep(processRun.id, { low_water: 'At seven' })
    await completeStep(processRun.id, { answer: 'High at noon' })
    await ada.call(engagementTemplates.update, {
      params: { x: form.id },
      body: { fields: [{ key: 'moon', label: 'Moon', type: 'text', required: false }] },
    })
    await ada.call(engagementTemplates.update, {
      params: { x: process.data.id },
      body: { steps: process.data.steps.slice(0, 2) },
    })
    expect((await show(processRun.id)).data.step).toBe(1)
    const { data } = await completeStep(processRun.id, { answer: 'High at one' })
    expect(data.entries).toHaveLength(1)
    expect((await listReflections())[0]?.content).toBe(
      '## Ebb\n\n**Low water**\n\nAt seven\n\n## Flow\n\n**Flow**\n\nHigh at one',
    )
  })
})
