import { describe, expect, it } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { ownAccount } from '#contract/accounts/own-account.ts'
import { administration } from '#contract/administration/administration.ts'
import { boardSharing } from '#contract/boards/board-sharing.ts'
import { boards } from '#contract/boards/boards.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { moments } from '#contract/keepers/moments.ts'
import { openSession } from '#server/accounts/sessions.ts'
import { sweepMedia } from '#server/media/sweep-media.ts'
import { dayMs, minuteMs } from '#server/values/time-units.ts'
import { cast } from '#tests/cast.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { insertBoardShare } from '#tests/insert-board-share.ts'
import { insertDomain, insertMember } from '#tests/insert-domain.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { deleteAccounts } from './delete-accounts.ts'

describe.each(engines)("deleting one's account, on %s", (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'], { perTest: true })

  const requestDeletion = (actor: Actor, password: string) =>
    actor.call(ownAccount.askForDeletion, { body: { password } })
  const signIn = (name: keyof typeof cast) => {
    const { email, password } = cast[name]
    return app.visitor().call(accounts.login, { body: { email, password } })
  }
  const requestWithOwnPassword = (actor = ada) => requestDeletion(actor, cast[actor === ada ? 'ada' : 'ben'].password)
  const listPeople = async () => {
    const rows = await app.services.db.selectFrom('people').select('id').execute()
    return rows.map(({ id }) => id)
  }
  const listActions = async () => {
    const rows = await app.services.db.selectFrom('audit_events').select('action').orderBy('at').orderBy('id').execute()
    return rows.map(({ action }) => action).filter((action) => action.startsWith('account-deletion'))
  }

  it('Ada sees what would be deleted, and the number of other members', async () => {
    await createTestKeeper(ada)
    const [home] = (await ada.call(accounts.session)).data.domains
    await insertMember(app.services, home?.id ?? '', ben, 'friend')
    const { data } = await ada.call(ownAccount.deletion)
    expect(data).toEqual({
      deletesAt: null,
      domains: [{ id: home?.id, name: home?.name, otherMembers: 1 }],
      counts: { keepers: 1, agents: 0, domains: 1 },
      lastSuperAdmin: false,
      hasPassword: true,
    })
    expect((await ben.call(ownAccount.deletion)).data.counts).toEqual({ keepers: 0, agents: 0, domains: 1 })
  })

  it('a request takes the password, ends other sessions and sends an email', async () => {
    const { id } = await createTestKeeper(ada)
    const other = await openSession(app.services, { id: ada.id, ...cast.ada, nickname: null })
    const { status, data } = await requestWithOwnPassword()
    expect(status).toBe(200)
    const inDays = (Date.parse(data.deletesAt ?? '') - app.services.now().getTime()) / dayMs
    expect(inDays).toBeGreaterThan(13.99)
    expect(inDays).toBeLessThanOrEqual(14)
    expect((await ada.call(accounts.session)).data.deletesAt).toBe(data.deletesAt)
    const authorization = `Bearer ${other.token}`
    expect((await app.fetch('/api/kam/auth/session', { headers: { authorization } })).status).toBe(401)
    expect(app.mails).toHaveLength(1)
    expect(app.mails[0]).toMatchObject({ to: cast.ada.email, text: expect.stringContaining('Keep my account') })
    expect((await ada.call(keepers.show, { params: { id } })).status).toBe(200)
    expect((await signIn('ada')).status).toBe(200)
    expect(await listActions()).toEqual(['account-deletion-asked'])
  })

  it("the email has the time to the minute, in Ada's time zone or UTC", async () => {
    const formatTimeIn = (timeZone: string, iso: string | null) => {
      const dateFormat = { year: 'numeric', month: 'long', day: 'numeric' } as const
      const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' } as const
      return new Date(iso ?? '').toLocaleString('en-US', { ...dateFormat, ...time, timeZone })
    }
    const { id } = await createTestKeeper(ada)
    await ada.call(moments.create, { params: { id }, body: { body: 'Fog.', timezone: 'Pacific/Pago_Pago' } })
    const dates = [(await requestWithOwnPassword()).data.deletesAt, (await requestWithOwnPassword(ben)).data.deletesAt]
    expect(app.mails.map(({ text }) => /^On (.+) it will be deleted/m.exec(text)?.[1])).toEqual([
      formatTimeIn('Pacific/Pago_Pago', dates[0] ?? null),
      formatTimeIn('UTC', dates[1] ?? null),
    ])
    expect(app.mails[1]?.text).toContain(' UTC it will be deleted')
  })

  it('a wrong password requests nothing, and ten attempts lock it', async () => {
    const refused = await requestDeletion(ada, 'not-this-one-1')
    expect(refused.status).toBe(400)
    expect(refused.body.fields).toEqual({ password: 'This isn’t your current password.' })
    for (let attempts = 1; attempts < 10; attempts++) await requestDeletion(ada, 'not-this-one-1')
    expect((await requestWithOwnPassword()).status).toBe(429)
    const { status } = await ada.call(accounts.changePassword, {
      body: { currentPassword: cast.ada.password, newPassword: 'another-word-88' },
    })
    expect(status).toBe(429)
    expect((await ada.call(ownAccount.deletion)).data.deletesAt).toBeNull()
    expect(app.mails).toEqual([])
    expect(await listActions()).toEqual([])
  })

  it('sends at most three emails a day, however often it is requested', async () => {
    for (let times = 0; times < 5; times++) {
      expect((await requestWithOwnPassword()).status).toBe(200)
      await ada.call(ownAccount.withdrawDeletion)
    }
    expect(app.mails).toHaveLength(3)
    expect((await requestWithOwnPassword(ben)).status).toBe(200)
    expect(app.mails).toHaveLength(4)
  })

  it('a repeated request keeps the first date', async () => {
    const first = (await requestWithOwnPassword()).data.deletesAt
    app.passTime(dayMs)
    expect((await requestWithOwnPassword()).data.deletesAt).toBe(first)
    expect(await listActions()).toEqual(['account-deletion-asked'])
    expect(app.mails).toHaveLength(1)
  })

  it('a cancellation a minute before the end keeps everything', async () => {
    const { id } = await createTestKeeper(ada)
    await requestWithOwnPassword()
    app.passTime(14 * dayMs - minuteMs)
    expect(await deleteAccounts(app.services)).toBe(0)
    expect((await ada.call(ownAccount.withdrawDeletion)).data.deletesAt).toBeNull()
    app.passTime(2 * minuteMs)
    expect(await deleteAccounts(app.services)).toBe(0)
    expect((await ada.call(keepers.show, { params: { id } })).status).toBe(200)
    expect((await ada.call(accounts.session)).data.deletesAt).toBeNull()
    await ada.call(ownAccount.withdrawDeletion)
    expect(await listActions()).toEqual(['account-deletion-asked', 'account-deletion-withdrawn'])
  })

  it("a minute after the end the account is deleted and can't be kept", async () => {
    await requestWithOwnPassword()
    app.passTime(14 * dayMs + minuteMs)
    expect((await ada.call(ownAccount.withdrawDeletion)).status).toBe(401)
    expect((await signIn('ada')).status).toBe(401)
    expect(await deleteAccounts(app.services)).toBe(1)
    expect(await listPeople()).toEqual([ben.id])
    expect((await signIn('ada')).body.error).toEqual((await signIn('dot')).body.error)
    expect((await signIn('ben')).status).toBe(200)
    expect((await app.visitor().call(accounts.register, { body: cast.ada })).status).toBe(200)
  })

  it('two concurrent sweeps delete it once', async () => {
    await requestWithOwnPassword()
    app.passTime(15 * dayMs)
    const deletedCounts = await Promise.all([deleteAccounts(app.services), deleteAccounts(app.services)])
    expect(deletedCounts.toSorted()).toEqual([0, 1])
    const rows = await app.services.db
      .selectFrom('audit_events')
      .selectAll()
      .where('action', '=', 'account-deleted')
      .execute()
    expect(rows).toMatchObject([{ actor_id: null, person_id: ada.id, subject: null }])
  })

  it("the last super-admin can't request it until there is another one", async () => {
    await app.as('ada', ['super-admin'])
    const refused = await requestWithOwnPassword()
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('Grant the role to someone else first')
    expect((await ada.call(ownAccount.deletion)).data).toMatchObject({ deletesAt: null, lastSuperAdmin: true })
    await app.as('ben', ['super-admin'])
    expect((await ada.call(ownAccount.deletion)).data.lastSuperAdmin).toBe(false)
    expect((await requestWithOwnPassword()).status).toBe(200)
    // Ada is leaving, so Ben is the last one now.
    expect((await requestWithOwnPassword(ben)).status).toBe(409)
  })

  it('one of two super-admins who request deletion concurrently stays', async () => {
    for (let round = 0; round < 10; round++) {
      await app.as('ada', ['super-admin'])
      await app.as('ben', ['super-admin'])
      const statuses = (await Promise.all([requestWithOwnPassword(ada), requestWithOwnPassword(ben)])).map(
        ({ status }) => status,
      )
      expect(statuses.toSorted()).toEqual([200, 409])
      await app.services.db.updateTable('people').set({ deletes_at: null }).execute()
      await app.services.db.deleteFrom('throttle_windows').execute()
    }
  })

  it('a person who became the last super-admin stays and can sign in', async () => {
    await app.as('ada', ['super-admin'])
    await app.as('ben', ['super-admin'])
    await requestWithOwnPassword()
    await app.services.db.deleteFrom('role_grants').where('person_id', '=', ben.id).execute()
    app.passTime(15 * dayMs)
    expect(await deleteAccounts(app.services)).toBe(0)
    expect(await listPeople()).toContain(ada.id)
    expect(await listActions()).toEqual(['account-deletion-asked', 'account-deletion-withdrawn'])
    expect((await signIn('ada')).status).toBe(200)
    const row = await app.services.db
      .selectFrom('people')
      .selectAll()
      .where('id', '=', ada.id)
      .executeTakeFirstOrThrow()
    expect(row.deactivated_at).toBeNull()
  })

  it("a deactivated account isn't deleted; reactivation gives fourteen days", async () => {
    const cleo = await app.as('cleo', ['super-admin'])
    const accountOfAda = { params: { id: ada.id } }
    const fetchDeletionDate = async () =>
      Date.parse((await cleo.call(administration.user, accountOfAda)).data.deletesAt ?? '')
    const inDays = async () => ((await fetchDeletionDate()) - app.services.now().getTime()) / dayMs
    await requestWithOwnPassword()
    app.passTime(13 * dayMs)
    expect((await cleo.call(administration.deactivate, accountOfAda)).status).toBe(200)
    app.passTime(10 * dayMs)
    expect(await deleteAccounts(app.services)).toBe(0)
    expect(await listPeople()).toContain(ada.id)
    expect((await cleo.call(administration.reactivate, accountOfAda)).status).toBe(200)
    expect(await inDays()).toBeGreaterThan(13.9)
    expect(await deleteAccounts(app.services)).toBe(0)
    expect((await signIn('ada')).data.user.id).toBe(ada.id)
    // A later date stays as it was.
    const later = await fetchDeletionDate()
    app.passTime(-dayMs)
    await cleo.call(administration.deactivate, accountOfAda)
    await cleo.call(administration.reactivate, accountOfAda)
    expect(await fetchDeletionDate()).toBe(later)
    app.passTime(16 * dayMs)
    expect(await deleteAccounts(app.services)).toBe(1)
    expect(await listPeople()).not.toContain(ada.id)
  })

  it('an interrupted deletion is completed despite a reactivation', async () => {
    const cleo = await app.as('cleo', ['super-admin'])
    await requestWithOwnPassword()
    app.passTime(14 * dayMs + minuteMs)
    const closed = { deactivated_at: app.services.now().getTime() }
    await app.services.db.updateTable('people').set(closed).where('id', '=', ada.id).execute()
    await cleo.call(administration.reactivate, { params: { id: ada.id } })
    expect(await deleteAccounts(app.services)).toBe(1)
  })

  it('due accounts are deleted, except for the last super-admin', async () => {
    const [cleo, dot] = [await app.as('cleo', ['super-admin']), await app.as('dot', ['super-admin'])]
    await requestDeletion(cleo, cast.cleo.password)
    await requestWithOwnPassword(ada)
    await requestWithOwnPassword(ben)
    await app.services.db.deleteFrom('role_grants').where('person_id', '=', dot.id).execute()
    app.passTime(10 * dayMs)
    await requestDeletion(dot, cast.dot.password)
    app.passTime(5 * dayMs)
    expect(await deleteAccounts(app.services)).toBe(2)
    const remainingPeople = await app.services.db
      .selectFrom('people')
      .select(['id', 'deletes_at', 'deactivated_at'])
      .execute()
    expect(remainingPeople.map(({ id, deletes_at }) => [id, deletes_at !== null]).toSorted()).toEqual(
      [
        [cleo.id, false],
        [dot.id, true],
      ].toSorted(),
    )
    expect(remainingPeople.map(({ deactivated_at }) => deactivated_at)).toEqual([null, null])
  })

  it("Ada's pictures on Ben's board stay as his; his on hers are deleted", async () => {
    const bensBoard = (await ben.call(boards.create, { body: { name: 'Of Ben' } })).data
    const adasBoard = (await ada.call(boards.create, { body: { name: 'Of Ada' } })).data
    for (const [board, owner, guest] of [
      [bensBoard, ben, ada],
      [adasBoard, ada, ben],
    ] as const)
      await insertBoardShare(app, board.id, await insertDomain(app, owner, [[guest, 'user']]), { user: 'edit' })
    const uploadPicture = async (actor: Actor, id: string, word: string) => {
      const data = new Uint8Array(Buffer.from(`GIF89a ${word}`))
      return (await actor.call(boardSharing.upload, { params: { id }, bytes: { mime: 'image/gif', data } })).data
    }
    const bensPictures = await Promise.all(
      ['quay', 'mast', 'net'].map((word) => uploadPicture(ada, bensBoard.id, word)),
    )
    await uploadPicture(ada, adasBoard.id, 'of her own')
    await uploadPicture(ben, adasBoard.id, 'on hers')
    expect((await requestWithOwnPassword()).status).toBe(200)
    app.passTime(15 * dayMs)
    expect(await deleteAccounts(app.services)).toBe(1)
    expect(await listPeople()).toEqual([ben.id])
    await sweepMedia(app.services)
    for (const [index, word] of ['quay', 'mast', 'net'].entries()) {
      const answer = await ben.fetch(`/api/boards/${bensBoard.id}/pictures/${bensPictures[index]?.id}`)
      expect({ status: answer.status, answer: await answer.text() }).toEqual({ status: 200, answer: `GIF89a ${word}` })
    }
    const remainingPictures = await app.services.db
      .selectFrom('board_pictures')
      .select(['board_id', 'person_id'])
      .execute()
    expect(remainingPictures).toEqual(bensPictures.map(() => ({ board_id: bensBoard.id, person_id: ben.id })))
  })
})
