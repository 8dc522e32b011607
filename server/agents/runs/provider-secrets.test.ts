import { beforeAll, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { runs } from '#contract/agents/runs.ts'
import { keys } from '#contract/keys/keys.ts'
import { resetBreakers } from '#server/models/breaker.ts'
import { dumpDatabase } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { fakeProviders } from '#tests/fake-providers.ts'
import { canaryKeys, canaryPlatformKeys, createProviderApp } from '#tests/provider-app.ts'
import { useApp } from '#tests/use-test-app.ts'

const faults = [
  'echo-key',
  'status-401',
  'status-429',
  'status-429-quota',
  'ok-error-json',
  'error-first-key',
  'error-first-quota',
]

// Secrets are masked before they reach the database, so one engine suffices.
describe.each(engines.slice(0, 1))('provider secrets, on %s', (engine) => {
  const outputs: string[] = []
  const { app, ada } = useApp(() => createProviderApp(engine), ['ada'])
  beforeAll(async () => {
    const cleo = await app.as('cleo', ['super-admin'])
    for (const provider of fakeProviders) {
      outputs.push((await ada.call(keys.savePersonal, { body: { provider, apiKey: canaryKeys[provider] } })).text)
      outputs.push(
        (await cleo.call(keys.savePlatform, { body: { provider, api_key: canaryPlatformKeys[provider] } })).text,
      )
      const retry = { max_retries: 0, retry_delay_ms: 100 }
      const body = {
        name: `Echo ${provider}`,
        purpose: 'p',
        model_provider: provider,
        visibility: 'public',
        agent_class: 'Lead',
        model_settings: { retry },
        config: { voice_id: '21m00Tcm4TlvDq8ikWAM' },
      } as const
      await ada.call(agents.create, { body })
    }
  })

  it.each(faults)('fault %s: echoed keys and account names never leak', async (fault) => {
    for (const provider of fakeProviders) {
      for (const actor of [ada, await app.as('ben'), app.visitor()]) {
        resetBreakers()
        const body = { agentId: `echo-${provider}`, input: `hello [[fault:${fault}]]` }
        const plain = await actor.call(agents.run, { body })
        const streamed = await actor.stream(agents.run, { body })
        outputs.push(plain.text, JSON.stringify(streamed))
        if (actor.token) outputs.push((await actor.call(runs.show, { params: { runId: plain.data.run_id } })).text)
      }
      app.passTime(60_000)
    }
    outputs.push(
      (await ada.call(agents.logs, { query: { pageSize: 100 } })).text,
      await dumpDatabase(app.services.db),
      app.logLines.join('\n'),
    )
    const canaries = [...Object.values(canaryKeys), ...Object.values(canaryPlatformKeys)]
    for (const text of outputs.splice(0)) {
      for (const canary of canaries) {
        expect(text).not.toContain(canary)
        expect(text).not.toContain(canary.slice(-20))
      }
      expect(text).not.toMatch(/org-FaKe|canary0(personal|platform)/)
    }
    expect(app.providerRequestCount()).toBeGreaterThan(0)
  })

  it('redirects aren’t followed, so no key reaches another host', async () => {
    for (const provider of fakeProviders)
      for (const status of [301, 302, 303, 307, 308]) {
        resetBreakers()
        const body = { agentId: `echo-${provider}`, input: `hello [[fault:redirect-${status}]]` }
        expect((await ada.call(agents.run, { body })).status).toBe(502)
      }
    for (const fake of Object.values(app.fakes))
      expect(fake.requests.filter(({ path }) => path.includes('elsewhere'))).toEqual([])
  })
})
