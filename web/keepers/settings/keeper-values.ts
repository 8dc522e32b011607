import type { Keeper, keepers } from '#contract/keepers/keepers.ts'
import type { CallInput } from '#web/api.ts'
import type { ConflictField } from '#web/offline/conflict-dialog.tsx'

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
export function getKeeperChanges(previous: KeeperValues, values: KeeperValues): KeeperChanges {
  const changes: Record<string, unknown> = {}
  for (const name of Object.keys(values) as (keyof KeeperValues)[]) {
    if (values[name] !== previous[name]) changes[name] = values[name]
  }
  if (changes.keeperTypeId === '') changes.keeperTypeId = null
  return changes
}

const textFieldLabels = { title: 'Title', purpose: 'Purpose', memoryPattern: 'Memory pattern' } as const

/** Fields that both sides changed differently since `previous`. */
export function getKeeperConflicts(
  previous: KeeperValues,
  { yours, current }: { yours: Keeper; current: Keeper },
  changes: KeeperChanges,
): ConflictField[] {
  return (Object.keys(textFieldLabels) as (keyof typeof textFieldLabels)[])
    .filter((name) => name in changes && current[name] !== previous[name] && yours[name] !== current[name])
    .map((name) => ({
      name,
      label: textFieldLabels[name],
      yours: yours[name],
      current: current[name],
      ...(name === 'memoryPattern' && { choiceOnly: true }),
    }))
}
