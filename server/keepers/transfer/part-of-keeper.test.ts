import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { keeperTypes } from '#contract/keepers/keeper-types.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { imported, takenOut } from '#tests/archives.ts'
import { engines } from '#tests/engines.ts'
import { keeperOf } from '#tests/keeper-of.ts'
import { type Actor, type TestApp, testApp } from '#tests/test-app.ts'

describe.each(engines)('the type of an imported keeper, on %s', (engine) => {
  let app: TestApp
  let ada: Actor
  let ben: Actor
  beforeAll(async () => {
    app = await testApp(engine)
    ada = await app.as('ada')
    ben = await app.as('ben')
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    await app.services.db.deleteFrom('import_jobs').execute()
  })

  const typeOf = async (who: Actor, id: string | null) =>
    (await who.call(keepers.show, { params: { id: id ?? '' } })).data.keeperTypeId

  it('is the owner’s own type, or is noted when it is missing', async () => {
    const type = (await ada.call(keeperTypes.create, { body: { name: 'Harbour log' } })).data
    const { id } = await keeperOf(ada, { keeperType: type.slug })
    expect(await typeOf(ada, id)).toBe(type.id)
    const bytes = await takenOut(ada, id)
    const here = await imported(ada, bytes)
    expect(await typeOf(ada, here.keeperId)).toBe(type.id)
    expect(here.preview?.notes).toEqual([])

    const there = await imported(ben, bytes)
    expect(await typeOf(ben, there.keeperId)).toBeNull()
    expect(there.preview?.notes).toEqual([
      `The Harbour Year: there is no keeper type called “${type.slug}” here. The name is kept, without a type.`,
    ])
  })

  it('is this server’s system type, without a note', async () => {
    const { id } = await keeperOf(ada)
    const job = await imported(ben, await takenOut(ada, id))
    expect(await typeOf(ben, job.keeperId)).toBe('system-journal')
    expect(job.preview?.notes).toEqual([])
  })
})
