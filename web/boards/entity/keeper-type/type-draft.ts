import type { KeeperType } from '#contract/keepers/keeper-types.ts'
import { type TypeValues, toTypeValues } from '#web/keepers/types/type-form.tsx'
import { getChanges } from '#web/offline/use-entity-form.tsx'

export interface TypeSnapshot {
  rev: number
  values: TypeValues
  /** In order. */
  templateIds: string[]
  agentIds: string[]
}

export interface TypeDraft extends Omit<TypeSnapshot, 'rev'> {
  base: TypeSnapshot
}

export function toTypeSnapshot(
  type: KeeperType,
  templates: readonly { id: string }[],
  agents: readonly { id: string }[],
): TypeSnapshot {
  const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id)
  return { rev: type.rev, values: toTypeValues(type), templateIds: ids(templates), agentIds: ids(agents) }
}

export function toTypeDraft(base: TypeSnapshot): TypeDraft {
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

const excludeIds = (ids: readonly string[], excluded: readonly string[]) => ids.filter((id) => !excluded.includes(id))

export function getTypeDraftChanges({ base, values, templateIds, agentIds }: TypeDraft): TypeDraftChanges {
  const linked = excludeIds(templateIds, base.templateIds)
  const unlinked = excludeIds(base.templateIds, templateIds)
  // The order without reordering: new ones come last.
  const remainingIds = [...excludeIds(base.templateIds, unlinked), ...linked]
  return {
    values: getChanges(base.values, values),
    linked,
    unlinked,
    reordered: remainingIds.some((id, index) => templateIds[index] !== id),
    assigned: excludeIds(agentIds, base.agentIds),
    unassigned: excludeIds(base.agentIds, agentIds),
  }
}

export function isUnchanged(draft: TypeDraft): boolean {
  const { values, reordered, ...lists } = getTypeDraftChanges(draft)
  return Object.keys(values).length === 0 && !reordered && Object.values(lists).every((ids) => ids.length === 0)
}
