import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { PlatformRole } from '#contract/accounts/accounts.ts'
import type { Engine } from '#server/db/database.ts'
import type { CastName } from './cast.ts'
import { startListeningApp } from './listening-app.ts'
import { type Actor, createTestApp, type TestApp, type TestAppOptions } from './test-app.ts'

interface SuiteOptions<Name extends CastName> {
  perTest?: boolean
  roles?: Partial<Record<Name, PlatformRole[]>>
}

/**
 * Creates an app and registers people, in this order, before all tests of a suite (`perTest`: before each of them), and
 * closes it afterwards. The returned objects are filled in by then.
 */
export function useApp<App extends TestApp, Name extends CastName = never>(
  createApp: () => Promise<App>,
  names: readonly Name[] = [],
  { perTest = false, roles }: SuiteOptions<Name> = {},
): { app: App } & Record<Name, Actor> {
  const app = {} as App
  const actors = Object.fromEntries(names.map((name) => [name, {}])) as Record<Name, Actor>
  const start = async () => {
    Object.assign(app, await createApp())
    for (const name of names) Object.assign(actors[name], await app.as(name, roles?.[name]))
  }
  const stop = () => app.close()
  if (perTest) {
    beforeEach(start)
    afterEach(stop)
  } else {
    beforeAll(start)
    afterAll(stop)
  }
  return { app, ...actors }
}

/** The app without fakes of providers; see {@link useApp}. */
export function useTestApp<Name extends CastName = never>(
  engine: Engine,
  names: readonly Name[] = [],
  { perTest, roles, ...options }: TestAppOptions & SuiteOptions<Name> = {},
): { app: TestApp } & Record<Name, Actor> {
  return useApp(() => createTestApp(engine, options), names, { perTest, roles })
}

/** {@link startListeningApp} for all tests of a suite; filled in by then. */
export function useListeningApp(engine: Engine): { app: TestApp; port: number } {
  const listening = {} as Awaited<ReturnType<typeof startListeningApp>>
  beforeAll(async () => {
    Object.assign(listening, await startListeningApp(engine))
  })
  afterAll(() => listening.close())
  return listening
}
