import type { KeeperType } from '#contract/keepers/keeper-types.ts'
import { type TypeValues, typeChanges, valuesOfType } from '#web/keepers/types/type-values.ts'

/** Server state of everything the wizard changes. */
export interface TypeSnapshot {
  rev: number
  values: TypeValues
  /** In order. */
  templateIds: string[]
  agentIds: string[]
}

/** Unpublished edits in the wizard. */
export interface TypeDraft extends Omit<TypeSnapshot, 'rev'> {
  base: TypeSnapshot
}

export function snapshotOf(
  type: KeeperType,
  templates: readonly { id: string }[],
  agents: readonly { id: string }[],
): TypeSnapshot {
  const ids = (things: readonly { id: string }[]) => things.map(({ id }) => id)
  return { rev: type.rev, values: valuesOfType(type), templateIds: ids(templates), agentIds: ids(agents) }
}

export function draftOf(base: TypeSnapshot): TypeDraft {
  const { values, templateIds, agentIds } = base
  return { base, values, templateIds, agentIds }
}

export interface TypeDraftChanges {
  values: Partial<TypeValues>
  linked: string[]
  unlinked: string[]
  /** The remaining templates are in a different order. */
  reordered: boolean
  assigned: string[]
  unassigned: string[]
}

const without = (ids: readonly string[], others: readonly string[]) => ids.filter((id) => !others.includes(id))

export function changesOf({ base, values, templateIds, agentIds }: TypeDraft): TypeDraftChanges {
  const linked = without(templateIds, base.templateIds)
  const unlinked = without(base.templateIds, templateIds)
  // The order without reordering: new ones come last.
  const untouched = [...without(base.templateIds, unlinked), ...linked]
  return {
    values: typeChanges(base.values, values),
    linked,
    unlinked,
    reordered: untouched.some((id, at) => templateIds[at] !== id),
    assigned: without(agentIds, base.agentIds),
    unassigned: without(base.agentIds, agentIds),
  }
}

export function isUnchanged(draft: TypeDraft): boolean {
  const { values, reordered, ...lists } = changesOf(draft)
  return Object.keys(values).length === 0 && !reordered && Object.values(lists).every((ids) => ids.length === 0)
}
