import { beforeAll, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { DatabaseUnavailable } from '#server/db/database-errors.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { createProviderApp, saveKeys } from '#tests/provider-app.ts'
import { useApp } from '#tests/use-test-app.ts'

describe.each(engines)('progress that could not be written on %s', (engine) => {
  let agentId: string
  const { app, ada } = useApp(
    () =>
      createProviderApp(engine, {
        answer: () => ({
          text: 'Shall I?',
          calls: [{ name: 'write_reflection', arguments: { content: 'I said it.' } }],
        }),
      }),
    ['ada'],
  )
  beforeAll(async () => {
    await saveKeys(ada, 'openai')
    agentId = (await createTestAgent(ada, { name: 'Clerk', tools: ['write_reflection'] })).id
  })

  it('is written with the next sync, including pending tools', async () => {
    const driver = app.services.db.engineDriver
    const { batch } = driver
    let isUnavailable = true
    let failedSyncCount = 0
    driver.batch = (statements) => {
      const isSync = statements.some(({ sql }) => /^update "runs" set "lease_until"/.test(sql))
      if (!isUnavailable || !isSync) return batch.call(driver, statements)
      failedSyncCount += 1
      return Promise.reject(new DatabaseUnavailable('injected: unavailable'))
    }
    const response = ada.stream(agents.run, { body: { agentId, input: 'Write it down.' } })
    await eventually(() => expect(app.services.runs.list()[0]?.permissionRequests.size).toBe(1))
    const run = app.services.runs.list()[0]
    const previousFailedSyncCount = failedSyncCount
    await eventually(() => expect(failedSyncCount).toBeGreaterThan(previousFailedSyncCount))
    const fetchRun = () =>
      app.services.db
        .selectFrom('runs')
        .select(['response', 'tools'])
        .where('id', '=', run?.id ?? '')
        .executeTakeFirstOrThrow()
    expect(await fetchRun()).toEqual({ response: '', tools: null })
    isUnavailable = false
    // Other processes know the run only by its row.
    await eventually(async () =>
      expect(await fetchRun()).toMatchObject({
        response: 'Shall I?',
        tools: [{ name: 'write_reflection', state: 'asks' }],
      }),
    )
    run?.abortController.abort('stopped')
    await response
  })
})
