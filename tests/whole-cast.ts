import type { Engine } from '#server/db/database.ts'
import { testApp } from './test-app.ts'

export type WholeCast = Awaited<ReturnType<typeof wholeCast>>

export async function wholeCast(engine: Engine) {
  const app = await testApp(engine)
  const [ada, ben, cleo, dot] = [await app.as('ada'), await app.as('ben'), await app.as('cleo'), await app.as('dot')]
  return { app, ada, ben, cleo, dot }
}
