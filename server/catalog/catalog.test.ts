import { describe, expect, it } from 'vitest'
import { agentClassCalls } from '#contract/agents/agent-classes.ts'
import { agents } from '#contract/agents/agents.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { engagementTemplates } from '#contract/keepers/engagement-templates.ts'
import { keeperTypes } from '#contract/keepers/keeper-types.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { memoryPatterns } from '#contract/keepers/memory-patterns.ts'
import { themeKeys } from '#contract/themes/theme-keys.ts'
import { themes } from '#contract/themes/themes.ts'
import { addSystemEntries } from '#server/start/add-system-entries.ts'
import { copyRow } from '#tests/copy-row.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { fetchAllPages } from '#tests/fetch-all-pages.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import { removeRequestId } from '#tests/remove-request-id.ts'
import { createTemplateField, createTemplateStep } from '#tests/template-fixtures.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import type { SharedTable } from './catalog.ts'

interface Entry {
  id: string
  slug: string
  system: boolean
  mine: boolean
  rev: number
  [field: string]: unknown
}

interface EntryUse {
  error: RegExp
  start(actor: Actor, entry: Entry): Promise<() => Promise<{ status: number }>>
  /** Members of its domain can use an entry; only some kinds can be named by strangers. */
  canStrangersUse?: boolean
}

interface TestedKind {
  calls: Record<'list' | 'create' | 'update' | 'remove', Endpoint>
  idParam: string
  body: object
  builtIn: string[]
  systemId: string
  systemError: RegExp
  fallbackSlug: string
  nameField: string
  maxNameLength: number
  textField: string
  /** The table of kinds that members of a domain share. */
  table?: SharedTable
  uniqueName?: string
  uses: EntryUse[]
}

const anyColor = Object.fromEntries(themeKeys.map((key) => [key, '#777777']))
const commonFields = { idParam: 'id', nameField: 'name', maxNameLength: 80, textField: 'description' }
const copyHint = /comes with Keeper. Duplicate it to change the copy/

const createKeeperUse =
  (property: 'memoryPattern' | 'keeperTypeId', value: (entry: Entry) => string) =>
  async (actor: Actor, entry: Entry) => {
    const { id } = await createTestKeeper(actor, { [property]: value(entry) })
    return () => actor.call(keepers.remove, { params: { id } })
  }

const kinds: Record<string, TestedKind> = {
  'agent classes': {
    ...commonFields,
    calls: agentClassCalls,
    body: { base: 'Lead', defaults: { memory_enabled: true, tools: ['search_memory'] } },
    builtIn: ['standard', 'coordinator', 'lead', 'persona'],
    systemId: 'system-lead',
    systemError: copyHint,
    fallbackSlug: 'class',
    table: 'agent_classes',
    uniqueName: 'There is already a class with this name. Choose another one.',
    uses: [
      {
        error: /Agents use this class/,
        async start(actor, { slug }) {
          const body = { name: 'Tide clerk', purpose: 'p', config: { class_slug: slug } }
          const { id } = (await actor.call(agents.create, { body })).data
          return () => actor.call(agents.remove, { body: { id } })
        },
        canStrangersUse: true,
      },
    ],
  },
  'memory patterns': {
    ...commonFields,
    calls: memoryPatterns,
    body: { sections: [{ key: 'ebb', title: 'Ebb', kind: 'list' }], captureFrom: ['moment'], keepsStory: true },
    builtIn: ['sole', 'crmtimeline'],
    systemId: 'system-sole',
    systemError: copyHint,
    fallbackSlug: 'pattern',
    table: 'memory_patterns',
    uniqueName: 'There is already a pattern with this name. Choose another one.',
    uses: [
      {
        error: /Keepers use this pattern/,
        start: createKeeperUse('memoryPattern', ({ name }) => String(name).toUpperCase()),
        canStrangersUse: true,
      },
    ],
  },
  'keeper types': {
    ...commonFields,
    calls: keeperTypes,
    body: { memoryPattern: 'tracker' },
    builtIn: ['journal', 'project', 'educational', 'professional', 'wellness', 'custom'],
    systemId: 'system-journal',
    systemError: /^This is a system-reserved Keeper Type. Editing is disabled.$/,
    fallbackSlug: 'type',
    table: 'keeper_types',
    uses: [
      { error: /Keepers use this type/, start: createKeeperUse('keeperTypeId', ({ id }) => id) },
      {
        error: /^Some agents are assigned .* first/,
        async start(actor, { id }) {
          const body = { name: `Wayfarer of ${actor.id}`, purpose: 'p' }
          const { data: agent } = await actor.call(agents.create, { body })
          const assign = (keeperTypeId: string) =>
            actor.call(keeperTypes.assign, { params: { agentId: agent.id, keeperTypeId } })
          await assign(id)
          return () => assign('system-wellness')
        },
      },
    ],
  },
  'engagement templates': {
    ...commonFields,
    calls: engagementTemplates,
    idParam: 'x',
    body: { kind: 'content-type', type: 'timeline', fields: [createTemplateField('tide')] },
    builtIn: [
      'reflection_journal',
      'memorycard_generator',
      'voice_panel',
      'echo_writer',
      'identity_logbook',
      'gratitude',
      'morning-pages',
      'decision-log',
      'one-to-one',
      'weekly-review',
      'grief-letter',
    ],
    systemId: 'system-gratitude',
    systemError: copyHint,
    fallbackSlug: 'template',
    nameField: 'label',
    table: 'engagement_templates',
    uses: [
      {
        error: /used by a process/,
        async start(actor, entry) {
          const body = {
            kind: 'process',
            label: 'Ebb',
            steps: [createTemplateStep('One', { contentTypeId: entry.id })],
          }
          const { id } = (await actor.call(engagementTemplates.create, { body })).data
          return () => actor.call(engagementTemplates.remove, { params: { x: id } })
        },
      },
      {
        error: /used by a keeper\./,
        async start(actor, entry) {
          const params = { id: (await createTestKeeper(actor)).id, templateId: entry.id }
          await actor.call(engagementTemplates.linkToKeeper, { params })
          return () => actor.call(engagementTemplates.unlinkFromKeeper, { params })
        },
      },
      {
        error: /used by an unfinished run/,
        async start(actor, entry) {
          const body = { keeperId: (await createTestKeeper(actor)).id }
          const run = (await actor.call(engagementTemplates.begin, { params: { x: entry.id }, body })).data
          return () => actor.call(engagementTemplates.abandon, { params: { runId: run.id } })
        },
      },
    ],
  },
  themes: {
    ...commonFields,
    calls: themes,
    idParam: 'themeId',
    body: { light: anyColor, dark: anyColor },
    builtIn: ['keeper-classic', 'forest-deep', 'ocean-calm', 'sunset-warm', 'midnight-elegant'],
    systemId: 'keeper-classic',
    systemError: /comes with Keeper and can’t be changed/,
    fallbackSlug: 'theme',
    maxNameLength: 60,
    textField: 'note',
    uses: [],
  },
}
const kindNames = Object.keys(kinds)
const domainKinds = kindNames.filter((name) => kinds[name]?.table)
const unknownId = '0'.repeat(32)

describe.each(engines)('entries of catalogs, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'], { perTest: true })

  function createOperations(kindName: string) {
    const kind = kinds[kindName]!
    const { calls, nameField, textField } = kind
    const params = (id: string) => ({ [kind.idParam]: id })
    const list = async (actor = ada) => (await actor.call(calls.list)).data as Entry[]
    return {
      kind,
      list,
      find: async (id: string, actor = ada) => (await list(actor)).find((entry) => entry.id === id),
      create: async (name = 'Tide table', actor = ada) => {
        const { data, ...answer } = await actor.call(calls.create, { body: { ...kind.body, [nameField]: name } })
        return { ...answer, data: data as Entry }
      },
      update: async (id: string, body: object, actor = ada, ifMatch?: number) => {
        const options = { params: params(id), body, ...(ifMatch !== undefined && { ifMatch }) }
        const { data, ...answer } = await actor.call(calls.update, options)
        return { ...answer, data: data as Entry }
      },
      remove: (id: string, actor = ada) => actor.call(calls.remove, { params: params(id) }),
      describe: (text: string) => ({ [textField]: text }),
      rename: (name: string) => ({ [nameField]: name }),
    }
  }

  it.each(kindNames)('%s: built-in entries are added once and come first', async (name) => {
    const { kind, list, create } = createOperations(name)
    const { data } = await create()
    const listed = await list()
    expect(listed.map(({ slug }) => slug)).toEqual([...kind.builtIn, data.slug])
    expect(listed.filter(({ system, mine }) => system && !mine)).toHaveLength(kind.builtIn.length)
    await addSystemEntries(app.services)
    expect(await list()).toEqual(listed)
  })

  it.each(kindNames)('%s: slugs come from the name and are unique', async (name) => {
    const { kind, create, list } = createOperations(name)
    const { data } = await create()
    expect(data).toMatchObject({ ...kind.body, slug: 'tide-table', system: false, mine: true, rev: 1 })
    expect((await list()).at(-1)).toEqual(data)
    expect((await create('Tide table', ben)).data.slug).toMatch(/^tide-table-\w{8}$/)
    expect((await create('日記')).data.slug).toBe(kind.fallbackSlug)
    const id = (await create(data.id)).data.slug
    expect(id, 'an id is not accepted as a slug').toMatch(new RegExp(`^${data.id}-\\w{8}$`))
  })

  it.each(kindNames)('%s: an entry needs a short name', async (name) => {
    const { kind, create, update, list } = createOperations(name)
    const { data } = await create()
    for (const answer of [await create('  '), await update(data.id, { [kind.nameField]: ' ' })])
      expect({ status: answer.status, fields: answer.body.fields }).toEqual({
        status: 400,
        fields: { [kind.nameField]: 'Enter a name.' },
      })
    expect((await create('x'.repeat(kind.maxNameLength + 1))).status).toBe(400)
    expect((await list()).filter(({ mine }) => mine)).toEqual([data])
  })

  it.each(kindNames)('%s: a change keeps the slug; a stale change is refused with both versions', async (name) => {
    const { kind, create, update, find, describe: text, rename } = createOperations(name)
    const { data } = await create()
    const changed = await update(data.id, { ...text('High and low.'), ...rename('Moon table') }, ada, 1)
    expect(changed.data).toEqual({
      ...data,
      ...text('High and low.'),
      ...rename('Moon table'),
      rev: 2,
      ...('updatedAt' in data && { updatedAt: changed.data.updatedAt }),
    })
    expect((await update(data.id, {}, ada, 2)).data).toEqual(changed.data)
    const stale = await update(data.id, text('Outdated'), ada, 1)
    expect(stale).toMatchObject({ status: 409, body: { code: 'stale' } })
    expect(stale.body.data).toMatchObject({
      yours: { ...text('Outdated'), ...rename('Moon table'), rev: 1 },
      current: { ...text('High and low.'), rev: 2 },
    })
    expect(await find(data.id)).toEqual(changed.data)
    const concurrent = await Promise.all(['a', 'b', 'c'].map((note) => update(data.id, { [kind.textField]: note })))
    expect(concurrent.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await find(data.id)).toMatchObject({ slug: data.slug, rev: 5 })
  })

  it.each(kindNames)('%s: other people’s entries seem missing; built-in ones can’t be changed', async (name) => {
    const { kind, create, update, remove, find, list, rename } = createOperations(name)
    const { data } = await create()
    for (const requestEntry of [(id: string) => update(id, rename('Mine'), ben), (id: string) => remove(id, ben)]) {
      const [foreign, unknown] = [await requestEntry(data.id), await requestEntry(unknownId)]
      expect({ foreign: foreign.status, unknown: unknown.status }).toEqual({ foreign: 404, unknown: 404 })
      expect(removeRequestId(foreign.text)).toBe(removeRequestId(unknown.text))
      const builtIn = await requestEntry(kind.systemId)
      expect(builtIn).toMatchObject({ status: 403, body: { error: expect.stringMatching(kind.systemError) } })
    }
    expect((await list(ben)).map(({ slug }) => slug)).toEqual(kind.builtIn)
    expect(await find(data.id)).toEqual(data)
  })

  it.each(kindNames)('%s: an entry is deleted by its owner', async (name) => {
    const { create, remove, find } = createOperations(name)
    const { data } = await create()
    expect((await remove(data.id)).status).toBe(200)
    expect(await find(data.id)).toBeUndefined()
    expect((await remove(data.id)).status).toBe(404)
  })

  it.each(domainKinds)('%s: members of a domain see entries but can’t change them', async (name) => {
    const { create, update, remove, find, rename } = createOperations(name)
    const { data } = await create()
    const cleo = await app.as('cleo')
    const domainId = await insertDomain(app, ada, [
      [ben, 'friend'],
      [cleo, 'admin'],
    ])
    expect(await find(data.id, await app.as('dot'))).toBeUndefined()
    for (const member of [ben, cleo]) {
      expect(await find(data.id, member)).toMatchObject({ system: false, mine: false, rev: 1 })
      expect((await update(data.id, rename('Mine'), member)).status).toBe(403)
      expect((await remove(data.id, member)).status).toBe(403)
    }
    expect(await find(data.id)).toEqual(data)
    const { data: bensEntry } = await create('Choir', ben)
    expect(await find(bensEntry.id)).toMatchObject({ mine: false })
    await app.services.db.deleteFrom('domain_members').where('domain_id', '=', domainId).execute()
    expect(await find(data.id, ben)).toBeUndefined()
  })

  it.each(kindNames.filter((name) => kinds[name]?.uniqueName))('%s: a name is unique per owner', async (name) => {
    const { kind, create, update, rename } = createOperations(name)
    await create()
    await insertDomain(app, ada, [[ben, 'user']])
    expect((await create('Tide table', ben)).data).toMatchObject({ name: 'Tide table', mine: true })
    const { data: other } = await create('Moon table')
    for (const refused of [await create('tide TABLE'), await update(other.id, rename('Tide table'))])
      expect({ status: refused.status, fields: refused.body.fields }).toEqual({
        status: 400,
        fields: { name: kind.uniqueName },
      })
    expect((await update(other.id, rename('MOON table'))).status).toBe(200)
  })

  it.each(domainKinds)('%s: an entry in use can’t be deleted, and the error names the use', async (name) => {
    const { kind, create, remove, find } = createOperations(name)
    const { data } = await create()
    for (const { start, canStrangersUse } of kind.uses) if (canStrangersUse) await start(await app.as('dot'), data)
    await insertDomain(app, ada, [[ben, 'user']])
    for (const { start, error } of kind.uses)
      for (const actor of [ada, ben]) {
        const endUse = await start(actor, data)
        const refused = await remove(data.id)
        expect({ status: refused.status, code: refused.body.code, error: refused.body.error }).toEqual({
          status: 409,
          code: 'conflict',
          error: expect.stringMatching(error),
        })
        expect(await find(data.id)).toBeDefined()
        expect((await endUse()).status).toBe(200)
      }
    expect((await remove(data.id)).status).toBe(200)
    expect(await find(data.id)).toBeUndefined()
  })

  it.each(domainKinds)('%s: long lists contain all entries, even one created while reading', async (name) => {
    const { kind, create } = createOperations(name)
    await insertDomain(app, ada, [[ben, 'friend']])
    const { data } = await create('Lamp')
    const { db } = app.services
    const row = await db.selectFrom(kind.table!).selectAll().where('id', '=', data.id).executeTakeFirstOrThrow()
    await copyRow(db, kind.table!, row, {
      count: 1499,
      values: (at) => ({ id: `c${at}`, slug: `copy-${at}`, [kind.nameField]: `Copy ${at}` }),
    })
    app.passTime(1000)
    const { data: bensEntry } = await create('Light', ben)
    const pages = (await fetchAllPages(ben, kind.calls.list)) as Entry[][]
    const allEntries = pages.flat()
    expect(pages).toHaveLength(2)
    expect(pages[0]).toHaveLength(1000)
    expect(new Set(allEntries.map(({ id }) => id)).size).toBe(kind.builtIn.length + 1500 + 1)
    expect(allEntries.findLastIndex(({ system }) => system)).toBe(kind.builtIn.length - 1)
    expect(allEntries.filter(({ mine }) => mine)).toMatchObject([{ id: bensEntry.id }])
    const invalid = await ben.call(kind.calls.list, { query: { cursor: 'x' } })
    expect({ status: invalid.status, fields: invalid.body.fields }).toEqual({
      status: 400,
      fields: { cursor: 'Use the next_cursor of the previous page.' },
    })
    expect((await create('Light')).status).toBe(200)
    if (kind.uniqueName) expect((await create('light')).body.fields).toEqual({ name: kind.uniqueName })
    if (kind.table !== 'engagement_templates') return
    const timeline = { ...engagementTemplates.find, path: engagementTemplates.find.path.replace(':x', 'timeline') }
    const timelineTemplates = (await fetchAllPages(ada, timeline)).flat() as Entry[]
    expect(timelineTemplates.filter(({ system }) => !system)).toHaveLength(1502)
  })
})
