import type { CompiledQuery } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { agents } from '#contract/agents/agents.ts'
import { type DomainSetup, domainSetups } from '#contract/domains/domain-setup.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { keys } from '#contract/keys/keys.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { expectInvalid } from '#tests/expect-invalid.ts'
import { insertMember } from '#tests/insert-domain.ts'
import { canaryKeys } from '#tests/provider-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'

describe.each(engines)('setting up a domain, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])
  let id: string
  beforeAll(async () => {
    const home = await app.services.db.selectFrom('domains').select('id').where('owner_id', '=', ada.id).execute()
    id = home[0]?.id ?? ''
  })

  const showSetup = async (actor = ada) => (await actor.call(domainSetups.show, { params: { id } })).data
  const chooseSetup = (body: object, actor = ada) => actor.call(domainSetups.choose, { params: { id }, body })
  const listDoneSteps = ({ steps }: DomainSetup) =>
    Object.entries(steps)
      .filter(([, { done }]) => done)
      .map(([step]) => step)

  it('a new domain starts at the first step, whatever others have', async () => {
    await createTestKeeper(ben)
    await ben.call(agents.create, { body: { name: 'Runner of Ben', purpose: 'p' } })
    await ben.call(accounts.updateSettings, { body: { preferred_theme_id: 'keeper-classic' } })
    await ben.call(keys.savePersonal, { body: { provider: 'anthropic', apiKey: canaryKeys.anthropic } })
    expect(await showSetup()).toEqual({
      domainInfo: false,
      setupSteps: false,
      members: false,
      customDomain: false,
      percent: 0,
      next: 0,
      steps: {
        keeper: { done: false, skipped: false },
        agent: { done: false, skipped: false },
        theme: { done: false, skipped: false },
        key: { done: false, skipped: false },
      },
      justMe: false,
      noCustomDomain: false,
    })
  })

  it("name, slug and description complete the first step; blanks don't", async () => {
    const describeAs = (description: string | null) =>
      app.services.db.updateTable('domains').set({ description }).where('id', '=', id).execute()
    await describeAs('  ')
    expect((await showSetup()).domainInfo).toBe(false)
    await describeAs('The choir and its harbour.')
    expect(await showSetup()).toMatchObject({ domainInfo: true, percent: 25, next: 1 })
  })

  it('each first entity counts as soon as it exists', async () => {
    const keeperBody = { title: 'The Harbour Year', purpose: 'p', keeperType: 'journal', memoryPattern: 'sole' }
    const keeper = await ada.call(keepers.create, { body: keeperBody })
    expect(listDoneSteps(await showSetup())).toEqual(['keeper'])
    await ada.call(agents.create, { body: { name: 'Runner', purpose: 'p' } })
    await ada.call(accounts.updateSettings, { body: { preferred_theme_id: 'keeper-classic' } })
    expect(listDoneSteps(await showSetup())).toEqual(['keeper', 'agent', 'theme'])
    expect((await showSetup()).setupSteps).toBe(false)
    expect((await chooseSetup({ skipped: ['key'] })).data).toMatchObject({ setupSteps: true, percent: 50, next: 2 })
    await chooseSetup({ skipped: [] })
    await ada.call(keys.savePersonal, { body: { provider: 'openai', apiKey: canaryKeys.openai } })
    expect(await showSetup()).toMatchObject({ setupSteps: true, next: 2 })
    await ada.call(keepers.remove, { params: { id: keeper.data.id } })
    expect(await showSetup()).toMatchObject({ setupSteps: false, next: 1 })
    await ada.call(keepers.create, { body: keeperBody })
  })

  it('"just me" and "not now" complete the last two steps', async () => {
    expect((await chooseSetup({ justMe: true })).data).toMatchObject({ members: true, percent: 75, next: 3 })
    expect((await chooseSetup({ noCustomDomain: true })).data).toMatchObject({
      customDomain: true,
      percent: 100,
      next: null,
    })
    expect((await chooseSetup({})).data).toMatchObject({ justMe: true, noCustomDomain: true, percent: 100 })
    expect((await chooseSetup({ justMe: false })).data).toMatchObject({ members: false, next: 2 })
  })

  it("a concurrent choice isn't overwritten", async () => {
    await chooseSetup({ justMe: false, noCustomDomain: false, skipped: [] })
    const driver = app.services.db.engineDriver
    const { acquireConnection } = driver
    driver.acquireConnection = async () => {
      const connection = await acquireConnection.call(driver)
      const execute = connection.executeQuery.bind(connection)
      connection.executeQuery = async <Row>(query: CompiledQuery) => {
        if (query.sql.startsWith('update "domains"')) {
          driver.acquireConnection = acquireConnection
          await chooseSetup({ noCustomDomain: true, skipped: ['theme'] })
        }
        return execute<Row>(query)
      }
      return connection
    }
    const chosen = { justMe: true, noCustomDomain: true, steps: { theme: { skipped: true } } }
    expect((await chooseSetup({ justMe: true })).data).toMatchObject(chosen)
    expect(await showSetup()).toMatchObject(chosen)
    await chooseSetup({ skipped: [] })
  })

  it("a member completes the third step; admins choose, friends can't", async () => {
    const stranger = await ben.call(domainSetups.show, { params: { id } })
    const unknown = await ben.call(domainSetups.show, { params: { id: 'nowhere' } })
    expect(stranger.status).toBe(404)
    expect(unknown.status).toBe(404)
    expect(stranger.body.error).toBe(unknown.body.error)
    await insertMember(app.services, id, ben, 'friend')
    expect((await ben.call(domainSetups.show, { params: { id } })).status).toBe(403)
    expect((await chooseSetup({ noCustomDomain: false }, ben)).status).toBe(403)
    expect(await showSetup()).toMatchObject({ members: true, noCustomDomain: true })
    await app.services.db.updateTable('domain_members').set({ role: 'admin' }).where('person_id', '=', ben.id).execute()
    expect(await showSetup(ben)).toEqual(await showSetup())
  })

  it('an unknown step is refused, naming the field', async () => {
    const refused = await chooseSetup({ skipped: ['homework'] })
    expectInvalid(refused, 'skipped.0')
  })
})
