import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MemberRole, memberRoles } from '#contract/domains/domains.ts'
import { sharingInDomains } from '#contract/domains/sharing-in-domains.ts'
import { type AddressBookEntry, addressBook } from '#contract/index.ts'
import { echoes } from '#contract/keepers/echoes.ts'
import { journeys } from '#contract/keepers/journeys.ts'
import { logbook } from '#contract/keepers/logbook.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { sole } from '#contract/keepers/sole.ts'
import { topics } from '#contract/keepers/topics.ts'
import { voice } from '#contract/keepers/voice.ts'
import { domainOf } from '#tests/domain-of.ts'
import { engines } from '#tests/engines.ts'
import { keeperOf } from '#tests/keeper-of.ts'
import { type Actor, requestOf, type TestApp, testApp } from '#tests/test-app.ts'
import { uploadOf } from '#tests/upload-of.ts'
import { databaseHash } from '#tests/whole-database.ts'

const given: MemberRole = 'friend'

/** Shares one keeper's moments and another's journey with friends; everything else contains `canary`. */
async function lifeOf(app: TestApp, ada: Actor, ben: Actor) {
  const domain = await domainOf(app, ada, [[ben, given]])
  const elsewhere = await domainOf(app, ada, [], 'Canary house')
  const bens = await domainOf(app, ben, [], 'Quay')
  const keeper = await keeperOf(ada, { title: 'Given keeper', purpose: 'Given purpose' })
  const other = await keeperOf(ada, { title: 'canary keeper', purpose: 'canary purpose' })
  const bensKeeper = await keeperOf(ben, { title: 'Ben’s own' })
  const inKeeper = { id: keeper.id }
  const inOther = { id: other.id }
  const journey = (await ada.call(journeys.create, { params: inOther, body: { title: 'Given journey' } })).data.id
  const closed = (await ada.call(journeys.create, { params: inOther, body: { title: 'canary journey' } })).data.id
  const ofGiven = (await ada.call(journeys.create, { params: inKeeper, body: { title: 'canary road' } })).data.id
  const bensJourney = (
    await ben.call(journeys.create, { params: { id: bensKeeper.id }, body: { title: 'Ben’s road' } })
  ).data.id
  const picture = await uploadOf(ada, keeper.id, 'image/png')
  const closedPicture = await uploadOf(ada, other.id, 'image/png')
  const moment = async (params: { id: string }, body: string, more = {}) =>
    (await ada.call(moments.create, { params, body: { body, ...more } })).data.id
  const shown = await moment(inKeeper, 'Given moment', { mediaIds: [picture], promptId: 'canary-prompt' })
  await moment(inOther, 'Given with its journey', { journeyId: journey })
  const hidden = await moment(inOther, 'canary moment', { mediaIds: [closedPicture], journeyId: closed })
  const binned = await moment(inKeeper, 'canary binned')
  await ada.call(moments.remove, { params: { id: binned } })
  const ids = [domain, elsewhere, keeper.id, other.id, journey, closed, ofGiven, picture, closedPicture, shown, hidden]
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
    body: { parts: ['moments'], roles: [given] },
  })
  await ada.call(sharingInDomains.shareJourney, {
    params: { id: domain, journeyId: journey },
    body: { roles: [given] },
  })
  return {
    ids,
    domains: { given: domain, elsewhere, bens },
    keepers: { given: keeper.id, other: other.id, bens: bensKeeper.id },
    journeys: { given: journey, closed, ofGiven, bens: bensJourney },
    media: { given: picture, closed: closedPicture },
  }
}

describe.each(engines)('content that is not shared, on %s', (engine) => {
  let app: TestApp
  let ada: Actor
  let ben: Actor
  let life: Awaited<ReturnType<typeof lifeOf>>
  beforeAll(async () => {
    app = await testApp(engine)
    ada = await app.as('ada')
    ben = await app.as('ben')
    life = await lifeOf(app, ada, ben)
  }, 30_000)
  afterAll(() => app.close())

  /** Every combination of existing ids in a route's parameters. */
  function fillings({ endpoint }: AddressBookEntry): Record<string, string>[] {
    const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')
    return names.reduce<Record<string, string>[]>(
      (sofar, name, at) =>
        sofar.flatMap((params) =>
          // Limits the first id to domains and keepers, to bound the number of combinations.
          (names.length > 1 && at === 0 ? life.ids.slice(0, 4) : life.ids).map((id) => ({ ...params, [name]: id })),
        ),
      [{}],
    )
  }

  it.each(memberRoles)(
    'cannot be read by a %s on any route',
    async (role) => {
      await app.services.db
        .updateTable('domain_members')
        .set({ role })
        .where('person_id', '=', ben.id)
        .where('domain_id', '=', life.domains.given)
        .execute()
      const gets = addressBook().filter(({ endpoint }) => endpoint.method === 'GET' && !endpoint.streams)
      const asked = { q: 'canary', query: 'canary', search: 'canary', userId: ada.id }
      const told: string[] = []
      let reads = 0
      let answers = 0
      for (const call of gets) {
        for (const params of fillings(call)) {
          await app.services.db.deleteFrom('throttle_windows').execute()
          for (const query of call.endpoint.query ? [{}, asked] : [{}]) {
            const { path, init } = requestOf(call.endpoint, { params, query })
            const response = await ben.fetch(path, init)
            if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
              await response.body?.cancel()
              continue
            }
            const text = await response.text()
            answers++
            if (/canary/i.test(text.replaceAll(asked.q, (word, at: number) => (echoed(text, at) ? '' : word))))
              told.push(`${call.area}.${call.name} ${path}`)
            if (text.includes('Given moment')) reads++
            if (role !== given && /Given (moment|keeper|journey|with)/.test(text)) told.push(`given: ${path}`)
          }
        }
      }
      expect(told).toEqual([])
      expect(answers).toBeGreaterThan(500)
      // Guards against an empty test.
      expect(reads > 0).toBe(role === given)
    },
    120_000,
  )

  /** A search echoes its query. */
  const echoed = (text: string, at: number) => /"(q|query|search)":"$/.test(text.slice(0, at))

  const { list: _, sharesOfKeeper: __, ...others } = sharingInDomains
  const kinds = { id: 'domains', keeperId: 'keepers', journeyId: 'journeys', mediaId: 'media' } as const

  it.each(Object.entries(others))(
    'stays hidden and unchanged by %s with ids of other entities',
    async (_, endpoint) => {
      await app.services.db
        .updateTable('domain_members')
        .set({ role: given })
        .where('person_id', '=', ben.id)
        .where('domain_id', '=', life.domains.given)
        .execute()
      const [first, second] = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name as keyof typeof kinds)
      if (!first || !second) throw new Error('Two ids were expected')
      const nowhere = 'f'.repeat(32)
      const body = { parts: ['moments'], roles: ['friend'] }
      const before = await databaseHash(app.services.db, ['throttle_windows'])
      const wrong: string[] = []
      let tried = 0
      const ownKeys = ['bens']
      for (const [domainName, id] of Object.entries({ ...life.domains, nowhere }))
        for (const [thingName, thing] of Object.entries({
          ...life[kinds[second]],
          domain: life.domains.given,
          nowhere,
        })) {
          const gives = endpoint.method === 'PUT'
          const isRight = gives
            ? ['given', 'bens'].includes(domainName) && ownKeys.includes(thingName)
            : domainName === 'given' && thingName === 'given'
          if (isRight) continue
          const sent = { params: { [first]: id, [second]: thing }, ...(endpoint.body && { body }) }
          const { path, init } = requestOf(endpoint, sent)
          const response = await ben.fetch(path, init)
          tried++
          const text = await response.text()
          if (response.status !== 404 || /canary/.test(text))
            wrong.push(`${domainName} × ${thingName}: ${response.status}`)
        }
      expect(wrong).toEqual([])
      expect(tried).toBeGreaterThan(10)
      expect(await databaseHash(app.services.db, ['throttle_windows'])).toBe(before)
    },
  )
})
