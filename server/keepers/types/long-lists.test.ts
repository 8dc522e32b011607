import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { agentClassCalls } from '#contract/agents/agent-classes.ts'
import { engagementTemplates } from '#contract/keepers/engagement-templates.ts'
import { keeperTypes } from '#contract/keepers/keeper-types.ts'
import { memoryPatterns } from '#contract/keepers/memory-patterns.ts'
import { engines } from '#tests/engines.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import { type Actor, createTestApp, type TestApp } from '#tests/test-app.ts'

const itemsByBen = 1500

interface ListedItem {
  id: string
  system: boolean
  mine: boolean
}
type Query = Record<string, string>

const fields = [{ key: 'tide', label: 'Tide', type: 'text', required: false }]
const kinds = {
  keeper_types: {
    list: (actor: Actor, query: Query) => actor.call(keeperTypes.list, { query }),
    make: (actor: Actor, name: string) => actor.call(keeperTypes.create, { body: { name } }),
  },
  engagement_templates: {
    list: (actor: Actor, query: Query) => actor.call(engagementTemplates.list, { query }),
    make: (actor: Actor, label: string) =>
      actor.call(engagementTemplates.create, { body: { label, kind: 'content-type', type: 'timeline', fields } }),
  },
  memory_patterns: {
    list: (actor: Actor, query: Query) => actor.call(memoryPatterns.list, { query }),
    make: (actor: Actor, name: string) => actor.call(memoryPatterns.create, { body: { name } }),
  },
  agent_classes: {
    list: (actor: Actor, query: Query) => actor.call(agentClassCalls.list, { query }),
    make: (actor: Actor, name: string) => actor.call(agentClassCalls.create, { body: { name, base: 'Standard' } }),
  },
}
type Kind = keyof typeof kinds
const kindNames = Object.keys(kinds) as Kind[]

describe.each(engines)('lists with many items of a domain, on %s', (engine) => {
  let app: TestApp
  let ada: Actor
  let ben: Actor
  beforeEach(async () => {
    app = await createTestApp(engine)
    ada = await app.as('ada')
    ben = await app.as('ben')
    await insertDomain(app, ada, [[ben, 'friend']])
  })
  afterEach(() => app.close())

  /** Copies an item until there are `count`. */
  async function fill(kind: Kind, actor: Actor, count: number): Promise<void> {
    const { db } = app.services
    await kinds[kind].make(actor, 'Lamp')
    const row = await db.selectFrom(kind).selectAll().where('owner_id', '=', actor.id).executeTakeFirstOrThrow()
    const values = Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'object' && value ? JSON.stringify(value) : value,
    ])
    const named = kind === 'engagement_templates' ? 'label' : 'name'
    const copies = Array.from({ length: count - 1 }, (_, at) => ({
      ...Object.fromEntries(values),
      id: `c${at}`,
      slug: `copy-${at}`,
      [named]: `Copy ${at}`,
    }))
    for (let at = 0; at < copies.length; at += 500)
      await db
        .insertInto(kind)
        .values(copies.slice(at, at + 500) as never)
        .execute()
  }

  async function pages(read: (query: Query) => ReturnType<(typeof kinds)[Kind]['list']>): Promise<ListedItem[][]> {
    const all: ListedItem[][] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { data, body } = await read({ ...(cursor && { cursor }) })
      all.push(data)
      cursor = body.next_cursor as string | null
    }
    return all
  }

  it.each(kindNames)('%s: contain all, system items first, also one made in between', async (kind) => {
    await fill(kind, ben, itemsByBen)
    app.passTime(1000)
    const { data: ownItem } = await kinds[kind].make(ada, 'Light')
    const read = await pages((query) => kinds[kind].list(ada, query))
    const all = read.flat()
    const ofKeeper = all.filter(({ system }) => system).length
    expect({ readCount: read.length, firstCount: read[0]?.length }).toEqual({ readCount: 2, firstCount: 1000 })
    expect(new Set(all.map(({ id }) => id)).size).toBe(ofKeeper + itemsByBen + 1)
    expect(all.findLastIndex(({ system }) => system)).toBe(ofKeeper - 1)
    expect(all.filter(({ mine: isMine }) => isMine)).toMatchObject([{ id: ownItem.id }])
    const { status, body } = await kinds[kind].list(ada, { cursor: 'x' })
    expect({ status, fields: body.fields }).toEqual({
      status: 400,
      fields: { cursor: 'Use the next_cursor of the previous page.' },
    })
  })

  it('contain every template of one type', async () => {
    await fill('engagement_templates', ben, itemsByBen)
    const read = await pages(
      (query) =>
        ada.call(engagementTemplates.find, { params: { x: 'timeline' }, query }) as ReturnType<
          typeof kinds.engagement_templates.list
        >,
    )
    expect(read.map(({ length }) => length)[0]).toBe(1000)
    expect(read.flat().filter(({ system }) => !system)).toHaveLength(itemsByBen)
  })

  it.each(['memory_patterns', 'agent_classes'] as const)(
    '%s: reject a name that is in use among many',
    async (kind) => {
      await fill(kind, ada, 1100)
      app.passTime(1000)
      expect((await kinds[kind].make(ada, 'Light')).status).toBe(200)
      const again = await kinds[kind].make(ada, 'light')
      expect({ status: again.status, fields: Object.keys(again.body.fields as object) }).toEqual({
        status: 400,
        fields: ['name'],
      })
    },
  )
})
