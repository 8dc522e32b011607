import { createServer } from 'node:net'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { runModelToEnd } from '#tests/fakes/model-providers/run-model-to-end.ts'
import { startProviderFake } from '#tests/fakes/model-providers/start-provider-fake.ts'
import { resetBreakers } from './breaker.ts'

beforeEach(resetBreakers)

describe('a provider that cannot be reached', () => {
  const expectUnreachable = async (baseUrl: string, attempts: number) => {
    const result = await runModelToEnd({ provider: 'openai', baseUrl })
    expect(result).toMatchObject({ outcome: 'provider-unreachable', attempts })
    return result
  }

  it('refuses the connection: retried', async () => {
    const fake = await startProviderFake({ provider: 'openai' })
    await fake.close()
    await expectUnreachable(fake.baseUrl, 3)
  })

  it('has no address: retried', () => expectUnreachable('http://no-such-host.invalid/v1', 3))

  it('has an untrusted certificate: not retried', async () => {
    const fake = await startProviderFake({ provider: 'openai', untrustedTls: true })
    onTestFinished(() => fake.close())
    const { failure } = await expectUnreachable(fake.baseUrl, 1)
    expect(failure?.message).toContain('certificate')
    expect(fake.requests).toEqual([])
  })

  it('accepts the connection without TLS: fails at the connect limit, retried', async () => {
    const silentServer = createServer().listen(0, '127.0.0.1')
    const sockets: { destroy(): void }[] = []
    silentServer.on('connection', (socket) => sockets.push(socket))
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy()
      silentServer.close()
    })
    await new Promise((resolve) => silentServer.once('listening', resolve))
    const { port } = silentServer.address() as { port: number }
    const limits = { connectMs: 80, firstByteMs: 5000 }
    const result = await runModelToEnd({ provider: 'openai', baseUrl: `https://127.0.0.1:${port}/v1`, limits })
    expect(result).toMatchObject({ outcome: 'provider-unreachable', attempts: 3 })
  })

  it('has an invalid base URL: not retried', async () => {
    await expectUnreachable('http://127.0.0.1:1/v1', 1)
    resetBreakers()
    await expectUnreachable('gopher://somewhere/v1', 1)
  })
})
