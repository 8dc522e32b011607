import { type KeeperType, keeperTypes } from '#contract/keepers/keeper-types.ts'
import { call } from '#web/api.ts'
import { type TypeValues, typeConflicts } from '#web/keepers/types/type-values.ts'
import { conflictOf } from '#web/offline/conflict-dialog.tsx'
import { changesOf, type TypeDraft } from './type-draft.ts'

export interface TypeConflict {
  yours: KeeperType
  current: KeeperType
  fields: ReturnType<typeof typeConflicts>
}

/**
 * Publishes a draft. All parts are idempotent, so an interrupted publish can be repeated. Returns a conflict, with
 * nothing published, if someone else changed the same fields.
 */
export async function publishType(id: string, draft: TypeDraft): Promise<TypeConflict | undefined> {
  const { values, linked, unlinked, reordered, assigned, unassigned } = changesOf(draft)
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
  before: TypeValues,
  changes: Partial<TypeValues>,
  rev: number,
): Promise<TypeConflict | undefined> {
  if (Object.keys(changes).length === 0) return undefined
  try {
    await call(keeperTypes.update, { params: { id }, body: changes, ifMatch: rev })
    return undefined
  } catch (reason) {
    const both = conflictOf<KeeperType>(reason)
    if (!both) throw reason
    const fields = typeConflicts(before, both, changes)
    // The other change touched different fields, so this one can be saved on top.
    if (fields.length === 0) return publishValues(id, before, changes, both.current.rev)
    return { ...both, fields }
  }
}
