import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { domains } from '#contract/domains/domains.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { type Keeper, keepers } from '#contract/keepers/keepers.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { sole } from '#contract/keepers/sole.ts'
import { copyRow } from '#tests/copy-row.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { fetchAllPages } from '#tests/fetch-all-pages.ts'
import { removeRequestId } from '#tests/remove-request-id.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { getApprovedSole } from './sole-rows.ts'

describe.each(engines)('reviewers of a SOLE, on %s', (engine) => {
  const { app, ada, ben, cleo } = useTestApp(engine, ['ada', 'ben', 'cleo'], { roles: { cleo: ['super-admin'] } })
  let keeper: Keeper
  let domainId: string
  beforeAll(async () => {
    const domain = await app.services.db
      .selectFrom('domains')
      .select('id')
      .where('owner_id', '=', ada.id)
      .executeTakeFirstOrThrow()
    domainId = domain.id
  })
  beforeEach(async () => {
    await app.services.db.deleteFrom('domain_members').execute()
    await app.services.db.deleteFrom('keepers').execute()
    keeper = await createTestKeeper(ada)
    await ada.call(sole.submitDraft, { params: { id: keeper.id }, body: { content: 'I live in Bergen.' } })
  })

  const join = (role: 'admin' | 'user' | 'friend' | 'connection', actor = ben) =>
    app.services.db
      .insertInto('domain_members')
      .values({ domain_id: domainId, person_id: actor.id, role, added_at: 1, agreed_at: 1 })
      .execute()
  const allow = (personId = ben.id, actor = ada) =>
    actor.call(sole.allowReviewer, { params: { id: keeper.id, personId } })
  const withdraw = () => ada.call(sole.withdrawReviewer, { params: { id: keeper.id, personId: ben.id } })
  const fetchInbox = async (actor = ben) => (await actor.call(sole.toReview)).data
  const listCalls = (id: string): [Endpoint, Record<string, string>, object | undefined][] => [
    [sole.versions as never, { id }, undefined],
    [sole.explain as never, { id }, {}],
    [sole.reject as never, { id }, { version: 99 }],
    [sole.approve as never, { id }, { version: 99 }],
    [sole.submitDraft as never, { id }, { content: 'Mine.' }],
    [sole.askForDraft as never, { id }, {}],
    [sole.restore as never, { id, version: '1' }, undefined],
    [sole.reviewers as never, { id }, undefined],
    [sole.allowReviewer as never, { id, personId: ben.id }, undefined],
    [sole.withdrawReviewer as never, { id, personId: ben.id }, undefined],
    [keepers.show as never, { id }, undefined],
    [reflections.list as never, { id }, undefined],
  ]
  const fetchStatuses = async (actor: Actor, id = keeper.id) =>
    Promise.all(listCalls(id).map(async ([call, params, body]) => (await actor.call(call, { params, body })).status))

  it('allowed admins can read, decide and explain drafts, and see nothing else', async () => {
    await join('admin')
    expect((await allow()).status).toBe(200)
    expect((await allow()).status).toBe(200)
    expect((await ada.call(sole.reviewers, { params: { id: keeper.id } })).data).toEqual([
      { id: ben.id, name: 'Ben Haugen' },
    ])
    expect(await fetchStatuses(ben)).toEqual([200, 200, 409, 409, ...Array.from({ length: 8 }, () => 404)])
    expect(await fetchInbox()).toMatchObject([
      { keeperId: keeper.id, title: keeper.title, ownerName: 'Ada Lindqvist', draft: { version: 1 }, active: null },
    ])
    const response = await ben.call(sole.approve, { params: { id: keeper.id }, body: { version: 1 } })
    expect(Object.keys(response.data).sort()).toEqual(['id', 'sole', 'soleDraft', 'soleSubmittedAt'])
    const [version] = (await ada.call(sole.versions, { params: { id: keeper.id } })).data
    expect(version?.decidedBy).toEqual({ id: ben.id, name: 'Ben Haugen' })
    expect(await fetchInbox()).toEqual([])
    expect((await getApprovedSole(app.services, keeper.id))?.statements).toHaveLength(1)
  })

  it('exclude strangers, unlisted members and admins, and platform admins', async () => {
    await join('admin')
    for (const actor of [ben, cleo]) {
      expect(await fetchStatuses(actor)).toEqual(Array.from({ length: 12 }, () => 404))
      expect(await fetchInbox(actor)).toEqual([])
      const [foreign, unknown] = await Promise.all(
        [keeper.id, '0'.repeat(32)].map((id) => actor.call(sole.versions, { params: { id } })),
      )
      expect(removeRequestId(foreign?.text ?? '')).toBe(removeRequestId(unknown?.text ?? ''))
    }
    expect(await getApprovedSole(app.services, keeper.id)).toBeNull()
  })

  it.each(['user', 'friend', 'connection'] as const)('cannot be a %s', async (role) => {
    await join(role)
    // An admin of another domain does not count.
    await join('admin', cleo)
    expect((await allow()).status).toBe(422)
    expect(await fetchInbox()).toEqual([])
    expect((await ada.call(sole.reviewers, { params: { id: keeper.id } })).data).toEqual([])
  })

  it('cannot be outside the owner’s domains, nor the owner', async () => {
    const stranger = await allow()
    expect(stranger.status).toBe(404)
    const random = await allow('0'.repeat(32))
    expect(random.status).toBe(404)
    expect(removeRequestId(stranger.text)).toBe(removeRequestId(random.text))
    expect((await allow(ada.id)).status).toBe(422)
  })

  it('are allowed and withdrawn individually', async () => {
    await join('admin')
    await join('admin', cleo)
    expect((await allow(cleo.id)).status).toBe(200)
    expect(await fetchInbox(cleo)).toHaveLength(1)
    expect(await fetchInbox()).toHaveLength(0)
    expect((await fetchStatuses(ben))[0]).toBe(404)
    await allow()
    expect(await fetchInbox()).toHaveLength(1)
    await withdraw()
    expect(await fetchInbox(cleo)).toHaveLength(1)
    expect(await fetchInbox()).toHaveLength(0)
  })

  it('can own a domain the keeper’s owner belongs to', async () => {
    const bensDomain = await app.services.db
      .selectFrom('domains')
      .select('id')
      .where('owner_id', '=', ben.id)
      .executeTakeFirstOrThrow()
    await app.services.db
      .insertInto('domain_members')
      .values({ domain_id: bensDomain.id, person_id: ada.id, role: 'friend', added_at: 1, agreed_at: 1 })
      .execute()
    expect((await allow()).status).toBe(200)
    expect(await fetchInbox()).toHaveLength(1)
  })

  it('reviewers of an owner who rejoins count again after a new consent', async () => {
    const { db } = app.services
    const bensDomain = await db
      .selectFrom('domains')
      .select('id')
      .where('owner_id', '=', ben.id)
      .executeTakeFirstOrThrow()
    const params = { id: bensDomain.id }
    const putAda = async () => {
      app.passTime(1_000)
      await ben.call(domains.addMember, { params, body: { userId: ada.id, role: 'friend' } })
    }
    const fetchAccess = async () => {
      const { status } = await ben.call(sole.versions, { params: { id: keeper.id } })
      return { inboxLength: (await fetchInbox()).length, status }
    }
    const leave = () => ada.call(domains.removeMember, { params: { ...params, userId: ada.id } })
    await putAda()
    expect((await allow()).status, 'a reviewer can still consent').toBe(200)
    expect(await fetchAccess()).toEqual({ inboxLength: 1, status: 200 })
    await leave()
    await putAda()
    expect(await fetchAccess()).toEqual({ inboxLength: 0, status: 404 })
    await ada.call(domains.agree, { params })
    expect(await fetchAccess()).toEqual({ inboxLength: 1, status: 200 })
    await leave()
    await putAda()
    expect((await allow()).status).toBe(200)
    expect(await fetchAccess()).toEqual({ inboxLength: 1, status: 200 })
  })

  it('lose access when withdrawn, demoted or deleted, and with the keeper', async () => {
    const { db } = app.services
    await join('admin')
    await allow()
    await db.updateTable('domain_members').set({ role: 'user' }).execute()
    expect({ inbox: await fetchInbox(), first: (await fetchStatuses(ben))[0] }).toEqual({ inbox: [], first: 404 })
    await db.updateTable('domain_members').set({ role: 'admin' }).execute()
    expect(await fetchInbox()).toHaveLength(1)
    await ada.call(keepers.remove, { params: { id: keeper.id } })
    expect({ inbox: await fetchInbox(), first: (await fetchStatuses(ben))[0] }).toEqual({ inbox: [], first: 404 })
    await db.updateTable('keepers').set({ deleted_at: null }).where('id', '=', keeper.id).execute()
    expect((await withdraw()).status).toBe(200)
    expect((await withdraw()).status).toBe(200)
    expect({ inbox: await fetchInbox(), first: (await fetchStatuses(ben))[0] }).toEqual({ inbox: [], first: 404 })
  })

  it('get more drafts than one page, each once, longest waiting first', async () => {
    await join('admin')
    await allow()
    const { db } = app.services
    const [keeperRow, draft, allowed] = await Promise.all([
      db.selectFrom('keepers').selectAll().executeTakeFirstOrThrow(),
      db.selectFrom('sole_versions').selectAll().executeTakeFirstOrThrow(),
      db.selectFrom('sole_reviewers').selectAll().executeTakeFirstOrThrow(),
    ])
    const count = 202
    const toCopyId = (index: number) => `copy${index}`
    await copyRow(db, 'keepers', keeperRow, { count, values: (index) => ({ id: toCopyId(index) }) })
    await copyRow(db, 'sole_reviewers', allowed, { count, values: (index) => ({ keeper_id: toCopyId(index) }) })
    const createWaitingDraft = (index: number) => ({
      id: toCopyId(index),
      keeper_id: toCopyId(index),
      submitted_at: draft.submitted_at - 1 - Math.floor(index / 3),
    })
    await copyRow(db, 'sole_versions', draft, { count, values: createWaitingDraft })
    const pages = await fetchAllPages(ben, sole.toReview)
    expect(pages.map(({ length }) => length)).toEqual([200, 3])
    const drafts = pages.flat()
    expect(new Set(drafts.map(({ keeperId }) => keeperId)).size).toBe(count + 1)
    expect(drafts.at(-1)?.keeperId, 'the newest').toBe(keeper.id)
    const times = drafts.map((item) => item.draft.submittedAt)
    expect(times).toEqual(times.toSorted())
  })
})
