import { describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { engines } from '#tests/engines.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { sweepReservedSlugs } from './slugs.ts'

const day = 24 * 60 * 60 * 1000

describe.each(engines)('freed slugs on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'], { environment: { KEEPER_SESSION_DAYS: '0' } })

  const createAgent = (actor: Actor, slug: string) =>
    actor.call(agents.create, { body: { name: 'N', purpose: 'p', slug } })
  const remove = (actor: Actor, id: string) => actor.call(agents.remove, { body: { id } })
  const rename = (actor: Actor, id: string, slug: string) => actor.call(agents.update, { body: { id, slug } })

  /** In steps, because unused sessions expire. */
  const passDays = async (days: number) => {
    for (let left = days; left > 0; left -= 10) {
      app.passTime(Math.min(left, 10) * day)
      for (const actor of [ada, ben]) await actor.call(agents.list)
    }
  }

  it('reserves a deleted agent’s slug for its owner for 90 days', async () => {
    await createAgent(ada, 'lighthouse')
    await remove(ada, 'lighthouse')
    const refused = await createAgent(ben, 'lighthouse')
    expect({ status: refused.status, code: refused.body.code, fields: refused.body.fields }).toEqual({
      status: 409,
      code: 'slug-taken',
      fields: { slug: 'This slug is taken. Choose another one.' },
    })
    expect((await createAgent(ada, 'lighthouse')).status).toBe(200)
    await remove(ada, 'lighthouse')
    await passDays(89)
    expect((await createAgent(ben, 'lighthouse')).status).toBe(409)
    await passDays(2)
    expect((await createAgent(ben, 'lighthouse')).status).toBe(200)
    expect((await createAgent(ada, 'lighthouse')).status).toBe(409)
  })

  it('reserves a renamed agent’s old slug, also against renames and names', async () => {
    const { data: agent } = await createAgent(ada, 'old-harbour')
    await rename(ada, agent.id, 'new-harbour')
    const { data: other } = await createAgent(ben, 'elsewhere')
    expect((await rename(ben, other.id, 'old-harbour')).status).toBe(409)
    const named = await ben.call(agents.create, { body: { name: 'Old Harbour', purpose: 'p' } })
    expect(named.data.slug).toMatch(/^old-harbour-[0-9a-f]{8}$/)
    expect((await rename(ada, agent.id, 'old-harbour')).data.slug).toBe('old-harbour')
    expect((await createAgent(ben, 'new-harbour')).status, 'the one left last').toBe(409)
    expect((await createAgent(ada, 'new-harbour')).status).toBe(200)
  })

  it('are forgotten once the reservation expires', async () => {
    await createAgent(ada, 'short-lived')
    await remove(ada, 'short-lived')
    const reservedSlugs = async () =>
      (await app.services.db.selectFrom('held_slugs').select('slug').execute()).map(({ slug }) => slug)
    await sweepReservedSlugs(app.services)
    expect(await reservedSlugs()).toContain('short-lived')
    await passDays(91)
    await sweepReservedSlugs(app.services)
    expect(await reservedSlugs()).not.toContain('short-lived')
  })

  it('reserves nothing when the slug stays the same', async () => {
    const { data: agent } = await createAgent(ada, 'steady')
    await rename(ada, agent.id, 'steady')
    const reservedSlugs = await app.services.db
      .selectFrom('held_slugs')
      .select('slug')
      .where('slug', '=', 'steady')
      .execute()
    expect(reservedSlugs).toEqual([])
  })
})
