import { type KeeperType, keeperTypes } from '#contract/keepers/keeper-types.ts'
import { call } from '#web/api/api.ts'
import { type TypeValues, toTypeValues } from '#web/keepers/types/type-values.ts'
import { getConflict } from '#web/offline/conflict-dialog.tsx'
import { type ConflictField, findOverlaps } from '#web/offline/conflict-fields.ts'
import { getChanges } from '#web/offline/form-draft.ts'
import { getTypeDraftChanges, type TypeDraft } from './type-draft.ts'

export interface TypeConflict {
  current: KeeperType
  fields: ConflictField[]
}

/** Idempotent, so an interrupted publish can be repeated. A conflict in the same fields publishes nothing. */
export async function publishType(id: string, draft: TypeDraft): Promise<TypeConflict | undefined> {
  const { values, linked, unlinked, reordered, assigned, unassigned } = getTypeDraftChanges(draft)
  const conflict = await publishValues(id, draft.base.values, values, draft.base.rev)
  if (conflict) return conflict
  for (const templateId of linked) await call(keeperTypes.linkTemplate, { params: { id, templateId } })
  for (const templateId of unlinked) await call(keeperTypes.unlinkTemplate, { params: { id, templateId } })
  if (reordered) {
    await call(keeperTypes.orderTemplates, { params: { id }, body: { templateIds: draft.templateIds } })
  }
  for (const agentId of assigned) await call(keeperTypes.assign, { params: { agentId, keeperTypeId: id } })
  for (const agentId of unassigned) await call(keeperTypes.unassign, { params: { agentId, keeperTypeId: id } })
}

async function publishValues(
  id: string,
  baseValues: TypeValues,
  changes: Partial<TypeValues>,
  rev: number,
): Promise<TypeConflict | undefined> {
  if (Object.keys(changes).length === 0) return undefined
  try {
    await call(keeperTypes.update, { params: { id }, body: changes, ifMatch: rev })
    return undefined
  } catch (reason) {
    const current = getConflict<KeeperType>(reason)?.current
    if (!current) throw reason
    const fields = findOverlaps(changes, getChanges(baseValues, toTypeValues(current)))
    // The other change touched different fields, so this one can be saved on top.
    return fields.length === 0 ? publishValues(id, baseValues, changes, current.rev) : { current, fields }
  }
}
