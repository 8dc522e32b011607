import type { KeeperType } from '#contract/keepers/keeper-types.ts'

export interface TypeValues {
  name: string
  description: string
  memoryPattern: string
}

export const emptyTypeValues: TypeValues = { name: '', description: '', memoryPattern: 'SOLE' }

export const toTypeValues = ({ name, description, memoryPattern }: TypeValues): TypeValues => ({
  name,
  description,
  memoryPattern,
})

/** Only changed fields, so that concurrent changes to other fields survive. */
export function getTypeChanges(previous: TypeValues, values: TypeValues): Partial<TypeValues> {
  return Object.fromEntries(
    (Object.keys(values) as (keyof TypeValues)[])
      .filter((name) => values[name] !== previous[name])
      .map((name) => [name, values[name]]),
  )
}

const fieldLabels: Record<keyof TypeValues, string> = {
  name: 'Name',
  description: 'Description',
  memoryPattern: 'Memory pattern',
}

/** Fields that both sides changed differently since `previous`. */
export function getTypeConflicts(
  previous: TypeValues,
  { yours, current }: { yours: KeeperType; current: KeeperType },
  changes: Partial<TypeValues>,
) {
  return (Object.keys(fieldLabels) as (keyof TypeValues)[])
    .filter((name) => name in changes && current[name] !== previous[name] && yours[name] !== current[name])
    .map((name) => ({ name, label: fieldLabels[name], yours: yours[name], current: current[name] }))
}
