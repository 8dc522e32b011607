import { beforeEach, describe, expect, it } from 'vitest'
import { keeperTypes } from '#contract/keepers/keeper-types.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { exportKeeper, importArchive } from '#tests/archives.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'

describe.each(engines)('the type of an imported keeper, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])
  beforeEach(async () => {
    await app.services.db.deleteFrom('import_jobs').execute()
  })

  const getType = async (actor: Actor, id: string | null) =>
    (await actor.call(keepers.show, { params: { id: id ?? '' } })).data.keeperTypeId

  it('is the owner’s own type, or is noted when it is missing', async () => {
    const type = (await ada.call(keeperTypes.create, { body: { name: 'Harbour log' } })).data
    const { id } = await createTestKeeper(ada, { keeperType: type.slug })
    expect(await getType(ada, id)).toBe(type.id)
    const bytes = await exportKeeper(ada, id)
    const here = await importArchive(ada, bytes)
    expect(await getType(ada, here.keeperId)).toBe(type.id)
    expect(here.preview?.notes).toEqual([])

    const there = await importArchive(ben, bytes)
    expect(await getType(ben, there.keeperId)).toBeNull()
    expect(there.preview?.notes).toEqual([
      `The Harbour Year: there is no keeper type called “${type.slug}” here. The name is kept, without a type.`,
    ])
  })

  it('is this server’s system type, without a note', async () => {
    const { id } = await createTestKeeper(ada)
    const job = await importArchive(ben, await exportKeeper(ada, id))
    expect(await getType(ben, job.keeperId)).toBe('system-journal')
    expect(job.preview?.notes).toEqual([])
  })
})
