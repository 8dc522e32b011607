import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { boardSharing, type RightsOfRoles } from '#contract/boards/board-sharing.ts'
import { type Board, boards } from '#contract/boards/boards.ts'
import { domains } from '#contract/domains/domains.ts'
import { domainOf } from '#tests/domain-of.ts'
import { engines } from '#tests/engines.ts'
import type { Actor } from '#tests/test-app.ts'
import { type WholeCast, wholeCast } from '#tests/whole-cast.ts'
import { databaseHash } from '#tests/whole-database.ts'
import { readersOf } from '../tell-boards.ts'

const nobody: RightsOfRoles = { admin: 'none', user: 'none', friend: 'none', connection: 'none' }

describe.each(engines)('boards that are shared in a domain, on %s', (engine) => {
  let { app, ada, ben, cleo, dot } = {} as WholeCast
  let domainId: string
  let board: Board
  beforeAll(async () => {
    ;({ app, ada, ben, cleo, dot } = await wholeCast(engine))
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    await app.services.db.updateTable('people').set({ deactivated_at: null }).execute()
    // Cleo owns the domain; the board is Ada's; Ben is a friend there; Dot is nobody.
    domainId = await domainOf(app, cleo, [
      [ada, 'user'],
      [ben, 'friend'],
    ])
    board = (await ada.call(boards.create, { body: { name: 'Harbour' } })).data
  })

  const share = (rights: Partial<RightsOfRoles>, who = ada, id = board.id) =>
    who.call(boardSharing.share, { params: { id, domainId }, body: { rights: { ...nobody, ...rights } } })
  const unshare = (who = ada) => who.call(boardSharing.unshare, { params: { id: board.id, domainId } })
  const show = (who: Actor) => who.call(boards.show, { params: { id: board.id } })
  const rename = (who: Actor, name = 'Quay') => who.call(boards.save, { params: { id: board.id }, body: { name } })
  const listed = async (who: Actor) =>
    (await who.call(boards.list)).data.filter(({ id }) => id === board.id).map(({ may }) => may)
  const setRole = (role: 'admin' | 'user' | 'friend' | 'connection') =>
    app.services.db.updateTable('domain_members').set({ role }).where('person_id', '=', ben.id).execute()

  const sharesIn = () =>
    app.services.db.selectFrom('domain_boards').select('board_id').where('domain_id', '=', domainId).execute()

  it('nobody but its owner knows of it before; a friend who may view sees it and changes nothing', async () => {
    for (const who of [ben, cleo, dot]) expect((await show(who)).status).toBe(404)
    const { status, data } = await share({ friend: 'view' })
    expect([status, data.people, data.rights.friend]).toEqual([200, 2, 'view'])
    const seen = (await show(ben)).data
    expect([seen.may, seen.owner.isMe, seen.isShared, seen.domainId]).toEqual(['view', false, true, null])
    expect(await listed(ben)).toEqual(['view'])
    const before = await databaseHash(app.services.db)
    expect((await rename(ben)).status).toBe(403)
    expect((await ben.call(boards.remove, { params: { id: board.id } })).status).toBe(403)
    expect((await share({ friend: 'edit' }, ben)).status).toBe(403)
    expect((await ben.call(boardSharing.shares, { params: { id: board.id } })).status).toBe(403)
    expect(await databaseHash(app.services.db)).toBe(before)
    expect((await show(dot)).status).toBe(404)
    expect(await listed(dot)).toEqual([])
  })

  it('who may edit saves it, and its owner sees that; deleting and sharing stay the owner’s', async () => {
    await share({ friend: 'edit' })
    expect((await rename(ben)).data.may).toBe('edit')
    expect((await show(ada)).data.name).toBe('Quay')
    expect((await ben.call(boards.remove, { params: { id: board.id } })).status).toBe(403)
  })

  it('the right is that of the role one has now, from the next request on', async () => {
    await share({ friend: 'edit', connection: 'view' })
    await setRole('connection')
    expect([(await show(ben)).data.may, (await rename(ben)).status]).toEqual(['view', 403])
    await setRole('user')
    expect([(await show(ben)).status, (await rename(ben)).status, await listed(ben)]).toEqual([404, 404, []])
    await setRole('friend')
    expect((await rename(ben)).status).toBe(200)
  })

  it('the owner of the domain may what the best role may; taking it back ends it for all at once', async () => {
    await share({ friend: 'edit', user: 'view' })
    expect((await show(cleo)).data.may).toBe('edit')
    expect((await unshare(ben)).status).toBe(403)
    expect((await unshare()).status).toBe(200)
    for (const who of [ben, cleo]) expect((await show(who)).status).toBe(404)
    expect((await unshare()).status).toBe(404)
  })

  it('who manages the members may take a board back, and may not share it', async () => {
    await share({ friend: 'view' })
    await setRole('admin')
    expect((await share({ admin: 'edit' }, ben)).status).toBe(404)
    expect((await unshare(ben)).status).toBe(200)
    expect(await sharesIn()).toEqual([])
    expect((await show(ada)).status).toBe(200)
  })

  it('a role that does not share, an outsider, and somebody else’s board are refused; nothing changes', async () => {
    await app.services.db
      .updateTable('domain_members')
      .set({ role: 'connection' })
      .where('person_id', '=', ada.id)
      .execute()
    const before = await databaseHash(app.services.db, ['answered_creates'])
    expect((await share({ friend: 'view' })).status).toBe(403)
    expect((await share({ friend: 'view' }, dot)).status).toBe(404)
    const dots = (await dot.call(boards.create, { body: { name: 'Dot' } })).data
    expect((await share({ friend: 'view' }, dot, dots.id)).status).toBe(404)
    expect((await share({ friend: 'view' }, cleo)).status).toBe(404)
    await dot.call(boards.remove, { params: { id: dots.id } })
    await app.services.db.deleteFrom('boards').where('id', '=', dots.id).execute()
    expect(await databaseHash(app.services.db, ['answered_creates'])).toBe(before)
  })

  it('nobody to see it is refused with what to do', async () => {
    const { status, body } = await share({})
    expect(status).toBe(400)
    expect((body as unknown as { fields: Record<string, string> }).fields.rights).toContain('at least one role')
  })

  it('giving the same again writes nothing; another right writes one more deed into the trail', async () => {
    await share({ friend: 'view' })
    const before = await databaseHash(app.services.db)
    await share({ friend: 'view' })
    expect(await databaseHash(app.services.db)).toBe(before)
    await share({ friend: 'edit' })
    await unshare()
    const trail = await app.services.db
      .selectFrom('audit_events')
      .selectAll()
      .where('domain_id', '=', domainId)
      .execute()
    expect(trail.map(({ action }) => action).sort()).toEqual(['board-shared', 'board-shared', 'board-unshared'])
    expect(JSON.stringify(trail)).not.toContain('Harbour')
  })

  it('what somebody shared goes with them when they leave, and while their account rests', async () => {
    await share({ friend: 'view' })
    await app.services.db.updateTable('people').set({ deactivated_at: 1 }).where('id', '=', ada.id).execute()
    expect((await show(ben)).status).toBe(404)
    await app.services.db.updateTable('people').set({ deactivated_at: null }).execute()
    expect((await show(ben)).status).toBe(200)
    await ada.call(domains.removeMember, { params: { id: domainId, userId: ada.id } })
    expect((await show(ben)).status).toBe(404)
    expect(await sharesIn()).toEqual([])
  })

  it('only who is given it by its owner, who belongs there, is told of it and counted', async () => {
    const told = async () => (await readersOf(app.services, { id: board.id, owner_id: ada.id })).toSorted()
    const { db } = app.services
    await share({ friend: 'view' })
    expect(await told()).toEqual([ada.id, ben.id, cleo.id].toSorted())
    // Her share outlives her membership by a fault: it counts for nobody.
    await db.deleteFrom('domain_members').where('domain_id', '=', domainId).where('person_id', '=', ada.id).execute()
    expect(await told()).toEqual([ada.id])
    // And one that says it is somebody else's is none of hers.
    await db
      .insertInto('domain_members')
      .values({ domain_id: domainId, person_id: ada.id, role: 'user', added_at: 1, agreed_at: 1 })
      .execute()
    await db.updateTable('domain_boards').set({ owner_id: ben.id }).where('board_id', '=', board.id).execute()
    expect(await told()).toEqual([ada.id])
    expect((await ada.call(boardSharing.shares, { params: { id: board.id } })).data.domains).toEqual([])
  })

  it('its owner is told where it is shared and how many may open it; a link is not made by itself', async () => {
    await share({ friend: 'view', user: 'edit' })
    const { data } = await ada.call(boardSharing.shares, { params: { id: board.id } })
    expect(data.link).toBeNull()
    expect(data.domains).toMatchObject([
      { domainId, rights: { friend: 'view', user: 'edit', admin: 'none' }, people: 2 },
    ])
  })
})
