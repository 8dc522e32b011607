import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { administration } from '#contract/administration/administration.ts'
import { agents } from '#contract/agents/agents.ts'
import { runs } from '#contract/agents/runs.ts'
import { boardSharing } from '#contract/boards/board-sharing.ts'
import { boards } from '#contract/boards/boards.ts'
import { type MemberRole, memberRoles } from '#contract/domains/domains.ts'
import { people } from '#contract/domains/people.ts'
import { type SharedPart, sharedParts, sharingInDomains } from '#contract/domains/sharing-in-domains.ts'
import { type EndpointEntry, listEndpoints } from '#contract/index.ts'
import { echoes } from '#contract/keepers/echoes.ts'
import { entries } from '#contract/keepers/entries.ts'
import { journeys } from '#contract/keepers/journeys.ts'
import { keeperTypes } from '#contract/keepers/keeper-types.ts'
import { type Keeper, keepers } from '#contract/keepers/keepers.ts'
import { logbook } from '#contract/keepers/logbook.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { sole } from '#contract/keepers/sole.ts'
import { topics } from '#contract/keepers/topics.ts'
import { voice } from '#contract/keepers/voice.ts'
import { keys } from '#contract/keys/keys.ts'
import { resetBreakers } from '#server/models/breaker.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { computeDatabaseHash } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import { parseConversation } from '#tests/model-conversation.ts'
import { canaryKeys, createProviderApp, type ProviderApp } from '#tests/provider-app.ts'
import { type Actor, createTestApp, type TestApp, toRequest } from '#tests/test-app.ts'
import { uploadMedia } from '#tests/upload-media.ts'
import { useTestApp } from '#tests/use-test-app.ts'

const sharedRole: MemberRole = 'friend'

/** Shares one keeper's moments and another's journey with friends; everything else contains `canary`. */
async function createFixture(app: TestApp, ada: Actor, ben: Actor) {
  const domain = await insertDomain(app, ada, [[ben, sharedRole]])
  const otherDomainId = await insertDomain(app, ada, [], 'Canary house')
  const bens = await insertDomain(app, ben, [], 'Quay')
  const keeper = await createTestKeeper(ada, { title: 'Shared keeper', purpose: 'Shared purpose' })
  const other = await createTestKeeper(ada, { title: 'canary keeper', purpose: 'canary purpose' })
  const bensKeeper = await createTestKeeper(ben, { title: 'Ben’s own' })
  const inKeeper = { id: keeper.id }
  const inOther = { id: other.id }
  const journey = (await ada.call(journeys.create, { params: inOther, body: { title: 'Shared journey' } })).data.id
  const closed = (await ada.call(journeys.create, { params: inOther, body: { title: 'canary journey' } })).data.id
  const keeperJourneyId = (await ada.call(journeys.create, { params: inKeeper, body: { title: 'canary road' } })).data
    .id
  const bensJourney = (
    await ben.call(journeys.create, { params: { id: bensKeeper.id }, body: { title: 'Ben’s road' } })
  ).data.id
  const picture = await uploadMedia(ada, keeper.id, 'image/png')
  const closedPicture = await uploadMedia(ada, other.id, 'image/png')
  const createMoment = async (params: { id: string }, body: string, fields = {}) =>
    (await ada.call(moments.create, { params, body: { body, ...fields } })).data.id
  const sharedMomentId = await createMoment(inKeeper, 'Shared moment', {
    mediaIds: [picture],
    promptId: 'canary-prompt',
  })
  await createMoment(inOther, 'Shared with its journey', { journeyId: journey })
  const hidden = await createMoment(inOther, 'canary moment', { mediaIds: [closedPicture], journeyId: closed })
  const trashedId = await createMoment(inKeeper, 'canary trashed')
  await ada.call(moments.remove, { params: { id: trashedId } })
  const ids = [
    domain,
    otherDomainId,
    keeper.id,
    other.id,
    journey,
    closed,
    keeperJourneyId,
    picture,
    closedPicture,
    sharedMomentId,
    hidden,
  ]
  for (const params of [inKeeper, inOther]) {
    const reflection = (
      await ada.call(reflections.create, { params, body: { content: 'canary reflection', topic: 'canary topic' } })
    ).data
    ids.push(reflection.id, (await ada.call(reflections.promote, { params: { id: reflection.id } })).data.id)
    const belief = { label: 'canary label', belief: 'canary belief' }
    ids.push((await ada.call(voice.create, { params, body: belief })).data.id)
    const echo = { message: 'canary echo', triggerAt: '2020-01-01T00:00:00Z' }
    ids.push((await ada.call(echoes.create, { params, body: echo as never })).data.id)
    const note = { entry: 'canary entry', label: 'canary', category: 'canary category' }
    ids.push((await ada.call(logbook.create, { params, body: note })).data.id)
    ids.push((await ada.call(topics.create, { params, body: { name: 'canary name' } })).data.id)
    await ada.call(sole.submitDraft, { params, body: { statements: [{ text: 'canary statement' }] } })
    await ada.call(sole.approve, { params, body: { version: 1 } })
    await ada.call(sole.submitDraft, { params, body: { statements: [{ text: 'canary draft' }] } })
  }
  await ada.call(sharingInDomains.shareKeeper, {
    params: { id: domain, keeperId: keeper.id },
    body: { parts: ['moments'], roles: [sharedRole] },
  })
  await ada.call(sharingInDomains.shareJourney, {
    params: { id: domain, journeyId: journey },
    body: { roles: [sharedRole] },
  })
  return {
    ids,
    domains: { shared: domain, other: otherDomainId, bens },
    keepers: { shared: keeper.id, other: other.id, bens: bensKeeper.id },
    journeys: { shared: journey, closed, ofShared: keeperJourneyId, bens: bensJourney },
    media: { shared: picture, closed: closedPicture },
  }
}

describe.each(engines)('content that is not shared, on %s', (engine) => {
  let app: TestApp
  let ada: Actor
  let ben: Actor
  let fixture: Awaited<ReturnType<typeof createFixture>>
  beforeAll(async () => {
    app = await createTestApp(engine)
    ada = await app.as('ada')
    ben = await app.as('ben')
    fixture = await createFixture(app, ada, ben)
  }, 30_000)
  afterAll(() => app.close())

  /** Every combination of existing ids in a route's parameters. */
  function listParams({ endpoint }: EndpointEntry): Record<string, string>[] {
    const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')
    return names.reduce<Record<string, string>[]>(
      (combinations, name, index) =>
        combinations.flatMap((params) =>
          // Limits the first id to domains and keepers, to bound the number of combinations.
          (names.length > 1 && index === 0 ? fixture.ids.slice(0, 4) : fixture.ids).map((id) => ({
            ...params,
            [name]: id,
          })),
        ),
      [{}],
    )
  }

  // With SQLite in the same run, PostgreSQL checks the role that is shared with.
  const checkedRoles = engine === 'sqlite' || engines.length === 1 ? memberRoles : [sharedRole]
  it.each(checkedRoles)(
    'cannot be read by a %s on any route',
    async (role) => {
      await app.services.db
        .updateTable('domain_members')
        .set({ role })
        .where('person_id', '=', ben.id)
        .where('domain_id', '=', fixture.domains.shared)
        .execute()
      const gets = listEndpoints().filter(({ endpoint }) => endpoint.method === 'GET' && !endpoint.canStream)
      const searchQuery = { q: 'canary', query: 'canary', search: 'canary', userId: ada.id }
      const leaks: string[] = []
      let readCount = 0
      let responseCount = 0
      for (const call of gets) {
        for (const params of listParams(call)) {
          await app.services.db.deleteFrom('throttle_windows').execute()
          for (const query of call.endpoint.query ? [{}, searchQuery] : [{}]) {
            const { path, init } = toRequest(call.endpoint, { params, query })
            const response = await ben.fetch(path, init)
            if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
              await response.body?.cancel()
              continue
            }
            const text = await response.text()
            responseCount++
            if (
              /canary/i.test(
                text.replaceAll(searchQuery.q, (word, index: number) => (isEchoed(text, index) ? '' : word)),
              )
            )
              leaks.push(`${call.area}.${call.name} ${path}`)
            if (text.includes('Shared moment')) readCount++
            if (role !== sharedRole && /Shared (moment|keeper|journey|with)/.test(text)) leaks.push(`shared: ${path}`)
          }
        }
      }
      expect(leaks).toEqual([])
      expect(responseCount).toBeGreaterThan(500)
      // Guards against an empty test.
      expect(readCount > 0).toBe(role === sharedRole)
    },
    120_000,
  )

  /** A search echoes its query. */
  const isEchoed = (text: string, index: number) => /"(q|query|search)":"$/.test(text.slice(0, index))

  const { list: _, sharesOfKeeper: __, ...endpoints } = sharingInDomains
  const kinds = { id: 'domains', keeperId: 'keepers', journeyId: 'journeys', mediaId: 'media' } as const

  it.each(Object.entries(endpoints))(
    'stays hidden and unchanged by %s with ids of other entities',
    async (_, endpoint) => {
      await app.services.db
        .updateTable('domain_members')
        .set({ role: sharedRole })
        .where('person_id', '=', ben.id)
        .where('domain_id', '=', fixture.domains.shared)
        .execute()
      const [first, second] = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name as keyof typeof kinds)
      if (!first || !second) throw new Error('Two ids were expected')
      const nowhere = 'f'.repeat(32)
      const body = { parts: ['moments'], roles: ['friend'] }
      const hashBefore = await computeDatabaseHash(app.services.db, ['throttle_windows'])
      const wrong: string[] = []
      let requestCount = 0
      const ownEndpoints = ['bens']
      for (const [domainName, id] of Object.entries({ ...fixture.domains, nowhere }))
        for (const [idName, entityId] of Object.entries({
          ...fixture[kinds[second]],
          domain: fixture.domains.shared,
          nowhere,
        })) {
          const isShare = endpoint.method === 'PUT'
          const isValid = isShare
            ? ['shared', 'bens'].includes(domainName) && ownEndpoints.includes(idName)
            : domainName === 'shared' && idName === 'shared'
          if (isValid) continue
          const input = { params: { [first]: id, [second]: entityId }, ...(endpoint.body && { body }) }
          const { path, init } = toRequest(endpoint, input)
          const response = await ben.fetch(path, init)
          requestCount++
          const text = await response.text()
          if (response.status !== 404 || /canary/.test(text))
            wrong.push(`${domainName} × ${idName}: ${response.status}`)
        }
      expect(wrong).toEqual([])
      expect(requestCount).toBeGreaterThan(10)
      expect(await computeDatabaseHash(app.services.db, ['throttle_windows'])).toBe(hashBefore)
    },
  )
})

/** Only the owner's agents read a keeper; those of people it is shared with do not. */
describe.each(engines)('an agent run by a reader of a shared keeper, on %s', (engine) => {
  let app: ProviderApp
  let ada: Actor
  let ben: Actor
  let adasKeeper: string
  beforeAll(async () => {
    app = await createProviderApp(engine, {
      answer: (_, request) => {
        const { input, results } = parseConversation(request)
        const [, name, args] = /^CALL (\w+) (\{.*\})$/.exec(input) ?? []
        if (!name || results.length > 0) return { text: results.join('\n') || 'I see.' }
        return { text: '', calls: [{ name, arguments: JSON.parse(args ?? '{}') }] }
      },
    })
    ada = await app.as('ada')
    ben = await app.as('ben')
    for (const actor of [ada, ben])
      await actor.call(keys.savePersonal, { body: { provider: 'openai', apiKey: canaryKeys.openai } })
    const domain = await insertDomain(app, ada, [[ben, 'friend']])
    const keeper = await createTestKeeper(ada, { title: 'canary harbour', keeperTypeId: 'system-journal' })
    adasKeeper = keeper.id
    await createTestKeeper(ben, { title: 'Ben’s quay', keeperTypeId: 'system-journal' })
    const params = { id: keeper.id }
    await ada.call(moments.create, { params, body: { body: 'canary harbour moment' } })
    await ada.call(logbook.create, { params, body: { entry: 'canary harbour', label: 'canary', category: 'canary' } })
    const reflection = await ada.call(reflections.create, { params, body: { content: 'canary harbour reflection' } })
    await ada.call(reflections.promote, { params: { id: reflection.data.id } })
    await ada.call(sole.submitDraft, { params, body: { statements: [{ text: 'canary harbour statement' }] } })
    await ada.call(sole.approve, { params, body: { version: 1 } })
    await ada.call(sharingInDomains.shareKeeper, {
      params: { id: domain, keeperId: keeper.id },
      body: { parts: [...sharedParts], roles: ['friend'] },
    })
    const read = await ben.call(sharingInDomains.moments, { params: { id: domain, keeperId: keeper.id } })
    expect(read.text).toContain('canary harbour moment')
  })
  afterAll(() => app.close())

  async function createReadingAgent(actor: Actor): Promise<string> {
    const body = {
      name: 'Harbour friend',
      purpose: 'You help.',
      context_scope: 'keeper',
      tools: ['search_memory', 'read_sole', 'list_moments'],
    } as never
    const { data } = await actor.call(agents.create, { body })
    await actor.call(keeperTypes.assign, { params: { agentId: data.id, keeperTypeId: 'system-journal' } })
    return data.id
  }
  async function getModelInput(actor: Actor, agentId: string, input: string): Promise<string> {
    resetBreakers()
    const requestsBefore = app.providerRequestCount()
    const { data } = await actor.call(agents.run, { body: { agentId, input } })
    const requests = app.fakes.openai.requests.slice(-(app.providerRequestCount() - requestsBefore))
    const detail = await actor.call(runs.show, { params: { runId: data.run_id } })
    expect(app.providerRequestCount()).toBeGreaterThan(requestsBefore)
    return JSON.stringify(requests.map(({ body }) => body)).replace(input, '') + detail.text.replace(input, '')
  }

  it('gives the model none of it, by context or tools', async () => {
    const agentId = await createReadingAgent(ben)
    const inputs = [
      'What of the harbour?',
      'CALL search_memory {"query":"harbour"}',
      'CALL read_sole {}',
      'CALL list_moments {}',
      `CALL list_moments {"keeperId":"${adasKeeper}"}`,
    ]
    for (const input of inputs) expect(await getModelInput(ben, agentId, input), input).not.toContain('canary harbour')
  })

  it('gives the model its content when run by the owner', async () => {
    const agentId = await createReadingAgent(ada)
    expect(await getModelInput(ada, agentId, 'What of the harbour?')).toContain('canary harbour')
  })
})

const call = sharingInDomains

describe.each(engines)('sharing with a domain and revoking, on %s', (engine) => {
  const { app, ada, ben, cleo, dot } = useTestApp(engine, ['ada', 'ben', 'cleo', 'dot'])
  let id: string
  let keeper: Keeper
  beforeEach(async () => {
    // Cleo owns the domain, Ada shares, and Ben reads.
    id = await insertDomain(app, cleo, [
      [ada, 'user'],
      [ben, 'friend'],
    ])
    keeper = await createTestKeeper(ada)
  })

  const shareParts = (parts: SharedPart[], roles: MemberRole[] = ['friend'], actor = ada) =>
    actor.call(call.shareKeeper, { params: { id, keeperId: keeper.id }, body: { parts, roles } })

  /** Collects the people notified of domain changes from now on. */
  function recordNotifications(): () => string[] {
    const notified: string[] = []
    const stops = [ada, ben, cleo, dot].map(({ id: personId }) =>
      app.services.live.subscribe(personId, (event) => {
        if (event.type === 'domains-changed' && event.domainId === id) notified.push(personId)
      }),
    )
    return () => {
      for (const stop of stops) stop()
      return notified
    }
  }

  it('is audited once when repeated, and replaces a different share', async () => {
    const first = (await shareParts(['moments', 'sole'], ['friend', 'admin'])).data
    expect(first).toMatchObject({ parts: ['moments', 'sole'], roles: ['admin', 'friend'], readers: 2 })
    const hashBefore = await computeDatabaseHash(app.services.db, ['throttle_windows'])
    expect((await shareParts(['sole', 'moments'], ['admin', 'friend'])).data).toEqual(first)
    expect(await computeDatabaseHash(app.services.db, ['throttle_windows'])).toBe(hashBefore)
    const next = (await shareParts(['logbook'], ['connection'])).data
    expect(next).toMatchObject({ parts: ['logbook'], roles: ['connection'], readers: 1, sharedAt: first.sharedAt })
    const { keeper: shares } = (await ada.call(call.sharesOfKeeper, { params: { id: keeper.id } })).data
    expect(shares).toEqual([next])
    expect((await ben.call(call.sharesOfKeeper, { params: { id: keeper.id } })).status).toBe(404)
  })

  it('can be revoked by the sharer and member managers only', async () => {
    const params = { id, keeperId: keeper.id }
    await shareParts(['moments'])
    expect((await ben.call(call.unshareKeeper, { params })).status).toBe(403)
    expect((await dot.call(call.unshareKeeper, { params })).status).toBe(404)
    const setRole = (role: MemberRole) =>
      app.services.db.updateTable('domain_members').set({ role }).where('person_id', '=', ben.id).execute()
    await setRole('user')
    expect((await ben.call(call.unshareKeeper, { params })).status).toBe(404)
    await setRole('admin')
    expect((await ben.call(call.unshareKeeper, { params })).status).toBe(200)
    expect((await ada.call(call.unshareKeeper, { params })).status).toBe(404)
    const startedJourney = await ada.call(journeys.create, { params: { id: keeper.id }, body: { title: 'Crossing' } })
    const ofJourney = { id, journeyId: startedJourney.data.id }
    expect((await ada.call(call.shareJourney, { params: ofJourney, body: { roles: ['friend'] } })).status).toBe(200)
    expect((await ada.call(call.unshareJourney, { params: ofJourney })).status).toBe(200)
  })

  it('is refused for connections and for other people’s content', async () => {
    await app.services.db
      .updateTable('domain_members')
      .set({ role: 'connection' })
      .where('person_id', '=', ada.id)
      .execute()
    expect((await shareParts(['moments'])).status).toBe(403)
    expect((await shareParts(['moments'], ['friend'], ben)).status).toBe(404)
    expect((await shareParts(['moments'], ['friend'], cleo)).status).toBe(404)
    expect((await shareParts(['moments'], ['friend'], dot)).status).toBe(404)
    for (const body of [
      { parts: [], roles: ['friend'] },
      { parts: ['moments'], roles: [] },
      { parts: ['reflections'], roles: ['friend'] },
      { parts: ['moments'], roles: ['owner'] },
    ])
      expect((await ada.call(call.shareKeeper, { params: { id, keeperId: keeper.id }, body })).status).toBe(400)
  })

  it('is audited without titles or names, and notifies the whole domain', async () => {
    const getNotified = recordNotifications()
    await shareParts(['moments'])
    await cleo.call(call.unshareKeeper, { params: { id, keeperId: keeper.id } })
    expect(getNotified().sort()).toEqual([ada.id, ada.id, ben.id, ben.id, cleo.id, cleo.id].sort())
    const events = await app.services.db
      .selectFrom('audit_events')
      .selectAll()
      .where('domain_id', '=', id)
      .orderBy('at')
      .orderBy('action')
      .execute()
    expect(
      events.map(({ action, actor_id, person_id, subject, details }) => ({
        action,
        actor_id,
        person_id,
        subject,
        details,
      })),
    ).toEqual([
      {
        action: 'keeper-shared',
        actor_id: ada.id,
        person_id: null,
        subject: null,
        details: { keeperId: keeper.id, parts: 'moments', roles: 'friend' },
      },
      {
        action: 'keeper-unshared',
        actor_id: cleo.id,
        person_id: ada.id,
        subject: null,
        details: { keeperId: keeper.id },
      },
    ])
  })

  it('appears in the activity of the sharer and member managers only', async () => {
    const journey = (await ada.call(journeys.create, { params: { id: keeper.id }, body: { title: 'Crossing' } })).data
    const board = (await ada.call(boards.create, { body: { name: 'Tides' } })).data
    await shareParts(['moments'], ['admin'])
    const ofJourney = { params: { id, journeyId: journey.id }, body: { roles: ['admin' as const] } }
    expect((await ada.call(call.shareJourney, ofJourney)).status).toBe(200)
    const rights = { admin: 'view', user: 'none', friend: 'none', connection: 'none' } as const
    const ofBoard = { params: { id: board.id, domainId: id }, body: { rights } }
    expect((await ada.call(boardSharing.share, ofBoard)).status).toBe(200)
    await ada.call(call.unshareKeeper, { params: { id, keeperId: keeper.id } })
    const secrets = [keeper.id, journey.id, board.id]
    const read = async (actor: Actor) => (await actor.call(people.activity, { params: { id } })).text
    const forAda = await read(ada)
    const forCleo = await read(cleo)
    const forBen = await read(ben)
    for (const secret of secrets) expect([forAda, forCleo].filter((text) => text.includes(secret))).toHaveLength(2)
    expect(secrets.filter((secret) => forBen.includes(secret))).toEqual([])
    expect(forBen).not.toMatch(/(keeper|journey|board)-(un)?shared/)
  })

  it('notifies the readers of a keeper or journey of delete and restore', async () => {
    const all = [ada.id, ben.id, cleo.id]
    const journey = (await ada.call(journeys.create, { params: { id: keeper.id }, body: { title: 'Crossing' } })).data
    const getNotifiedBefore = recordNotifications()
    await ada.call(journeys.remove, { params: { id: journey.id } })
    await ada.call(entries.restore, { params: { entity: 'journey', id: journey.id } })
    expect(getNotifiedBefore()).toEqual([])
    await ada.call(call.shareJourney, { params: { id, journeyId: journey.id }, body: { roles: ['friend'] } })
    for (const [entity, entityId] of [
      ['journey', journey.id],
      ['keeper', keeper.id],
    ] as const) {
      const getNotified = recordNotifications()
      const { remove } = entity === 'journey' ? journeys : keepers
      expect((await ada.call(remove, { params: { id: entityId } })).status).toBe(200)
      expect(getNotified().sort(), entity).toEqual(all.toSorted())
      const getNotifiedOfRestore = recordNotifications()
      expect((await ada.call(entries.restore, { params: { entity, id: entityId } })).status).toBe(200)
      expect(getNotifiedOfRestore().sort(), entity).toEqual(all.toSorted())
    }
    await shareParts(['moments'])
    const getNotifiedOnce = recordNotifications()
    await ada.call(keepers.remove, { params: { id: keeper.id } })
    expect(getNotifiedOnce().sort(), 'shared twice with one domain').toEqual(all.toSorted())
  })

  it('notifies readers when the sharer’s account is locked or unlocked', async () => {
    await shareParts(['moments'])
    const admin = await app.as('dot', ['super-admin'])
    for (const statusCall of [administration.deactivate, administration.reactivate]) {
      const getNotified = recordNotifications()
      expect((await admin.call(statusCall, { params: { id: ada.id } })).status).toBe(200)
      expect(getNotified().sort()).toEqual([ada.id, ben.id, cleo.id].sort())
    }
  })
})
