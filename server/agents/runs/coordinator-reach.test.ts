import { describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { sharing } from '#contract/agents/sharing.ts'
import { setUpCoordinators } from '#tests/coordinators.ts'
import { engines } from '#tests/engines.ts'
import { parseConversation } from '#tests/model-conversation.ts'
import type { Actor } from '#tests/test-app.ts'

const secret = 'You guard the recipe: canary buttermilk.'

describe.each(engines)('a coordinator and other people’s agents on %s', (engine) => {
  const world = setUpCoordinators(engine)

  it('can call its owner’s private agents without revealing their prompts', async () => {
    const { app, ben, createAgent, createCoordinator, run, replyWith } = world()
    const hidden = await createAgent('Recipes', { purpose: secret })
    const { id } = await createCoordinator('Kitchen', [hidden.slug], { visibility: 'public' })
    replyWith({ [secret]: () => ({ text: 'I keep it.' }) })
    const { answer, detail } = await run(id, ben)
    expect(answer.data.response).toContain('I keep it.')
    expect(JSON.stringify(app.fakes.openai.requests.at(-2)?.body)).toContain('canary buttermilk')
    expect(JSON.stringify(detail)).not.toContain('canary buttermilk')
    const hiddenModelSpan = detail.spans.find(
      ({ kind, input }) => kind === 'model' && JSON.stringify(input).includes('Kept private'),
    )
    expect(hiddenModelSpan?.input).toMatchObject({ system: 'Kept private by its owner.' })
    const ledger = await app.services.db
      .selectFrom('model_calls')
      .select('payer')
      .where('run_id', '=', detail.id)
      .execute()
    expect(ledger.map(({ payer }) => payer)).toEqual([ben.id, ben.id, ben.id])
    const owner = await run(id)
    expect(JSON.stringify(owner.detail)).toContain('canary buttermilk')
    const toolDescriptions = JSON.stringify(app.fakes.openai.requests.at(-1)?.body)
    expect(toolDescriptions).toContain('Recipes')
  })

  it('doesn’t describe hidden agents to the model', async () => {
    const { app, ben, createAgent, createCoordinator, run } = world()
    const hidden = await createAgent('Vault', { purpose: secret })
    const { id } = await createCoordinator('Bank', [hidden.slug], { visibility: 'public' })
    await run(id, ben)
    const toolDescriptions = app.fakes.openai.requests
      .slice(-3)
      .map(({ body }) => JSON.stringify((body as { tools?: unknown }).tools))
    expect(toolDescriptions.join('')).toContain('Asks the agent Vault and returns its answer.')
    expect(toolDescriptions.join('')).not.toContain('canary')
  })

  it('never reaches a stranger’s private agent listed in its bundle', async () => {
    const { app, ada, ben, createAgent, createCoordinator, putBundle, run } = world()
    const foreign = await createAgent('Diary', { purpose: secret }, ben)
    const ownAgent = await createAgent('Mine')
    const refused = await ada.call(agents.create, {
      body: { name: 'Nosy', purpose: 'p', agent_class: 'Coordinator', config: { bundle: [foreign.slug] } },
    })
    expect(refused.status).toBe(400)
    const { id } = await createCoordinator('Nosy too', [ownAgent.slug])
    await putBundle(id, [foreign.slug])
    const previousCount = app.fakes.openai.requests.length
    const { answer, detail } = await run(id)
    expect(detail.tools).toMatchObject([{ state: 'failed', result: 'The agent "diary" is no longer available here.' }])
    expect(answer.status).toBe(200)
    expect(JSON.stringify(app.fakes.openai.requests.slice(previousCount))).not.toContain('canary buttermilk')
    expect(detail.spans.filter(({ name }) => name === 'Diary')).toEqual([])
  })

  it('never reaches agents that its owner can’t run, nor private ones if built-in', async () => {
    const { app, ada, ben, createAgent, createCoordinator, putBundle, run } = world()
    const visibleAgent = await createAgent('Ledger', { purpose: secret, visibility: 'shared' }, ben)
    const params = { agentId: visibleAgent.id, personId: ada.id }
    expect((await ben.call(sharing.grant, { params, body: { rights: ['share'] } })).status).toBe(200)
    const open = await createAgent('Bulletin', { visibility: 'public' }, ben)
    const { id } = await createCoordinator('Curious', [open.slug])
    const fetchToolStates = async () => {
      await putBundle(id, [visibleAgent.slug, open.slug])
      return (await run(id)).detail.tools.map(({ name, state }) => [name, state])
    }
    expect(await fetchToolStates()).toEqual([
      ['ask_ledger', 'failed'],
      ['ask_bulletin', 'done'],
    ])
    await app.services.db.updateTable('agents').set({ owner_id: null }).where('id', '=', id).execute()
    expect(await fetchToolStates()).toEqual([
      ['ask_ledger', 'failed'],
      ['ask_bulletin', 'done'],
    ])
  })

  it('names only visible agents in a cycle through private ones', async () => {
    const { ada, ben, createAgent, createCoordinator } = world()
    const start = await createAgent('Start', { visibility: 'public' })
    const hidden = await createCoordinator('Canary within', [start.slug], {}, ben)
    const open = await createCoordinator('Open door', [hidden.slug], { visibility: 'public' }, ben)
    const back = await ada.call(agents.update, {
      body: { id: start.id, agent_class: 'Coordinator', config: { bundle: [open.slug] } },
    })
    expect(back).toMatchObject({
      status: 400,
      body: { error: 'A Coordinator can’t end up calling itself: start → open-door → another agent → start.' },
    })
    expect(back.text).not.toContain('canary')
    const deepAgent = await createCoordinator('Deep', [open.slug], {}, ben)
    const getBundleError = async (actor: Actor, bundle: string) =>
      (
        await actor.call(agents.create, {
          body: { name: 'Summit', purpose: 'p', agent_class: 'Coordinator', config: { bundle: [bundle] } },
        })
      ).body.error
    expect(await getBundleError(ben, deepAgent.slug)).toContain(
      'summit → deep → open-door → canary-within → start is deeper',
    )
    await ben.call(agents.update, { body: { id: deepAgent.id, visibility: 'public' } })
    expect(await getBundleError(ada, deepAgent.slug)).toContain(
      'summit → deep → open-door → another agent → start is deeper',
    )
  })

  it('run_agent calls only agents the person can run', async () => {
    const { ada, ben, createAgent, run, replyWith } = world()
    await createAgent('Helper')
    await createAgent('Secretive', { purpose: secret }, ben)
    const sharedAgent = await createAgent('Shown', { purpose: secret, visibility: 'shared' }, ben)
    const params = { agentId: sharedAgent.id, personId: ada.id }
    expect((await ben.call(sharing.grant, { params, body: { rights: ['edit'] } })).status).toBe(200)
    const { id } = await createAgent('Caller', { tools: ['run_agent'] })
    for (const [slug, expectedText] of [
      ['shown', 'There is no agent "shown" that this person can run.'],
      ['helper', 'I am: Helper helps.'],
      ['secretive', 'There is no agent "secretive" that this person can run.'],
      ['caller', 'is already working on this'],
      ['nobody', 'There is no agent "nobody"'],
    ] as const) {
      replyWith({
        'Caller helps.': (request) => {
          const { results } = parseConversation(request)
          const calls = [{ name: 'run_agent', arguments: { agent: slug, input: 'hi' } }]
          return results.length > 0 ? { text: results.join('') } : { calls }
        },
      })
      const { detail } = await run(id)
      expect(detail.tools[0]?.result).toContain(expectedText)
    }
  })
})
