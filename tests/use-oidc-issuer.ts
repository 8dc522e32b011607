import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Engine } from '#server/db/database.ts'
import { getIssuerSettings, type OidcIssuerFake, startOidcIssuer } from './fakes/oidc-issuer.ts'
import { createTestApp, type TestApp } from './test-app.ts'

/** An app whose identity provider is a fake. Each test starts an hour later, when nothing is throttled. */
export function useOidcIssuer(engine: Engine, assign: (world: { app: TestApp; fake: OidcIssuerFake }) => void): void {
  let fake: OidcIssuerFake
  let app: TestApp
  beforeAll(async () => {
    fake = await startOidcIssuer()
    app = await createTestApp(engine, { environment: getIssuerSettings(fake) })
    assign({ app, fake })
  })
  afterAll(async () => {
    await app.close()
    await fake.close()
  })
  beforeEach(() => {
    app.passTime(60 * 60 * 1000)
  })
}
