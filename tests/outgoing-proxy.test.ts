import { writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { visitorCalls } from '#contract/accounts/visitor-calls.ts'
import { agents } from '#contract/agents/agents.ts'
import type { Provider } from '#contract/agents/model-settings.ts'
import { type ModelList, models } from '#contract/agents/models.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { cast } from './cast.ts'
import { createSelfSignedCertificate } from './fakes/model-providers/self-signed-certificate.ts'
import { type ProviderFake, startProviderFake } from './fakes/model-providers/start-provider-fake.ts'
import { type OutgoingProxyFake, startOutgoingProxy } from './fakes/outgoing-proxy.ts'
import { createTempFolder, type SpawnedKeeper, startKeeperProcess } from './keeper-process.ts'
import { toRequest } from './test-app.ts'

const certificate = createSelfSignedCertificate('secure.beyond.test')
const secure = createServer(certificate, (_, response) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end('[{"id":"beyond-the-proxy","type":"chat"}]'),
)
let provider: ProviderFake
let proxy: OutgoingProxyFake
let proxiedHosts: Record<string, string>

beforeAll(async () => {
  provider = await startProviderFake({ provider: 'openai', keyless: true })
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve))
  proxiedHosts = {
    'models.beyond.test:80': new URL(provider.url).host,
    'secure.beyond.test:443': `127.0.0.1:${(secure.address() as AddressInfo).port}`,
  }
  proxy = await startOutgoingProxy(proxiedHosts, { password: 'harbour' })
})
afterAll(async () => {
  proxy.close()
  secure.close()
  await provider.close()
})

/** Providers behind the proxy, except Anthropic on this machine and ElevenLabs excluded by NO_PROXY. */
const createProviderSettings = () => ({
  OPENAI_BASE_URL: 'http://models.beyond.test/v1',
  TOGETHER_BASE_URL: 'https://secure.beyond.test/v1',
  ANTHROPIC_BASE_URL: provider.baseUrl,
  ELEVENLABS_BASE_URL: 'http://speech.direct.test/v1',
})

async function signUp(keeper: SpawnedKeeper) {
  const address = await keeper.address
  let token = ''
  const call = async (endpoint: Endpoint, options: Parameters<typeof toRequest>[1]) => {
    const { path, init } = toRequest(endpoint, options)
    const headers = { ...init.headers, authorization: `Bearer ${token}` }
    return (await (await fetch(`${address}${path}`, { ...init, headers })).json()) as { data: never }
  }
  const { email, password } = cast.ada
  token = ((await call(visitorCalls.register, { body: { email, password } })).data as { token: string }).token
  const listModels = async (name: Provider): Promise<ModelList> =>
    (await call(models.list, { query: { provider: name } })).data
  return { call, listModels }
}

describe('a server behind a proxy', () => {
  it('uses the proxy except for local hosts and those in NO_PROXY', async () => {
    const directory = createTempFolder()
    const file = join(directory, 'authority.pem')
    writeFileSync(file, certificate.cert)
    // Covers `.env`, lower case and upper case.
    const lines = [
      `HTTP_PROXY=${proxy.url}`,
      `https_proxy=${proxy.url.replace('http://', '')}`,
      `SSL_CERT_FILE=${file}`,
    ]
    writeFileSync(join(directory, '.env'), lines.join('\n'))
    const keeper = startKeeperProcess(directory, { ...createProviderSettings(), NO_PROXY: '10.0.0.0/8, .direct.test' })
    const { call, listModels } = await signUp(keeper)

    const run = await call(agents.run, { body: { agentId: 'kip', input: 'Is anybody there?' } })
    expect(run.data).toMatchObject({ mock_mode: false, response: expect.stringContaining('Is anybody there?') })
    expect(await listModels('together')).toMatchObject({ models: ['beyond-the-proxy'], problem: null })
    expect(await listModels('anthropic'), 'on this machine').toMatchObject({ problem: null })
    expect((await listModels('elevenlabs')).problem, 'named by NO_PROXY').toContain('could not be reached')
    expect(new Set(await proxy.requests())).toEqual(
      new Set(['CONNECT models.beyond.test:80', 'CONNECT secure.beyond.test:443']),
    )

    keeper.child.kill('SIGTERM')
    const { stdout } = await keeper.exited
    expect(stdout).toContain(`go through ${new URL(proxy.url).host}`)
    expect(stdout).not.toContain('harbour')
  })

  it('connects directly when NO_PROXY is *', async () => {
    const previousRequests = await proxy.requests()
    const environment = { ...createProviderSettings(), ALL_PROXY: proxy.url, NO_PROXY: '*' }
    const { listModels } = await signUp(startKeeperProcess(createTempFolder(), environment))
    for (const name of ['openai', 'together'] as const)
      expect((await listModels(name)).problem, name).toContain('could not be reached')
    expect(await proxy.requests()).toEqual(previousRequests)
  })
})
