import { beforeAll, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { boards } from '#contract/boards/boards.ts'
import { dayMs } from '#server/values/time-units.ts'
import { copyRow } from '#tests/copy-row.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { computeDatabaseHash } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { removeRequestId } from '#tests/remove-request-id.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { sweepReservedSlugs } from './slugs.ts'

type Verb = 'read' | 'bySlug' | 'workspace' | 'run' | 'session' | 'edit' | 'delete'
type ActorKind = 'owner' | 'stranger' | 'visitor' | 'system'

/** Expected status per actor; `bySlug` is the chat page's first request, `system` has `system_configuration`. */
const table: Record<string, Record<ActorKind, Record<Verb, number>>> = {
  'a private Lead': {
    owner: { read: 200, bySlug: 200, workspace: 200, run: 200, session: 200, edit: 200, delete: 200 },
    stranger: { read: 404, bySlug: 404, workspace: 404, run: 404, session: 404, edit: 404, delete: 404 },
    visitor: { read: 401, bySlug: 404, workspace: 401, run: 404, session: 404, edit: 401, delete: 401 },
    system: { read: 404, bySlug: 404, workspace: 404, run: 404, session: 404, edit: 404, delete: 404 },
  },
  'a public Lead': {
    owner: { read: 200, bySlug: 200, workspace: 200, run: 200, session: 200, edit: 200, delete: 200 },
    stranger: { read: 200, bySlug: 200, workspace: 200, run: 200, session: 200, edit: 403, delete: 403 },
    visitor: { read: 401, bySlug: 200, workspace: 401, run: 200, session: 200, edit: 401, delete: 401 },
    system: { read: 200, bySlug: 200, workspace: 200, run: 200, session: 200, edit: 403, delete: 403 },
  },
  'a public Standard agent': {
    owner: { read: 200, bySlug: 200, workspace: 200, run: 200, session: 200, edit: 200, delete: 200 },
    stranger: { read: 200, bySlug: 200, workspace: 200, run: 200, session: 200, edit: 403, delete: 403 },
    visitor: { read: 401, bySlug: 404, workspace: 401, run: 404, session: 404, edit: 401, delete: 401 },
    system: { read: 200, bySlug: 200, workspace: 200, run: 200, session: 200, edit: 403, delete: 403 },
  },
  'a shared Lead': {
    owner: { read: 200, bySlug: 200, workspace: 200, run: 200, session: 200, edit: 200, delete: 200 },
    stranger: { read: 404, bySlug: 404, workspace: 404, run: 404, session: 404, edit: 404, delete: 404 },
    visitor: { read: 401, bySlug: 404, workspace: 401, run: 404, session: 404, edit: 401, delete: 401 },
    system: { read: 404, bySlug: 404, workspace: 404, run: 404, session: 404, edit: 404, delete: 404 },
  },
  'the built-in Kip': {
    owner: { read: 200, bySlug: 200, workspace: 200, run: 200, session: 200, edit: 403, delete: 403 },
    stranger: { read: 200, bySlug: 200, workspace: 200, run: 200, session: 200, edit: 403, delete: 403 },
    visitor: { read: 401, bySlug: 200, workspace: 401, run: 200, session: 200, edit: 401, delete: 401 },
    system: { read: 200, bySlug: 200, workspace: 200, run: 200, session: 200, edit: 200, delete: 403 },
  },
  'the built-in Code Agent': {
    owner: { read: 200, bySlug: 200, workspace: 200, run: 200, session: 200, edit: 403, delete: 403 },
    stranger: { read: 200, bySlug: 200, workspace: 200, run: 200, session: 200, edit: 403, delete: 403 },
    visitor: { read: 401, bySlug: 404, workspace: 401, run: 404, session: 404, edit: 401, delete: 401 },
    system: { read: 200, bySlug: 200, workspace: 200, run: 200, session: 200, edit: 200, delete: 403 },
  },
}

const verbs: Record<Verb, (caller: Actor, id: string) => Promise<{ status: number; text: string; headers: Headers }>> =
  {
    read: (caller, id) => caller.call(agents.byId, { query: { id } }),
    bySlug: (caller, slug) => caller.call(agents.bySlug, { query: { slug } }),
    workspace: (caller, agentId) => caller.call(boards.agentWorkspace, { params: { agentId } }),
    run: (caller, agentId) => caller.call(agents.run, { body: { agentId, input: 'hello' } }),
    session: (caller, agentId) => caller.call(agents.createSession, { body: { agentId } }),
    edit: (caller, id) => caller.call(agents.update, { body: { id, permissions: ['edited'] } }),
    delete: (caller, id) => caller.call(agents.remove, { body: { id } }),
  }

describe.each(engines)('agent visibility on %s', (engine) => {
  const { app } = useTestApp(engine, [], { environment: { KEEPER_VISITOR_RUNS_PER_MINUTE: '1000' } })
  let people: Record<Exclude<ActorKind, 'visitor'>, Actor>
  beforeAll(async () => {
    people = {
      owner: await app.as('ada'),
      stranger: await app.as('ben'),
      system: await app.as('cleo', ['super-admin']),
    }
  })

  /** A fresh agent of that kind, or the existing built-in one. */
  const createAgentOfKind = async (kind: string) => {
    if (kind === 'the built-in Kip') return { id: 'built-in-kip', slug: 'kip' }
    if (kind === 'the built-in Code Agent') return { id: 'built-in-code-agent', slug: 'code-agent' }
    const [, visibility, agent_class] = /^a (\w+) (\w+)/.exec(kind) ?? []
    return createTestAgent(people.owner, { visibility, agent_class })
  }

  const cells = Object.entries(table).flatMap(([kind, row]) =>
    Object.entries(row).map(([caller, expected]) => ({ kind, caller: caller as ActorKind, expected })),
  )
  it.each(cells)('the $caller gets the expected answers for $kind', async ({ kind, caller, expected }) => {
    const actor = caller === 'visitor' ? app.visitor() : people[caller]
    const { id, slug } = await createAgentOfKind(kind)
    for (const [verb, status] of Object.entries(expected) as [Verb, number][]) {
      const attempt = verbs[verb]
      const previousHash = status >= 400 ? await computeDatabaseHash(app.services.db) : ''
      for (const name of verb === 'delete' && status === 200 ? [slug] : [slug, id]) {
        const answer = await attempt(actor, name)
        expect({ verb, name, status: answer.status }).toEqual({ verb, name, status })
      }
      if (status >= 400)
        expect(await computeDatabaseHash(app.services.db), `${verb} changed something`).toBe(previousHash)
    }
  })

  it('only system_configuration allows changing who sees a built-in agent', async () => {
    const setVisibility = (actor: Actor, visibility: 'private' | 'public') =>
      actor.call(agents.update, { body: { id: 'built-in-kip', visibility } })
    for (const actor of [people.owner, people.stranger])
      expect((await setVisibility(actor, 'private')).status).toBe(403)
    for (const visibility of ['private', 'public'] as const) {
      const { status, data } = await setVisibility(people.system, visibility)
      expect({ status, visibility: data.visibility }).toEqual({ status: 200, visibility })
    }
  })

  it('invisible agents answer the same bytes as a random id', async () => {
    const { id } = await createAgentOfKind('a private Lead')
    const visitor = app.visitor()
    await visitor.call(agents.sessions)
    for (const actor of [people.stranger, visitor])
      for (const attempt of Object.values(verbs)) {
        const [foreign, random] = [await attempt(actor, id), await attempt(actor, 'f'.repeat(32))]
        expect(removeRequestId(foreign.text)).toBe(removeRequestId(random.text))
        expect([...foreign.headers.keys()]).toEqual([...random.headers.keys()])
      }
  })

  it('lists include own, public and built-in agents, not private ones of others', async () => {
    const secret = await createAgentOfKind('a private Lead')
    const open = await createAgentOfKind('a public Lead')
    const shared = await createAgentOfKind('a shared Lead')
    const listSlugs = async (caller: Actor, headers: Record<string, string> = {}) =>
      (await caller.call(agents.list, { headers })).data.map((agent) => agent.slug)
    expect(await listSlugs(people.owner)).toEqual(
      expect.arrayContaining([secret.slug, open.slug, shared.slug, 'kip', 'type-agent']),
    )
    for (const list of [
      await listSlugs(people.stranger),
      await listSlugs(people.stranger, { 'x-user-id': people.owner.id }),
    ]) {
      expect(list).toEqual(expect.arrayContaining([open.slug, 'kip']))
      expect(list).not.toContain(secret.slug)
      expect(list).not.toContain(shared.slug)
    }
  })

  it('visitors receive only the fields of a Lead that its page shows', async () => {
    const lead = await createTestAgent(people.owner, {
      name: 'Open Lead',
      purpose: 'Helps visitors.',
      agent_class: 'Lead',
      visibility: 'public',
      tools: ['search_memory'],
      permissions: ['canary-permission'],
      config: {
        tagline: 'Hi',
        avatar: '⚓',
        theme_color: '#123456',
        personality: 'canary-personality',
        extra: 'canary-extra',
      } as never,
    })
    const { data, text } = await app.visitor().call(agents.bySlug, { query: { slug: lead.slug } })
    expect(data).toEqual({
      id: lead.id,
      slug: 'open-lead',
      name: 'Open Lead',
      purpose: '',
      agent_class: 'Lead',
      memory_enabled: false,
      config: { tagline: 'Hi', avatar: '⚓', theme_color: '#123456' },
    })
    for (const secret of ['canary', people.owner.id, 'search_memory', 'gpt-6-luna', 'willowbrook'])
      expect(text).not.toContain(secret)
  })

  it('signed-in people get the whole agent by slug or id, whatever its class', async () => {
    const { slug, id } = await createAgentOfKind('a public Standard agent')
    const stranger = await people.stranger.call(agents.bySlug, { query: { slug } })
    expect(stranger.data).toEqual((await people.stranger.call(agents.byId, { query: { id } })).data)
    expect(stranger.data).toMatchObject({ slug, model: 'gpt-6-luna', may: { run: true, edit: false } })
  })

  it('visitors learn that an agent is not a Lead', async () => {
    const { slug } = await createAgentOfKind('a public Standard agent')
    const answer = await app.visitor().call(agents.bySlug, { query: { slug } })
    expect(answer.status).toBe(404)
    expect(answer.body.error).toBe(`Agent "${slug}" is not a Lead agent`)
  })
})

describe.each(engines)('freed slugs on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'], { environment: { KEEPER_SESSION_DAYS: '0' } })

  const createAgent = (actor: Actor, slug: string) =>
    actor.call(agents.create, { body: { name: 'N', purpose: 'p', slug } })
  const remove = (actor: Actor, id: string) => actor.call(agents.remove, { body: { id } })
  const rename = (actor: Actor, id: string, slug: string) => actor.call(agents.update, { body: { id, slug } })

  /** In steps, because unused sessions expire. */
  const passDays = async (days: number) => {
    for (let remainingDays = days; remainingDays > 0; remainingDays -= 10) {
      app.passTime(Math.min(remainingDays, 10) * dayMs)
      for (const actor of [ada, ben]) await actor.call(agents.list)
    }
  }

  it('stay reserved for the owner of a deleted agent for 90 days', async () => {
    await createAgent(ada, 'lighthouse')
    await remove(ada, 'lighthouse')
    const refused = await createAgent(ben, 'lighthouse')
    expect(refused.status).toBe(409)
    expect(refused.body.code).toBe('slug-taken')
    expect(refused.body.fields).toEqual({ slug: 'This slug is taken. Choose another one.' })
    expect((await createAgent(ada, 'lighthouse')).status).toBe(200)
    await remove(ada, 'lighthouse')
    await passDays(89)
    expect((await createAgent(ben, 'lighthouse')).status).toBe(409)
    await passDays(2)
    expect((await createAgent(ben, 'lighthouse')).status).toBe(200)
    expect((await createAgent(ada, 'lighthouse')).status).toBe(409)
  })

  it('stay reserved after a rename, also against renames and derived slugs', async () => {
    const { data: agent } = await createAgent(ada, 'old-harbour')
    await rename(ada, agent.id, 'new-harbour')
    const { data: other } = await createAgent(ben, 'elsewhere')
    expect((await rename(ben, other.id, 'old-harbour')).status).toBe(409)
    const named = await ben.call(agents.create, { body: { name: 'Old Harbour', purpose: 'p' } })
    expect(named.data.slug).toMatch(/^old-harbour-[0-9a-f]{8}$/)
    expect((await rename(ada, agent.id, 'old-harbour')).data.slug).toBe('old-harbour')
    expect((await createAgent(ben, 'new-harbour')).status, 'the slug freed last stays reserved').toBe(409)
    expect((await createAgent(ada, 'new-harbour')).status).toBe(200)
  })

  it('are forgotten once the reservation expires', async () => {
    await createAgent(ada, 'short-lived')
    await remove(ada, 'short-lived')
    const listReservedSlugs = async () =>
      (await app.services.db.selectFrom('held_slugs').select('slug').execute()).map(({ slug }) => slug)
    await sweepReservedSlugs(app.services)
    expect(await listReservedSlugs()).toContain('short-lived')
    await passDays(91)
    await sweepReservedSlugs(app.services)
    expect(await listReservedSlugs()).not.toContain('short-lived')
  })

  it('are not reserved when the slug stays the same', async () => {
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

describe.each(engines)('an agent with a thousand runs on %s', (engine) => {
  const { app } = useTestApp(engine)

  it('is deleted with its history in small batches', async () => {
    const { db } = app.services
    const ada = await app.as('ada')
    const createAgent = async (name: string) =>
      (await createTestAgent(ada, { name, memory_enabled: true, agent_class: 'Lead' })).id
    const [busyAgentId, otherAgentId] = [await createAgent('Much used'), await createAgent('Another')]
    for (const agentId of [busyAgentId, otherAgentId]) await ada.call(agents.run, { body: { agentId, input: 'Hello' } })
    const run = await db.selectFrom('runs').selectAll().where('agent_id', '=', busyAgentId).executeTakeFirstOrThrow()
    await copyRow(db, 'runs', run, { count: 1_200, values: (index) => ({ id: `copy-${index}`, session_id: null }) })

    const write = db.write.bind(db)
    const deletedCounts: number[] = []
    db.write = async (statement) => {
      const result = await write(statement)
      deletedCounts.push(result.changes)
      return result
    }
    expect((await ada.call(agents.remove, { query: { id: busyAgentId } } as never)).status).toBe(200)
    db.write = write
    expect(deletedCounts.filter((changes) => changes > 0)).toEqual([500, 201])
    const listAgentIds = async (table: 'runs' | 'chat_sessions') =>
      (await db.selectFrom(table).select('agent_id').execute()).map(({ agent_id }) => agent_id)
    expect(await listAgentIds('runs')).toEqual([otherAgentId])
    expect(await listAgentIds('chat_sessions')).toEqual([otherAgentId])
  })
})
