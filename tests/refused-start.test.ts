import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createTempFolder, startKeeperProcess } from './keeper-process.ts'

describe('startup prints one clear line and exits with 1 for', () => {
  async function expectRefusedStart(directory: string, environment: Record<string, string>): Promise<string> {
    const { code, stdout, stderr } = await startKeeperProcess(directory, environment).exited
    expect(code).toBe(1)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(stderr).toMatch(/^Keeper cannot start: .+\.\n$/)
    expect(stderr).not.toMatch(/\n\s+at |Error:/)
    expect(stdout).not.toContain('Keeper is at')
    return stderr
  }

  it('a port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as { port: number }
    expect(await expectRefusedStart(createTempFolder(), { PORT: String(port) })).toContain(`port ${port} is in use`)
    other.close()
  })

  // No one can create a folder under a file, not even root.
  it('a data folder that is not writable', async () => {
    const directory = createTempFolder()
    writeFileSync(join(directory, 'file'), '')
    expect(await expectRefusedStart(directory, { KEEPER_DATA_DIR: join(directory, 'file', 'data') })).toContain(
      'can’t write to the data folder',
    )
  })

  it('an invalid line in .env, unless the environment overrides it', async () => {
    const directory = createTempFolder()
    writeFileSync(join(directory, '.env'), 'KEEPER_REGISTRATION=maybe\n')
    expect(await expectRefusedStart(directory, {})).toContain('KEEPER_REGISTRATION')
    const keeper = startKeeperProcess(directory, { KEEPER_REGISTRATION: 'open' })
    await keeper.address
    keeper.child.kill('SIGTERM')
    expect((await keeper.exited).code).toBe(0)
  })

  it('a data folder in use, without disturbing the running Keeper', async () => {
    const directory = createTempFolder()
    const first = startKeeperProcess(directory)
    const address = await first.address
    expect(await expectRefusedStart(directory, {})).toContain('is in use by another Keeper')
    expect((await fetch(`${address}/ping`)).status).toBe(200)
    first.child.kill('SIGINT')
    expect((await first.exited).code).toBe(0)
  })
})
