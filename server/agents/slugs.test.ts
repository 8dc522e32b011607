import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { engines } from '#tests/engines.ts'
import { type Actor, type TestApp, testApp } from '#tests/test-app.ts'
import { sweepHeldSlugs } from './slugs.ts'

const day = 24 * 60 * 60 * 1000

describe.each(engines)('freed slugs on %s', (engine) => {
  let app: TestApp
  let ada: Actor
  let ben: Actor
  beforeAll(async () => {
    app = await testApp(engine, { environment: { KEEPER_SESSION_DAYS: '0' } })
    ;[ada, ben] = [await app.as('ada'), await app.as('ben')]
  })
  afterAll(() => app.close())

  const make = (who: Actor, slug: string) => who.call(agents.create, { body: { name: 'N', purpose: 'p', slug } })
  const remove = (who: Actor, id: string) => who.call(agents.remove, { body: { id } })
  const rename = (who: Actor, id: string, slug: string) => who.call(agents.update, { body: { id, slug } })

  /** In steps, because unused sessions expire. */
  const passDays = async (days: number) => {
    for (let left = days; left > 0; left -= 10) {
      app.passTime(Math.min(left, 10) * day)
      for (const who of [ada, ben]) await who.call(agents.list)
    }
  }

  it('reserves a deleted agent’s slug for its owner for 90 days', async () => {
    await make(ada, 'lighthouse')
    await remove(ada, 'lighthouse')
    const refused = await make(ben, 'lighthouse')
    expect([refused.status, refused.body.code, refused.body.fields]).toEqual([
      409,
      'slug-taken',
      { slug: 'This slug is taken. Choose another one.' },
    ])
    expect((await make(ada, 'lighthouse')).status).toBe(200)
    await remove(ada, 'lighthouse')
    await passDays(89)
    expect((await make(ben, 'lighthouse')).status).toBe(409)
    await passDays(2)
    expect((await make(ben, 'lighthouse')).status).toBe(200)
    expect((await make(ada, 'lighthouse')).status).toBe(409)
  })

  it('reserves a renamed agent’s old slug, also against renames and names', async () => {
    const { data: agent } = await make(ada, 'old-harbour')
    await rename(ada, agent.id, 'new-harbour')
    const { data: other } = await make(ben, 'elsewhere')
    expect((await rename(ben, other.id, 'old-harbour')).status).toBe(409)
    const named = await ben.call(agents.create, { body: { name: 'Old Harbour', purpose: 'p' } })
    expect(named.data.slug).toMatch(/^old-harbour-[0-9a-f]{8}$/)
    expect((await rename(ada, agent.id, 'old-harbour')).data.slug).toBe('old-harbour')
    expect((await make(ben, 'new-harbour')).status, 'the one left last').toBe(409)
    expect((await make(ada, 'new-harbour')).status).toBe(200)
  })

  it('are forgotten once the reservation expires', async () => {
    await make(ada, 'short-lived')
    await remove(ada, 'short-lived')
    const held = async () =>
      (await app.services.db.selectFrom('held_slugs').select('slug').execute()).map(({ slug }) => slug)
    await sweepHeldSlugs(app.services)
    expect(await held()).toContain('short-lived')
    await passDays(91)
    await sweepHeldSlugs(app.services)
    expect(await held()).not.toContain('short-lived')
  })

  it('reserves nothing when the slug stays the same', async () => {
    const { data: agent } = await make(ada, 'steady')
    await rename(ada, agent.id, 'steady')
    const held = await app.services.db.selectFrom('held_slugs').select('slug').where('slug', '=', 'steady').execute()
    expect(held).toEqual([])
  })
})
