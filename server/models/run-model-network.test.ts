import { createServer } from 'node:net'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { askModel } from '#tests/fakes/model-providers/ask-model.ts'
import { startProviderFake } from '#tests/fakes/model-providers/start-provider-fake.ts'
import { resetBreakers } from './breaker.ts'

beforeEach(resetBreakers)

describe('a provider that cannot be reached', () => {
  const unreachable = async (baseUrl: string, attempts: number) => {
    const asked = await askModel({ provider: 'openai', baseUrl })
    expect(asked).toMatchObject({ ending: 'provider-unreachable', attempts })
    return asked
  }

  it('refuses the connection: retried', async () => {
    const fake = await startProviderFake({ provider: 'openai' })
    await fake.close()
    await unreachable(fake.baseUrl, 3)
  })

  it('has no address: retried', () => unreachable('http://no-such-host.invalid/v1', 3))

  it('has an untrusted certificate: not retried', async () => {
    const fake = await startProviderFake({ provider: 'openai', untrustedTls: true })
    onTestFinished(() => fake.close())
    const { failure } = await unreachable(fake.baseUrl, 1)
    expect(failure?.message).toContain('certificate')
    expect(fake.requests).toEqual([])
  })

  it('accepts the connection without TLS: fails at the connect limit, retried', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    const sockets: { destroy(): void }[] = []
    silent.on('connection', (socket) => sockets.push(socket))
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy()
      silent.close()
    })
    await new Promise((resolve) => silent.once('listening', resolve))
    const { port } = silent.address() as { port: number }
    const limits = { connectMs: 80, firstByteMs: 5000 }
    const asked = await askModel({ provider: 'openai', baseUrl: `https://127.0.0.1:${port}/v1`, limits })
    expect(asked).toMatchObject({ ending: 'provider-unreachable', attempts: 3 })
  })

  it('has an invalid base URL: not retried', async () => {
    await unreachable('http://127.0.0.1:1/v1', 1)
    resetBreakers()
    await unreachable('gopher://somewhere/v1', 1)
  })
})
