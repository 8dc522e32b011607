import { expect, it, vi } from 'vitest'
import { engines } from '#tests/engines.ts'
import { raceSuperAdmins } from '#tests/race-super-admins.ts'
import { createTestApp } from '#tests/test-app.ts'

vi.mock('./roles.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  lockSuperAdmins: () => [],
}))

it.runIf(engines.includes('postgres'))(
  'without the lock, PostgreSQL lets two super-admins remove each other',
  async () => {
    const app = await createTestApp('postgres')
    const pair: Parameters<typeof raceSuperAdmins>[1] = [await app.as('ada'), await app.as('cleo')]
    const { hasNoSuperAdmin } = await raceSuperAdmins(app, pair, 500)
    expect(hasNoSuperAdmin).toBe(true)
    await app.close()
  },
  120_000,
)
