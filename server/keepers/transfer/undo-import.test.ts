import { beforeEach, describe, expect, it } from 'vitest'
import { entries } from '#contract/keepers/entries.ts'
import { journeys } from '#contract/keepers/journeys.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { moments } from '#contract/keepers/moments.ts'
import { search } from '#contract/keepers/search.ts'
import { importUndoMs, transfer } from '#contract/keepers/transfer.ts'
import type { Person } from '#server/accounts/person.ts'
import { createZip, exportKeeper, importArchive } from '#tests/archives.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import type { Actor, TestApp } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { undoImport } from './import-jobs.ts'

describe.each(engines)('undoing an import, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])
  beforeEach(async () => {
    await app.services.db.deleteFrom('keepers').execute()
    await app.services.db.deleteFrom('import_jobs').execute()
  })

  const journal = () =>
    createZip({
      'Journal.json': JSON.stringify({
        entries: ['A', 'B', 'C'].map((uuid) => ({ uuid, creationDate: '2019-03-02T10:00:00Z', text: uuid })),
      }),
    })
  const undo = (actor: Actor, jobId: string) => actor.call(transfer.undo, { params: { jobId } })
  const listTexts = async (id: string) =>
    (await ben.call(moments.list, { params: { id } })).data.items.map(({ body }) => body).sort()

  it('moves its entries to the trash, except those changed since and those written before', async () => {
    const { id } = await createTestKeeper(ben)
    await ben.call(moments.create, { params: { id }, body: { body: 'Mine' } })
    const job = await importArchive(ben, await journal(), { keeperId: id })
    const { items } = (await ben.call(moments.list, { params: { id } })).data
    const changed = items.find(({ body }) => body === 'B')
    await ben.call(moments.update, {
      params: { id: changed?.id ?? '' },
      body: { body: 'B, changed' },
      ifMatch: changed?.rev,
    })
    const undone = await undo(ben, job.id)
    expect(undone.data).toMatchObject({ state: 'undone', undoableUntil: null })
    expect(await listTexts(id)).toEqual(['B, changed', 'Mine'])
    const trashed = (await ben.call(entries.trash, { query: { keeperId: id } })).data
    expect(trashed.map(({ title }) => title).sort()).toEqual(['A', 'C'])
    expect((await undo(ben, job.id)).status).toBe(409)
  })

  it('allows the same export to be imported again', async () => {
    const { id } = await createTestKeeper(ben)
    await undo(ben, (await importArchive(ben, await journal(), { keeperId: id })).id)
    const again = await importArchive(ben, await journal(), { keeperId: id })
    expect(again.preview).toMatchObject({ entries: 3, duplicates: 0 })
    expect(await listTexts(id)).toEqual(['A', 'B', 'C'])
  })

  /** The services of a process that dies when it writes to `table` for the `nth` time. */
  function dieAt(table: string, nth: number): TestApp['services'] {
    let writes = 0
    const db = new Proxy(app.services.db, {
      get(target, name) {
        const member = Reflect.get(target, name, target)
        if (typeof member !== 'function') return member
        return (...args: unknown[]) => {
          if (name === 'updateTable' && args[0] === table && ++writes === nth) throw new Error('killed')
          return Reflect.apply(member, target, args)
        }
      },
    })
    return { ...app.services, db }
  }

  it.each(['done', 'failed'] as const)(
    'of a %s import continues when it is repeated after an interruption',
    async (state) => {
      const { id } = await createTestKeeper(ben)
      const job = await importArchive(ben, await journal(), { keeperId: id })
      await app.services.db.updateTable('import_jobs').set({ state }).where('id', '=', job.id).execute()
      const person = { id: ben.id } as Person
      await expect(undoImport(dieAt('moments', 1), person, job.id)).rejects.toThrow('killed')
      expect(await listTexts(id)).toEqual(['A', 'B', 'C'])
      await expect(undoImport(dieAt('sources', 1), person, job.id)).rejects.toThrow('killed')
      expect((await ben.call(transfer.begin, { params: { jobId: job.id }, body: {} })).status).toBe(409)
      expect((await undo(ben, job.id)).data).toMatchObject({ state: 'undone', undoableUntil: null })
      expect(await listTexts(id)).toEqual([])
      expect((await importArchive(ben, await journal(), { keeperId: id })).preview).toMatchObject({ duplicates: 0 })
      expect(await listTexts(id)).toEqual(['A', 'B', 'C'])
    },
  )

  it('of an archive of two keepers continues with the second one', async () => {
    const at = '2026-01-02T03:04:05.000Z'
    const keeperList = ['k', 'l'].map((id) => ({ id, title: id, moments: [{ occurredAt: at, body: id }] }))
    const json = JSON.stringify({ format: 'keeper', version: 1, keepers: keeperList })
    const job = await importArchive(ben, await createZip({ 'keeper.json': json }))
    const listTitles = async () => (await ben.call(keepers.list, {})).data.map(({ title }) => title)
    expect(await listTitles()).toHaveLength(2)
    await expect(undoImport(dieAt('keepers', 2), { id: ben.id } as Person, job.id)).rejects.toThrow('killed')
    expect(await listTitles()).toHaveLength(1)
    expect((await undo(ben, job.id)).data).toMatchObject({ state: 'undone' })
    expect(await listTitles()).toEqual([])
  })

  it('moves conversations to the trash, where no search finds them', async () => {
    const { id } = await createTestKeeper(ben)
    const message = { uuid: 'm', sender: 'human', text: 'A lantern by the weir', created_at: '2026-03-01T08:00:00Z' }
    const chat = { uuid: 'c', name: 'Weir', created_at: message.created_at, updated_at: message.created_at }
    const bytes = await createZip({ 'conversations.json': JSON.stringify([{ ...chat, chat_messages: [message] }]) })
    const job = await importArchive(ben, bytes, { keeperId: id })
    const findTypes = async () =>
      (await ben.call(search.find, { query: { q: 'lantern' } })).data.items.map(({ type }) => type)
    expect(await findTypes()).toEqual(['source'])
    await undo(ben, job.id)
    expect(await findTypes()).toEqual([])
    expect((await importArchive(ben, bytes, { keeperId: id })).preview).toMatchObject({ entries: 1, duplicates: 0 })
    expect(await findTypes()).toEqual(['source'])
  })

  it('is refused to others, before anything was imported, and after 30 days', async () => {
    const { id } = await createTestKeeper(ben)
    const job = await importArchive(ben, await journal(), { keeperId: id })
    expect((await undo(ada, job.id)).status).toBe(404)
    const set = (change: object) =>
      app.services.db.updateTable('import_jobs').set(change).where('id', '=', job.id).execute()
    await set({ state: 'previewed' })
    expect((await undo(ben, job.id)).status).toBe(409)
    await set({ state: 'done', updated_at: app.services.now().getTime() - importUndoMs })
    expect((await undo(ben, job.id)).status).toBe(409)
    expect(await listTexts(id)).toEqual(['A', 'B', 'C'])
  })

  it('moves the keepers of an archive to the trash, unless someone has written in them', async () => {
    const source = await createTestKeeper(ben)
    await ben.call(moments.create, { params: { id: source.id }, body: { body: 'Old' } })
    const bytes = await exportKeeper(ben, source.id)
    const first = await importArchive(ben, bytes)
    const second = await importArchive(ben, bytes)
    await ben.call(moments.create, { params: { id: second.keeperId ?? '' }, body: { body: 'New' } })
    const third = await importArchive(ben, bytes)
    await ben.call(journeys.create, { params: { id: third.keeperId ?? '' }, body: { title: 'North' } })
    for (const { id } of [first, second, third]) await undo(ben, id)
    const { data } = await ben.call(keepers.list, {})
    expect(data.map(({ id }) => id).sort()).toEqual([source.id, second.keeperId, third.keeperId].sort())
  })
})
