import { type Keeper, keepers } from '#contract/keepers/keepers.ts'
import { type CallInput, call } from '#web/api.ts'

type NewKeeper = CallInput<typeof keepers.create>['body']

/**
 * Creates a keeper under a client-generated id. If an earlier attempt already created it but its answer was lost, the
 * current form values are applied to it.
 */
export async function makeKeeper(body: NewKeeper): Promise<Keeper> {
  const made = await call(keepers.create, { body })
  const { title, purpose, theme = 'keeper-classic', isPublic = false } = body
  const { memoryPattern = made.memoryPattern, keeperType = made.keeperType } = body
  const wanted = { title: title.trim(), purpose: purpose.trim(), keeperType, memoryPattern, theme, isPublic }
  const same = (Object.keys(wanted) as (keyof typeof wanted)[]).every((name) => wanted[name] === made[name])
  return same ? made : call(keepers.update, { params: { id: made.id }, body: wanted })
}
