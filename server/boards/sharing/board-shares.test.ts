import { beforeEach, describe, expect, it } from 'vitest'
import { boardSharing, type RoleRights } from '#contract/boards/board-sharing.ts'
import { type Board, boards } from '#contract/boards/boards.ts'
import { domains } from '#contract/domains/domains.ts'
import { computeDatabaseHash } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { listReaderIds } from '../board-access.ts'

const noRights: RoleRights = { admin: 'none', user: 'none', friend: 'none', connection: 'none' }

describe.each(engines)('boards shared in a domain, on %s', (engine) => {
  const { app, ada, ben, cleo, dot } = useTestApp(engine, ['ada', 'ben', 'cleo', 'dot'])
  let domainId: string
  let board: Board
  beforeEach(async () => {
    await app.services.db.updateTable('people').set({ deactivated_at: null }).execute()
    // Cleo owns the domain, Ada the board; Ben is a friend there, Dot an outsider.
    domainId = await insertDomain(app, cleo, [
      [ada, 'user'],
      [ben, 'friend'],
    ])
    board = (await ada.call(boards.create, { body: { name: 'Harbour' } })).data
  })

  const share = (rights: Partial<RoleRights>, actor = ada, id = board.id) =>
    actor.call(boardSharing.share, { params: { id, domainId }, body: { rights: { ...noRights, ...rights } } })
  const unshare = (actor = ada) => actor.call(boardSharing.unshare, { params: { id: board.id, domainId } })
  const showBoard = (actor: Actor) => actor.call(boards.show, { params: { id: board.id } })
  const rename = (actor: Actor, name = 'Quay') => actor.call(boards.save, { params: { id: board.id }, body: { name } })
  const listRights = async (actor: Actor) =>
    (await actor.call(boards.list)).data.filter(({ id }) => id === board.id).map(({ may }) => may)
  const setRole = (role: 'admin' | 'user' | 'friend' | 'connection') =>
    app.services.db.updateTable('domain_members').set({ role }).where('person_id', '=', ben.id).execute()

  const listShares = () =>
    app.services.db.selectFrom('domain_boards').select('board_id').where('domain_id', '=', domainId).execute()

  it("an unshared board is invisible, and a viewer can't change it", async () => {
    for (const actor of [ben, cleo, dot]) expect((await showBoard(actor)).status).toBe(404)
    expect(await share({ friend: 'view' })).toMatchObject({
      status: 200,
      data: { people: 2, rights: { friend: 'view' } },
    })
    const visibleBoard = (await showBoard(ben)).data
    expect(visibleBoard).toMatchObject({ may: 'view', owner: { isMe: false }, isShared: true, domainId: null })
    expect(await listRights(ben)).toEqual(['view'])
    const previous = await computeDatabaseHash(app.services.db)
    expect((await rename(ben)).status).toBe(403)
    expect((await ben.call(boards.remove, { params: { id: board.id } })).status).toBe(403)
    expect((await share({ friend: 'edit' }, ben)).status).toBe(403)
    expect((await ben.call(boardSharing.shares, { params: { id: board.id } })).status).toBe(403)
    expect(await computeDatabaseHash(app.services.db)).toBe(previous)
    expect((await showBoard(dot)).status).toBe(404)
    expect(await listRights(dot)).toEqual([])
  })

  it('an editor can save, but not delete or share', async () => {
    await share({ friend: 'edit' })
    expect((await rename(ben)).data.may).toBe('edit')
    expect((await showBoard(ada)).data.name).toBe('Quay')
    expect((await ben.call(boards.remove, { params: { id: board.id } })).status).toBe(403)
  })

  it("the right follows the person's current role from the next request on", async () => {
    await share({ friend: 'edit', connection: 'view' })
    await setRole('connection')
    expect((await showBoard(ben)).data.may).toBe('view')
    expect((await rename(ben)).status).toBe(403)
    await setRole('user')
    expect((await showBoard(ben)).status).toBe(404)
    expect((await rename(ben)).status).toBe(404)
    expect(await listRights(ben)).toEqual([])
    await setRole('friend')
    expect((await rename(ben)).status).toBe(200)
  })

  it("the domain's owner has the best role's right until the board is unshared", async () => {
    await share({ friend: 'edit', user: 'view' })
    expect((await showBoard(cleo)).data.may).toBe('edit')
    expect((await unshare(ben)).status).toBe(403)
    expect((await unshare()).status).toBe(200)
    for (const actor of [ben, cleo]) expect((await showBoard(actor)).status).toBe(404)
    expect((await unshare()).status).toBe(404)
  })

  it('a manager of members can unshare, but not share', async () => {
    await share({ friend: 'view' })
    await setRole('admin')
    expect((await share({ admin: 'edit' }, ben)).status).toBe(404)
    expect((await unshare(ben)).status).toBe(200)
    expect(await listShares()).toEqual([])
    expect((await showBoard(ada)).status).toBe(200)
  })

  it("roles that can't share, outsiders and foreign boards are refused", async () => {
    await app.services.db
      .updateTable('domain_members')
      .set({ role: 'connection' })
      .where('person_id', '=', ada.id)
      .execute()
    const previous = await computeDatabaseHash(app.services.db, ['answered_creates'])
    expect((await share({ friend: 'view' })).status).toBe(403)
    expect((await share({ friend: 'view' }, dot)).status).toBe(404)
    const dotsBoard = (await dot.call(boards.create, { body: { name: 'Dot' } })).data
    expect((await share({ friend: 'view' }, dot, dotsBoard.id)).status).toBe(404)
    expect((await share({ friend: 'view' }, cleo)).status).toBe(404)
    await dot.call(boards.remove, { params: { id: dotsBoard.id } })
    await app.services.db.deleteFrom('boards').where('id', '=', dotsBoard.id).execute()
    expect(await computeDatabaseHash(app.services.db, ['answered_creates'])).toBe(previous)
  })

  it('a share without readers is refused with advice', async () => {
    expect(await share({})).toMatchObject({
      status: 400,
      body: { fields: { rights: expect.stringContaining('at least one role') } },
    })
  })

  it('an unchanged share writes nothing; a changed one is audited', async () => {
    await share({ friend: 'view' })
    const previous = await computeDatabaseHash(app.services.db)
    await share({ friend: 'view' })
    expect(await computeDatabaseHash(app.services.db)).toBe(previous)
    await share({ friend: 'edit' })
    await unshare()
    const auditEntries = await app.services.db
      .selectFrom('audit_events')
      .selectAll()
      .where('domain_id', '=', domainId)
      .execute()
    expect(auditEntries.map(({ action }) => action).sort()).toEqual(['board-shared', 'board-shared', 'board-unshared'])
    expect(JSON.stringify(auditEntries)).not.toContain('Harbour')
  })

  it('shares end when the sharer leaves and pause while their account is closed', async () => {
    await share({ friend: 'view' })
    await app.services.db.updateTable('people').set({ deactivated_at: 1 }).where('id', '=', ada.id).execute()
    expect((await showBoard(ben)).status).toBe(404)
    await app.services.db.updateTable('people').set({ deactivated_at: null }).execute()
    expect((await showBoard(ben)).status).toBe(200)
    await ada.call(domains.removeMember, { params: { id: domainId, userId: ada.id } })
    expect((await showBoard(ben)).status).toBe(404)
    expect(await listShares()).toEqual([])
  })

  it('only shares by the owner as a member are published and counted', async () => {
    const listSortedIds = async () => (await listReaderIds(app.services, { id: board.id, owner_id: ada.id })).toSorted()
    const { db } = app.services
    await share({ friend: 'view' })
    expect(await listSortedIds()).toEqual([ada.id, ben.id, cleo.id].toSorted())
    // A share left over after its owner's membership ended counts for no one.
    await db.deleteFrom('domain_members').where('domain_id', '=', domainId).where('person_id', '=', ada.id).execute()
    expect(await listSortedIds()).toEqual([ada.id])
    // A share under someone else's name isn't hers.
    await db
      .insertInto('domain_members')
      .values({ domain_id: domainId, person_id: ada.id, role: 'user', added_at: 1, agreed_at: 1 })
      .execute()
    await db.updateTable('domain_boards').set({ owner_id: ben.id }).where('board_id', '=', board.id).execute()
    expect(await listSortedIds()).toEqual([ada.id])
    expect((await ada.call(boardSharing.shares, { params: { id: board.id } })).data.domains).toEqual([])
  })

  it('the owner sees shares and reader counts; no link exists by default', async () => {
    await share({ friend: 'view', user: 'edit' })
    const { data } = await ada.call(boardSharing.shares, { params: { id: board.id } })
    expect(data.link).toBeNull()
    expect(data.domains).toMatchObject([
      { domainId, rights: { friend: 'view', user: 'edit', admin: 'none' }, people: 2 },
    ])
  })
})
