import { beforeEach, describe, expect, it } from 'vitest'
import { entries, type TrashedEntry } from '#contract/keepers/entries.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { insertMomentRows } from '#tests/insert-moment-rows.ts'
import { useTestApp } from '#tests/use-test-app.ts'

const hour = 60 * 60 * 1000

describe.each(engines)('deleted entries and agent reads beyond one page, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  let keeperId: string
  let reflectionId: string
  beforeEach(async () => {
    keeperId = (await createTestKeeper(ada)).id
    const body = { content: 'The lamp was lit.' }
    reflectionId = (await ada.call(reflections.create, { params: { id: keeperId }, body })).data.id
  })

  type Read<Row> = (query: Record<string, string>) => Promise<{ data: Row[]; body: Record<string, unknown> }>
  async function pages<Row>(read: Read<Row>): Promise<Row[][]> {
    const all: Row[][] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { data, body } = await read({ ...(cursor && { cursor }) })
      all.push(data)
      cursor = body.next_cursor as string | null
    }
    return all
  }

  async function insert(table: 'reflections' | 'memory_reads', rows: object[]): Promise<void> {
    for (let at = 0; at < rows.length; at += 500)
      await app.services.db
        .insertInto(table)
        .values(rows.slice(at, at + 500) as never)
        .execute()
  }

  it('list every deleted entry once, newest first', async () => {
    const { db, now } = app.services
    const ids = Array.from({ length: 1500 }, (_, at) => `m${at}`)
    await insertMomentRows(
      app.services,
      ids.map((id) => ({ id, keeperId, ownerId: ada.id })),
    )
    const reflection = await db.selectFrom('reflections').selectAll().executeTakeFirstOrThrow()
    await insert(
      'reflections',
      Array.from({ length: 799 }, (_, at) => ({ ...reflection, id: `r${at}` })),
    )
    // Many at the same instant across page boundaries.
    const earlier = now().getTime() - hour
    await db.updateTable('moments').set({ deleted_at: earlier }).execute()
    await db.updateTable('reflections').set({ deleted_at: earlier }).execute()
    await db
      .updateTable('moments')
      .set({ deleted_at: earlier + 1000 })
      .where('id', 'in', ids.slice(0, 700))
      .execute()
    for (const query of [{}, { keeperId }] as Record<string, string>[]) {
      const read = await pages<TrashedEntry>((cursor) => ada.call(entries.trash, { query: { ...query, ...cursor } }))
      expect(read.map(({ length }) => length)).toEqual([1000, 1000, 300])
      const all = read.flat()
      expect(new Set(all.map(({ entity, id }) => `${entity} ${id}`)).size).toBe(2300)
      expect(all.slice(0, 700).every(({ deletedAt }) => Date.parse(deletedAt) === earlier + 1000)).toBe(true)
    }
  })

  it('list every agent read once, newest first', async () => {
    const at = app.services.now().getTime()
    const read = { owner_id: ada.id, entity: 'reflection', entity_id: reflectionId, agent_id: 'a', agent_name: 'Kip' }
    await insert(
      'memory_reads',
      Array.from({ length: 2300 }, (_, index) => ({
        ...read,
        id: `read${index}`,
        keeper_id: keeperId,
        run_id: `run${index}`,
        purpose: 'chat',
        read_at: at - Math.floor(index / 7) * hour,
      })),
    )
    const params = { entity: 'reflection' as const, id: reflectionId }
    const readPages = await pages<{ id: string; at: string }>((query) => ada.call(entries.reads, { params, query }))
    expect(readPages.map(({ length }) => length)).toEqual([1000, 1000, 300])
    const all = readPages.flat()
    expect(new Set(all.map(({ id }) => id)).size).toBe(2300)
    const times = all.map((one) => one.at)
    expect(times).toEqual(times.toSorted().toReversed())
  })

  it('name an invalid cursor', async () => {
    const params = { entity: 'reflection' as const, id: reflectionId }
    const query = { cursor: 'x' }
    for (const { status, body } of [
      await ada.call(entries.trash, { query }),
      await ada.call(entries.reads, { params, query }),
    ])
      expect({ status, fields: body.fields }).toEqual({
        status: 400,
        fields: { cursor: 'Use the next_cursor of the previous page.' },
      })
  })
})
