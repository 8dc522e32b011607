import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MemberRole, memberRoles } from '#contract/domains/domains.ts'
import { sharingInDomains } from '#contract/domains/sharing-in-domains.ts'
import { type EndpointEntry, listEndpoints } from '#contract/index.ts'
import { echoes } from '#contract/keepers/echoes.ts'
import { journeys } from '#contract/keepers/journeys.ts'
import { logbook } from '#contract/keepers/logbook.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { sole } from '#contract/keepers/sole.ts'
import { topics } from '#contract/keepers/topics.ts'
import { voice } from '#contract/keepers/voice.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { computeDatabaseHash } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import { type Actor, createTestApp, type TestApp, toRequest } from '#tests/test-app.ts'
import { uploadMedia } from '#tests/upload-media.ts'

const sharedRole: MemberRole = 'friend'

/** Shares one keeper's moments and another's journey with friends; everything else contains `canary`. */
async function createFixture(app: TestApp, ada: Actor, ben: Actor) {
  const domain = await insertDomain(app, ada, [[ben, sharedRole]])
  const otherDomainId = await insertDomain(app, ada, [], 'Canary house')
  const bens = await insertDomain(app, ben, [], 'Quay')
  const keeper = await createTestKeeper(ada, { title: 'Given keeper', purpose: 'Given purpose' })
  const other = await createTestKeeper(ada, { title: 'canary keeper', purpose: 'canary purpose' })
  const bensKeeper = await createTestKeeper(ben, { title: 'Ben’s own' })
  const inKeeper = { id: keeper.id }
  const inOther = { id: other.id }
  const journey = (await ada.call(journeys.create, { params: inOther, body: { title: 'Given journey' } })).data.id
  const closed = (await ada.call(journeys.create, { params: inOther, body: { title: 'canary journey' } })).data.id
  const keeperJourneyId = (await ada.call(journeys.create, { params: inKeeper, body: { title: 'canary road' } })).data
    .id
  const bensJourney = (
    await ben.call(journeys.create, { params: { id: bensKeeper.id }, body: { title: 'Ben’s road' } })
  ).data.id
  const picture = await uploadMedia(ada, keeper.id, 'image/png')
  const closedPicture = await uploadMedia(ada, other.id, 'image/png')
  const moment = async (params: { id: string }, body: string, more = {}) =>
    (await ada.call(moments.create, { params, body: { body, ...more } })).data.id
  const sharedMomentId = await moment(inKeeper, 'Given moment', { mediaIds: [picture], promptId: 'canary-prompt' })
  await moment(inOther, 'Given with its journey', { journeyId: journey })
  const hidden = await moment(inOther, 'canary moment', { mediaIds: [closedPicture], journeyId: closed })
  const trashedId = await moment(inKeeper, 'canary binned')
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
    domains: { given: domain, elsewhere: otherDomainId, bens },
    keepers: { given: keeper.id, other: other.id, bens: bensKeeper.id },
    journeys: { given: journey, closed, ofGiven: keeperJourneyId, bens: bensJourney },
    media: { given: picture, closed: closedPicture },
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
  function fillings({ endpoint }: EndpointEntry): Record<string, string>[] {
    const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')
    return names.reduce<Record<string, string>[]>(
      (sofar, name, at) =>
        sofar.flatMap((params) =>
          // Limits the first id to domains and keepers, to bound the number of combinations.
          (names.length > 1 && at === 0 ? fixture.ids.slice(0, 4) : fixture.ids).map((id) => ({
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
        .where('domain_id', '=', fixture.domains.given)
        .execute()
      const gets = listEndpoints().filter(({ endpoint }) => endpoint.method === 'GET' && !endpoint.canStream)
      const searchQuery = { q: 'canary', query: 'canary', search: 'canary', userId: ada.id }
      const leaks: string[] = []
      let reads = 0
      let answers = 0
      for (const call of gets) {
        for (const params of fillings(call)) {
          await app.services.db.deleteFrom('throttle_windows').execute()
          for (const query of call.endpoint.query ? [{}, searchQuery] : [{}]) {
            const { path, init } = toRequest(call.endpoint, { params, query })
            const response = await ben.fetch(path, init)
            if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
              await response.body?.cancel()
              continue
            }
            const text = await response.text()
            answers++
            if (/canary/i.test(text.replaceAll(searchQuery.q, (word, at: number) => (echoed(text, at) ? '' : word))))
              leaks.push(`${call.area}.${call.name} ${path}`)
            if (text.includes('Given moment')) reads++
            if (role !== sharedRole && /Given (moment|keeper|journey|with)/.test(text)) leaks.push(`given: ${path}`)
          }
        }
      }
      expect(leaks).toEqual([])
      expect(answers).toBeGreaterThan(500)
      // Guards against an empty test.
      expect(reads > 0).toBe(role === sharedRole)
    },
    120_000,
  )

  /** A search echoes its query. */
  const echoed = (text: string, at: number) => /"(q|query|search)":"$/.test(text.slice(0, at))

  const { list: _, sharesOfKeeper: __, ...endpoints } = sharingInDomains
  const kinds = { id: 'domains', keeperId: 'keepers', journeyId: 'journeys', mediaId: 'media' } as const

  it.each(Object.entries(endpoints))(
    'stays hidden and unchanged by %s with ids of other entities',
    async (_, endpoint) => {
      await app.services.db
        .updateTable('domain_members')
        .set({ role: sharedRole })
        .where('person_id', '=', ben.id)
        .where('domain_id', '=', fixture.domains.given)
        .execute()
      const [first, second] = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name as keyof typeof kinds)
      if (!first || !second) throw new Error('Two ids were expected')
      const nowhere = 'f'.repeat(32)
      const body = { parts: ['moments'], roles: ['friend'] }
      const hashBefore = await computeDatabaseHash(app.services.db, ['throttle_windows'])
      const wrong: string[] = []
      let tried = 0
      const ownEndpoints = ['bens']
      for (const [domainName, id] of Object.entries({ ...fixture.domains, nowhere }))
        for (const [idName, entityId] of Object.entries({
          ...fixture[kinds[second]],
          domain: fixture.domains.given,
          nowhere,
        })) {
          const gives = endpoint.method === 'PUT'
          const isRight = gives
            ? ['given', 'bens'].includes(domainName) && ownEndpoints.includes(idName)
            : domainName === 'given' && idName === 'given'
          if (isRight) continue
          const sent = { params: { [first]: id, [second]: entityId }, ...(endpoint.body && { body }) }
          const { path, init } = toRequest(endpoint, sent)
          const response = await ben.fetch(path, init)
          tried++
          const text = await response.text()
          if (response.status !== 404 || /canary/.test(text))
            wrong.push(`${domainName} × ${idName}: ${response.status}`)
        }
      expect(wrong).toEqual([])
      expect(tried).toBeGreaterThan(10)
      expect(await computeDatabaseHash(app.services.db, ['throttle_windows'])).toBe(hashBefore)
    },
  )
})
