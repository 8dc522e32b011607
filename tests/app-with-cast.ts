import type { Engine } from '#server/db/database.ts'
import { createTestApp } from './test-app.ts'

export type AppWithCast = Awaited<ReturnType<typeof createAppWithCast>>

export async function createAppWithCast(engine: Engine) {
  const app = await createTestApp(engine)
  const [ada, ben, cleo, dot] = [await app.as('ada'), await app.as('ben'), await app.as('cleo'), await app.as('dot')]
  return { app, ada, ben, cleo, dot }
}
