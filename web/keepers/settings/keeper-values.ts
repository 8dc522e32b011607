import type { Keeper, keepers } from '#contract/keepers/keepers.ts'
import type { CallInput } from '#web/api/api.ts'
import { getChanges } from '#web/offline/form-draft.ts'

export interface KeeperValues {
  title: string
  purpose: string
  /** '' for none. */
  keeperTypeId: string
  memoryPattern: string
  theme: string
  isPublic: boolean
}
type KeeperChanges = NonNullable<CallInput<typeof keepers.update>['body']>

export function toKeeperValues(keeper: Keeper): KeeperValues {
  const { title, purpose, keeperTypeId, memoryPattern, theme, isPublic } = keeper
  return { title, purpose, keeperTypeId: keeperTypeId ?? '', memoryPattern, theme, isPublic }
}

export const isComplete = ({ title, purpose }: Pick<KeeperValues, 'title' | 'purpose'>) =>
  title.trim() !== '' && purpose.trim() !== ''

/** Only changed fields, so that concurrent changes to other fields survive. */
export function getKeeperChanges(previous: KeeperValues | null, values: KeeperValues): KeeperChanges {
  const { keeperTypeId, ...changes } = getChanges(previous, values)
  return { ...changes, ...(keeperTypeId !== undefined && { keeperTypeId: keeperTypeId || null }) } as KeeperChanges
}
