import { describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { sharing } from '#contract/agents/sharing.ts'
import {
  type EngagementTemplate,
  engagementTemplates,
  type TemplateField,
} from '#contract/keepers/engagement-templates.ts'
import { entries } from '#contract/keepers/entries.ts'
import { keeperTypes } from '#contract/keepers/keeper-types.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import { createTemplateField as field, createTemplateStep as step } from '#tests/template-fixtures.ts'
import { useTestApp } from '#tests/use-test-app.ts'

const random = '0'.repeat(32)
const withoutRequestId = (text: string) => text.replace(/"requestId":"\w+"/, '')

describe.each(engines)('engagement templates, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'], { perTest: true })

  const create = (body: object, actor = ada) => actor.call(engagementTemplates.create, { body })
  const form = async (more: object = {}, actor = ada) =>
    (await create({ kind: 'content-type', label: 'Tide notes', fields: [field('tide')], ...more }, actor)).data
  const process = async (more: object = {}, actor = ada) =>
    (await create({ kind: 'process', label: 'Ebb and flow', steps: [step('Ebb')], ...more }, actor)).data
  const find = (x: string, actor = ada) => actor.call(engagementTemplates.find, { params: { x } })
  const update = (x: string, body: object) => ada.call(engagementTemplates.update, { params: { x }, body })
  const remove = (x: string) => ada.call(engagementTemplates.remove, { params: { x } })
  const link = (id: string, templateId: string, actor = ada) =>
    actor.call(engagementTemplates.linkToKeeper, { params: { id, templateId } })
  const ofKeeper = async (id: string) => (await ada.call(engagementTemplates.ofKeeper, { params: { id } })).data
  it('that come with Keeper are linked to matching keeper types', async () => {
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
    const created = await form({ type: 'identity' })
    expect((await find(created.id)).data).toEqual(created)
    expect((await find('tide-notes')).data).toEqual(created)
    const identities = (await find('identity')).data as EngagementTemplate[]
    expect(identities.map(({ slug }) => slug)).toEqual([
      'voice_panel',
      'identity_logbook',
      'grief-letter',
      'tide-notes',
    ])
    expect((await form({ label: 'Memory' })).slug).toBe('memory-template')
  })

  it('of other people answer like missing ones in every call', async () => {
    const created = await form()
    const keeper = await createTestKeeper(ben)
    const calls = (x: string) => [
      find(x, ben),
      link(keeper.id, x, ben),
      ben.call(engagementTemplates.begin, { params: { x }, body: { keeperId: keeper.id } }),
      create({ kind: 'process', label: 'Theirs', steps: [step('One', { contentTypeId: x })] }, ben),
    ]
    const [foreign, unknown] = [await Promise.all(calls(created.id)), await Promise.all(calls(random))]
    expect(foreign.map(({ status }) => status)).toEqual([404, 404, 404, 400])
    expect(foreign.map(({ text }) => withoutRequestId(text))).toEqual(unknown.map(({ text }) => withoutRequestId(text)))
    expect((await find(created.id)).data).toEqual(created)
  })

  it('can be used in the processes of domain members', async () => {
    const created = await form()
    await insertDomain(app, ada, [[ben, 'admin']])
    expect((await find(created.id, ben)).data).toMatchObject({ mine: false, system: false })
    expect((await process({ steps: [step('One', { contentTypeId: created.id })] }, ben)).steps[0]?.contentTypeId).toBe(
      created.id,
    )
    expect((await update('gratitude', { label: 'Mine' })).status).toBe(403)
    expect((await update('tide-notes', { fields: [field('moon')] })).data).toMatchObject({ fields: [{ key: 'moon' }] })
  })

  it('are validated with an error that names the field', async () => {
    const named = async (body: object) => Object.keys((await create({ label: 'Odd', ...body })).body.fields ?? {})
    const content = (fields: TemplateField[], more = {}) => named({ kind: 'content-type', fields, ...more })
    expect(await content([])).toEqual(['fields'])
    expect(await content([field('a'), field('a')])).toEqual(['fields.1.key'])
    expect(await content([field('a', { type: 'choice', options: ['One'] })])).toEqual(['fields.0.options'])
    expect(await content([field('a', { type: 'choice', options: ['One', 'One'] })])).toEqual(['fields.0.options'])
    expect(await content([field('a', { type: 'media' })])).toEqual(['target'])
    expect(await content([field('a', { type: 'media' })], { target: 'moment' })).toEqual([])
    expect(await content([field('a')], { steps: [step('One')] })).toEqual(['steps'])
    expect(await named({ kind: 'process', steps: [] })).toEqual(['steps'])
    expect(await named({ kind: 'process', steps: [step('One', { agentSlug: 'nobody' })] })).toEqual([
      'steps.0.agentSlug',
    ])
    expect(await named({ kind: 'process', steps: [step('One', { agentSlug: 'kip' })] })).toEqual([])
    // An agent that is visible but cannot be run.
    const body = { name: 'Shown', purpose: 'p', visibility: 'shared' } as const
    const { id, slug } = (await ben.call(agents.create, { body })).data
    await ben.call(sharing.grant, { params: { agentId: id, personId: ada.id }, body: { rights: ['share'] } })
    expect(await named({ kind: 'process', steps: [step('One', { agentSlug: slug })] })).toEqual(['steps.0.agentSlug'])
    expect(await named({ kind: 'page' })).toEqual(['kind'])
  })

  it('linked to a keeper type or started in a deleted keeper cannot be deleted', async () => {
    const keeper = await createTestKeeper(ada)
    const created = await form()
    const refusal = async () => {
      const { status, body } = await remove(created.id)
      return [status, body.error]
    }
    const { id: processId } = await process({ steps: [step('One', { contentTypeId: created.id })] })
    expect((await find(created.id)).data).toMatchObject({ templateCount: 1 })
    await remove(processId)

    const { data: type } = await ada.call(keeperTypes.create, { body: { name: 'Walks' } })
    await ada.call(keeperTypes.linkTemplate, { params: { id: type.id, templateId: created.id } })
    expect(await refusal()).toEqual([409, expect.stringMatching(/used by a keeper type/)])
    await ada.call(keeperTypes.unlinkTemplate, { params: { id: type.id, templateId: created.id } })

    const startedRun = await ada.call(engagementTemplates.begin, {
      params: { x: created.id },
      body: { keeperId: keeper.id },
    })
    // The answers are restored with their keeper.
    await ada.call(keepers.remove, { params: { id: keeper.id } })
    expect(await refusal()).toEqual([409, expect.stringMatching(/used by an unfinished run/)])
    await ada.call(entries.restore, { params: { entity: 'keeper', id: keeper.id } })
    expect((await ada.call(engagementTemplates.showRun, { params: { runId: startedRun.data.id } })).status).toBe(200)
    await ada.call(engagementTemplates.abandon, { params: { runId: startedRun.data.id } })
    expect((await remove('tide-notes')).status).toBe(200)
    expect((await find(created.id)).status).toBe(404)
  })

  it('of a keeper are those of its type, then its links, each once', async () => {
    const created = await form()
    const keeper = await createTestKeeper(ada, { keeperType: 'professional' })
    for (const id of [created.id, created.id, 'system-gratitude', 'system-one-to-one'])
      expect((await link(keeper.id, id)).status).toBe(200)
    const listed = await ofKeeper(keeper.id)
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
    expect((await ofKeeper(keeper.id)).map(({ slug }) => slug)).not.toContain('tide-notes')
    expect((await link(keeper.id, created.id, ben)).status).toBe(404)
  })
})
