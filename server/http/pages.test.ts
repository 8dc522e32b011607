import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { administration } from '#contract/administration/administration.ts'
import { boards } from '#contract/boards/boards.ts'
import { invitations } from '#contract/domains/invitations.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { getSampleKeeperId } from '#contract/keepers/sample-keeper.ts'
import { transfer } from '#contract/keepers/transfer.ts'
import { json } from '#server/db/database.ts'
import { copyRow } from '#tests/copy-row.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { fetchAllPages } from '#tests/fetch-all-pages.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import { type Actor, createTestApp, type TestApp } from '#tests/test-app.ts'

/** Three rows share a time, so that pages end between them. */
const toSharedTime = (at: number) => Math.floor(at / 3)
const pageSize = 1000
const rowCount = pageSize + 2

describe.each(engines)('long lists, on %s', (engine) => {
  let app: TestApp
  let ada: Actor
  beforeAll(async () => {
    app = await createTestApp(engine)
    ada = await app.as('ada')
  })
  afterAll(() => app.close())

  it('keepers: newest page first, oldest first within it, the sample last', async () => {
    const { db } = app.services
    const { id } = await createTestKeeper(ada)
    const stored = await db.selectFrom('keepers').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const values = (at: number) => ({ id: `keeper${at}`, created_at: stored.created_at - 1 - toSharedTime(at) })
    await copyRow(db, 'keepers', stored, { count: rowCount, values })
    const sample = getSampleKeeperId(ada.id)
    await copyRow(db, 'keepers', stored, { count: 1, values: () => ({ id: sample, created_at: 1 }) })
    const pages = await fetchAllPages(ada, keepers.list)
    expect(pages.map(({ length }) => length)).toEqual([pageSize, 4])
    const all = pages.toReversed().flat()
    expect(new Set(all.map((entry) => entry.id)).size).toBe(rowCount + 2)
    expect(all.slice(-2).map((entry) => entry.id)).toEqual([id, sample])
    const times = all.slice(0, -1).map(({ createdAt }) => createdAt)
    expect(times).toEqual(times.toSorted())
    expect((await ada.call(keepers.list, { query: { cursor: 'x' } })).status).toBe(400)
  })

  it('boards and trashed boards: newest first', async () => {
    const { db } = app.services
    const board = (await ada.call(boards.create, { body: { name: 'Harbour' } })).data
    const row = await db.selectFrom('boards').selectAll().where('id', '=', board.id).executeTakeFirstOrThrow()
    const notDeleted = (at: number) => ({ id: `board${at}`, updated_at: row.updated_at - 1 - toSharedTime(at) })
    await copyRow(db, 'boards', row, { count: rowCount, values: notDeleted })
    const deleted = (at: number) => ({ id: `trashed${at}`, deleted_at: row.updated_at - toSharedTime(at) })
    await copyRow(db, 'boards', row, { count: rowCount, values: deleted })
    const pages = await fetchAllPages(ada, boards.list)
    expect(pages.map(({ length }) => length)).toEqual([pageSize, 3])
    expect(pages[0]?.[0]?.id).toBe(board.id)
    expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(rowCount + 1)
    const trash = await fetchAllPages(ada, boards.trash)
    expect(trash.map(({ length }) => length)).toEqual([pageSize, 2])
    expect(new Set(trash.flat().map(({ id }) => id)).size).toBe(rowCount)
    const times = trash.flat().map(({ deletedAt }) => deletedAt)
    expect(times).toEqual(times.toSorted().toReversed())
  })

  it("board templates: system ones once, then one's own", async () => {
    const { db, newId } = app.services
    const template = { name: 'Quay', description: '', config: json({} as never), frames: json([]) }
    await db
      .insertInto('board_templates')
      .values({ id: newId(), owner_id: ada.id, ...template, created_at: 10_000 })
      .execute()
    const row = await db.selectFrom('board_templates').selectAll().executeTakeFirstOrThrow()
    await copyRow(db, 'board_templates', row, {
      count: rowCount,
      values: (at) => ({ id: `template${at}`, created_at: 9000 - toSharedTime(at) }),
    })
    const pages = await fetchAllPages(ada, boards.templates)
    const ownEntries = pages.map((page) => page.filter(({ system }) => !system).length)
    expect(ownEntries).toEqual([pageSize, 3])
    expect(pages.map((page) => page.some(({ system }) => system))).toEqual([true, false])
    expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(pages.flat().length)
  })

  it('imports: newest first', async () => {
    const { db, newId } = app.services
    const times = { created_at: 10_000, updated_at: 10_000 }
    await db
      .insertInto('import_jobs')
      .values({
        id: newId(),
        owner_id: ada.id,
        keeper_id: null,
        kind: 'keeper-zip',
        state: 'done',
        ...times,
        file_name: 'a.zip',
        bytes: 1,
        preview: null,
        error: null,
        total: 0,
        done: 0,
        sha256: 'x',
        lease_until: 0,
      })
      .execute()
    const row = await db.selectFrom('import_jobs').selectAll().executeTakeFirstOrThrow()
    await copyRow(db, 'import_jobs', row, {
      count: 102,
      values: (at) => ({ id: `import${at}`, created_at: 9000 - toSharedTime(at) }),
    })
    const pages = await fetchAllPages(ada, transfer.list)
    expect(pages.map(({ length }) => length)).toEqual([100, 3])
    expect(pages[0]?.[0]?.id).toBe(row.id)
    expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(103)
  })

  it('invitations: open ones before all others, however old', async () => {
    const { db, now } = app.services
    const id = await insertDomain(app, ada)
    const invited = await ada.call(invitations.create, {
      params: { id },
      body: { emails: ['guest@willowbrook.example'], role: 'friend' },
    })
    expect(invited.status).toBe(200)
    const open = await db.selectFrom('invitations').selectAll().where('domain_id', '=', id).executeTakeFirstOrThrow()
    const createInvitationRow = (at: number, overrides: object) => ({
      id: `invitation${at}`,
      token_hash: `hash${at}`,
      email: `g${at}@x.example`,
      email_folded: `g${at}@x.example`,
      sent_at: open.sent_at + 1 + toSharedTime(at),
      ...overrides,
    })
    await copyRow(db, 'invitations', open, {
      count: rowCount,
      values: (at) => createInvitationRow(at, { revoked_at: now().getTime() }),
    })
    await copyRow(db, 'invitations', open, {
      count: pageSize,
      values: (at) => createInvitationRow(at + rowCount, { sent_at: open.sent_at - 1 - toSharedTime(at) }),
    })
    const pages = await fetchAllPages(ada, invitations.list, { id })
    expect(pages.map(({ length }) => length)).toEqual([pageSize, pageSize, 3])
    const all = pages.flat()
    expect(new Set(all.map((entry) => entry.id)).size).toBe(rowCount + pageSize + 1)
    expect(all[0]?.id).toBe(open.id)
    expect(all.map(({ state }) => state)).toEqual([
      ...Array.from({ length: pageSize + 1 }, () => 'open'),
      ...Array.from({ length: rowCount }, () => 'revoked'),
    ])
  })

  it('people with roles: highest role first, then everyone by name', async () => {
    const { db } = app.services
    const cleo = await app.as('cleo', ['super-admin', 'viewer'])
    const row = await db.selectFrom('people').selectAll().where('id', '=', cleo.id).executeTakeFirstOrThrow()
    await copyRow(db, 'people', row, {
      count: rowCount,
      values: (at) => ({
        id: `person${at}`,
        email: `P${at}@x.example`,
        email_folded: `p${at}@x.example`,
        name: at % 2 ? `Name ${toSharedTime(at)}` : null,
      }),
    })
    await db
      .insertInto('role_grants')
      .values([
        { person_id: 'person4', role: 'viewer', granted_at: 1, granted_by: null },
        { person_id: 'person5', role: 'admin', granted_at: 1, granted_by: null },
      ])
      .execute()
    const pages = await fetchAllPages(cleo, administration.roleUsers)
    expect(pages.map(({ length }) => length)).toEqual([pageSize, 4])
    const all = pages.flat()
    expect(new Set(all.map(({ id }) => id)).size).toBe(rowCount + 2)
    expect(all.slice(0, 3).map(({ id }) => id)).toEqual([cleo.id, 'person5', 'person4'])
    const names = all.slice(3).map(({ name, email }) => name ?? email)
    expect(names).toEqual(names.toSorted())
    expect((await cleo.call(administration.roleUsers, { query: { search: 'Name 7' } })).body.next_cursor).toBeNull()
  })
})
