import { type Keeper, keepers } from '#contract/keepers/keepers.ts'
import { type CallInput, call } from '#web/api/api.ts'

type NewKeeper = CallInput<typeof keepers.create>['body']

/** If an earlier attempt created the keeper but its answer was lost, the current form values are applied to it. */
export async function createKeeper(body: NewKeeper): Promise<Keeper> {
  const created = await call(keepers.create, { body })
  const { title, purpose, theme = 'keeper-classic', isPublic = false } = body
  const { memoryPattern = created.memoryPattern, keeperType = created.keeperType } = body
  const requested = { title: title.trim(), purpose: purpose.trim(), keeperType, memoryPattern, theme, isPublic }
  const matchesRequest = (Object.keys(requested) as (keyof typeof requested)[]).every(
    (name) => requested[name] === created[name],
  )
  return matchesRequest ? created : call(keepers.update, { params: { id: created.id }, body: requested })
}
