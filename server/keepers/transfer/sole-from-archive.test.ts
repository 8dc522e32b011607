import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { sole } from '#contract/keepers/sole.ts'
import { imported, takenOut } from '#tests/archives.ts'
import { engines } from '#tests/engines.ts'
import { keeperOf } from '#tests/keeper-of.ts'
import { type Actor, type TestApp, testApp } from '#tests/test-app.ts'
import { unzipped } from '#tests/unzipped.ts'
import { approvedSole } from '../sole/approved-sole.ts'

describe.each(engines)('a SOLE that comes out of an archive, on %s', (engine) => {
  let app: TestApp
  let ada: Actor
  let ben: Actor
  let keeper: Keeper
  beforeAll(async () => {
    app = await testApp(engine)
    ada = await app.as('ada')
    ben = await app.as('ben')
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    keeper = await keeperOf(ada)
    await app.services.db.deleteFrom('import_jobs').execute()
  })

  const tell = (who: Actor, id: string, content: string) =>
    who.call(sole.submitDraft, { params: { id }, body: { content } })
  const approve = (who: Actor, id: string, body: object = {}) => who.call(sole.approve, { params: { id }, body })
  const versions = async (who: Actor, id: string) => (await who.call(sole.versions, { params: { id } })).data
  const standing = async (id: string) => (await approvedSole(app.services, id))?.statements.map(({ text }) => text)
  const broughtIn = async (bytes: Buffer) => (await imported(ben, bytes)).keeperId ?? ''
  const hashIn = async (bytes: Buffer) =>
    JSON.parse(String((await unzipped(bytes)).get('keeper.json'))).keepers[0].contentHash as string

  it('Ben approves a story that was approved twice elsewhere, goes on with it, and it was not active before', async () => {
    await tell(ada, keeper.id, 'I live in Bergen.')
    await approve(ada, keeper.id)
    await tell(ada, keeper.id, 'I live in Bergen. I sing in the choir.')
    await approve(ada, keeper.id)
    const bytes = await takenOut(ada, keeper.id)
    const id = await broughtIn(bytes)
    expect(await standing(id)).toBeUndefined()
    expect(await hashIn(await takenOut(ben, id))).toBe(await hashIn(bytes))

    expect((await approve(ben, id)).status).toBe(200)
    expect(await standing(id)).toEqual(['I live in Bergen.', 'I sing in the choir.'])
    await tell(ben, id, 'I live in Bergen.')
    expect((await approve(ben, id)).status).toBe(200)
    expect(await standing(id)).toEqual(['I live in Bergen.'])
  })

  it('Ben approves one statement of a story that was changed elsewhere: nothing else stands', async () => {
    await tell(ada, keeper.id, 'I live in Bergen. I sing in the choir.')
    await approve(ada, keeper.id)
    await tell(ada, keeper.id, 'I live in Oslo. I sing in the choir.')
    await approve(ada, keeper.id)
    const id = await broughtIn(await takenOut(ada, keeper.id))
    const draft = (await versions(ben, id)).find(({ status }) => status === 'draft')
    const choir = draft?.statements.find(({ text }) => text.includes('choir'))?.id
    expect((await approve(ben, id, { statementIds: [choir] })).status).toBe(200)
    expect(await standing(id)).toEqual(['I sing in the choir.'])
  })
})
