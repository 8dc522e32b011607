import { describe, expect, it } from 'vitest'
import { type AuditAction, audit } from '#contract/administration/audit.ts'
import { agents } from '#contract/agents/agents.ts'
import { intent } from '#contract/agents/intent.ts'
import { type BudgetScope, usageCalls } from '#contract/agents/usage.ts'
import { versions } from '#contract/agents/versions.ts'
import { engines } from '#tests/engines.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'

const ofMoney: AuditAction[] = ['budget-set', 'model-price-set', 'model-price-removed']
const ofTexts: AuditAction[] = ['context-text-set', 'context-text-reset']

describe.each(engines)("audit of administrators' settings, on %s", (engine) => {
  const { app, ada, cleo } = useTestApp(engine, ['ada', 'cleo'], { perTest: true, roles: { cleo: ['super-admin'] } })

  /** Entries of these actions, oldest first; none of them names a person or domain. */
  const listLines = async (actions: AuditAction[]) => {
    const { items } = (await cleo.call(audit.list)).data
    const lines = items.filter(({ action }) => actions.includes(action)).reverse()
    for (const { person, domain } of lines) expect({ person, domain }).toEqual({ person: null, domain: null })
    return lines.map(({ actor, action, subject, details }) => [actor?.id, action, subject, details])
  }
  /** Gives each action its own time, so that the order is defined. */
  const atOwnTime = <T>(action: Promise<T>) => action.finally(() => app.passTime(1000))
  const budget = (actor: Actor, scope: BudgetScope, limit_usd: number | null, more: object = {}) =>
    atOwnTime(actor.call(usageCalls.setBudget, { body: { scope, limit_usd, ...more } }))
  const price = (actor: Actor, model: string, input_usd: number, output_usd: number) =>
    atOwnTime(actor.call(usageCalls.setPrice, { body: { provider: 'openai', model, input_usd, output_usd } }))
  const removePrice = (actor: Actor, model: string) =>
    atOwnTime(actor.call(usageCalls.removePrice, { body: { provider: 'openai', model } }))
  const text = (actor: Actor, body: string, ifMatch?: number) =>
    atOwnTime(actor.call(intent.setContextText, { params: { scope: 'codebase' }, body: { body }, ifMatch }))

  it('a platform budget change is audited with old and new values', async () => {
    await budget(cleo, 'platform', 20)
    await budget(cleo, 'platform', 12.5, { warn_at_percent: 50 })
    await budget(cleo, 'platform', 12.5, { warn_at_percent: 60 })
    await budget(cleo, 'each_person', 2)
    await budget(cleo, 'visitors', 3)
    await budget(cleo, 'visitors', null)
    expect(await listLines(ofMoney)).toEqual([
      [cleo.id, 'budget-set', 'platform', { from: 'no limit', to: '$20.00' }],
      [cleo.id, 'budget-set', 'platform', { from: '$20.00', to: '$12.50', warnAtPercent: '50' }],
      [cleo.id, 'budget-set', 'platform', { warnAtPercent: '60' }],
      [cleo.id, 'budget-set', 'each_person', { from: 'no limit', to: '$2.00' }],
      [cleo.id, 'budget-set', 'visitors', { from: '$1.00', to: '$3.00' }],
      [cleo.id, 'budget-set', 'visitors', { from: '$3.00', to: 'no limit' }],
    ])
  })

  it("one's own, refused and unchanged budgets are not audited", async () => {
    for (const actor of [ada, cleo]) expect((await budget(actor, 'mine', 5, { warn_at_percent: 50 })).status).toBe(200)
    for (const scope of ['platform', 'each_person', 'visitors'] as const)
      expect((await budget(ada, scope, 3)).status).toBe(403)
    expect((await budget(cleo, 'platform', -1)).status).toBe(400)
    await budget(cleo, 'platform', null, { warn_at_percent: 80 })
    await budget(cleo, 'visitors', 1)
    expect(await listLines(ofMoney)).toEqual([])
    await budget(cleo, 'platform', 7)
    expect((await budget(cleo, 'platform', 7)).data).toMatchObject({ limit_usd: 7, warn_at_percent: 80 })
    expect(await listLines(ofMoney)).toHaveLength(1)
  })

  it('concurrent identical changes make one entry', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => budget(cleo, 'platform', 4)))
    expect(answers.map(({ status, data }) => [status, data.limit_usd])).toEqual(Array(3).fill([200, 4]))
    const prices = await Promise.all([1, 2, 3].map(() => price(cleo, 'gpt-4o', 1, 2)))
    expect(prices.map(({ status, data }) => [status, data.output_usd])).toEqual(Array(3).fill([200, 2]))
    const removed = await Promise.all([1, 2, 3].map(() => removePrice(cleo, 'gpt-4o')))
    expect(removed.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await listLines(ofMoney)).map(([, action]) => action)).toEqual([
      'budget-set',
      'model-price-set',
      'model-price-removed',
    ])
  })

  it('setting and removing a price is audited, with or without a default', async () => {
    await price(cleo, 'gpt-4o', 1, 20)
    await price(cleo, 'gpt-4o', 1, 0.000001)
    await removePrice(cleo, 'gpt-4o')
    await price(cleo, 'gpt-new', 3, 4)
    await removePrice(cleo, 'gpt-new')
    expect(await listLines(ofMoney)).toEqual([
      [
        cleo.id,
        'model-price-set',
        'openai/gpt-4o',
        { from: '$2.50 in, $1.25 cached, $10.00 out', to: '$1.00 in, $20.00 out' },
      ],
      [cleo.id, 'model-price-set', 'openai/gpt-4o', { from: '$1.00 in, $20.00 out', to: '$1.00 in, $0.000001 out' }],
      [
        cleo.id,
        'model-price-removed',
        'openai/gpt-4o',
        { from: '$1.00 in, $0.000001 out', to: '$2.50 in, $1.25 cached, $10.00 out' },
      ],
      [cleo.id, 'model-price-set', 'openai/gpt-new', { from: null, to: '$3.00 in, $4.00 out' }],
      [cleo.id, 'model-price-removed', 'openai/gpt-new', { from: '$3.00 in, $4.00 out', to: null }],
    ])
  })

  it('a refused, unchanged or unknown price is not audited', async () => {
    expect((await price(ada, 'gpt-4o', 1, 2)).status).toBe(403)
    expect((await price(cleo, 'gpt-4o', -1, 2)).status).toBe(400)
    expect((await removePrice(cleo, 'gpt-4o')).status).toBe(200)
    expect(await listLines(ofMoney)).toEqual([])
    const first = (await price(cleo, 'gpt-4o', 1, 2)).data
    expect((await price(cleo, 'gpt-4o', 1, 2)).data).toEqual(first)
    expect((await removePrice(ada, 'gpt-4o')).status).toBe(403)
    expect(await listLines(ofMoney)).toHaveLength(1)
  })

  it('changing or resetting a context text is audited by scope, without the text', async () => {
    const canaries = ['The canary sings in src.', 'The canary sleeps in lib.']
    for (const body of canaries) expect((await text(cleo, body)).status).toBe(200)
    await text(cleo, '')
    expect(await listLines(ofTexts)).toEqual([
      [cleo.id, 'context-text-set', 'codebase', {}],
      [cleo.id, 'context-text-set', 'codebase', {}],
      [cleo.id, 'context-text-reset', 'codebase', {}],
    ])
    const rows = await app.services.db.selectFrom('audit_events').selectAll().execute()
    const csv = await (await cleo.fetch('/api/admin/audit/export')).text()
    for (const saved of [JSON.stringify(rows), csv, app.logLines.join('\n')]) expect(saved).not.toContain('canary')
  })

  it('a refused, stale or unchanged context text is not audited', async () => {
    expect((await text(ada, 'Mine.')).status).toBe(403)
    expect((await text(cleo, ' \n')).data.rev).toBe(0)
    expect((await text(cleo, 'x'.repeat(50_001))).status).toBe(400)
    expect((await text(cleo, 'One.', 12)).status).toBe(409)
    expect(await listLines(ofTexts)).toEqual([])
    const first = (await text(cleo, 'One.')).data
    expect((await text(cleo, 'One.', first.rev)).data).toEqual(first)
    const answers = await Promise.all(['Two.', 'Three.'].map((body) => text(cleo, body, first.rev)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await listLines(ofTexts)).toHaveLength(2)
  })

  it("changes to built-in agents are audited, to one's own agents not", async () => {
    const ofAgents: AuditAction[] = ['built-in-agent-changed']
    const list = (await cleo.call(agents.list)).data
    const kip = list.find(({ owner_id }) => owner_id === null)
    if (!kip) throw new Error('no agent comes with Keeper')
    const rename = (actor: Actor, id: string, name: string, ifMatch?: number) =>
      atOwnTime(actor.call(agents.update, { body: { id, name }, ifMatch }))
    const ownAgent = (await ada.call(agents.create, { body: { name: 'Own', purpose: 'Mine alone.' } })).data
    expect((await rename(ada, ownAgent.id, 'Canary')).status).toBe(200)
    expect((await rename(ada, kip.id, 'Canary')).status).toBe(403)
    expect((await rename(cleo, kip.id, 'Canary', kip.rev + 5)).status).toBe(409)
    expect(await listLines(ofAgents)).toEqual([])
    expect((await rename(cleo, kip.id, 'Canary', kip.rev)).status).toBe(200)
    const restored = await atOwnTime(
      cleo.call(versions.restore, { params: { agentId: kip.id, version: `${kip.rev}` } }),
    )
    expect(restored.data.agent.name).toBe(kip.name)
    const line = [cleo.id, 'built-in-agent-changed', kip.slug, {}]
    expect(await listLines(ofAgents)).toEqual([line, line])
  })
})
