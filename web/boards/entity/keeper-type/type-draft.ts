import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type KeeperType, keeperTypes } from '#contract/keepers/keeper-types.ts'
import { ApiError, call } from '#web/api/api.ts'
import { keepersKey } from '#web/keepers/keeper-queries.ts'
import { type TypeValues, toTypeValues } from '#web/keepers/types/type-form.tsx'
import { type ConflictField, compareAgainText, findOverlaps, getConflict } from '#web/offline/conflict-dialog.tsx'
import type { Draft } from '#web/offline/use-draft.ts'
import { getChanges } from '#web/offline/use-entity-form.tsx'
import { keeperTypesKey } from '#web/queries/keeper-types-query.ts'
import { useBoardEditor } from '../../document/use-board-editor.tsx'

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
  const getIds = (items: readonly { id: string }[]) => items.map(({ id }) => id)
  return { rev: type.rev, values: toTypeValues(type), templateIds: getIds(templates), agentIds: getIds(agents) }
}

export function toTypeDraft(base: TypeSnapshot): TypeDraft {
  const { values, templateIds, agentIds } = base
  return { base, values, templateIds, agentIds }
}

/** All lists contain IDs. */
interface TypeDraftChanges {
  values: Partial<TypeValues>
  linkedIds: string[]
  unlinkedIds: string[]
  /** Whether the remaining templates are in a different order. */
  isReordered: boolean
  assignedIds: string[]
  unassignedIds: string[]
}

const excludeIds = (ids: readonly string[], excluded: readonly string[]) => ids.filter((id) => !excluded.includes(id))

export function getTypeDraftChanges({ base, values, templateIds, agentIds }: TypeDraft): TypeDraftChanges {
  const linkedIds = excludeIds(templateIds, base.templateIds)
  const unlinkedIds = excludeIds(base.templateIds, templateIds)
  // The order without reordering: new ones come last.
  const remainingIds = [...excludeIds(base.templateIds, unlinkedIds), ...linkedIds]
  return {
    values: getChanges(base.values, values),
    linkedIds,
    unlinkedIds,
    isReordered: remainingIds.some((id, index) => templateIds[index] !== id),
    assignedIds: excludeIds(agentIds, base.agentIds),
    unassignedIds: excludeIds(base.agentIds, agentIds),
  }
}

export function isUnchanged(draft: TypeDraft): boolean {
  const { values, isReordered, ...idLists } = getTypeDraftChanges(draft)
  return Object.keys(values).length === 0 && !isReordered && Object.values(idLists).every((ids) => ids.length === 0)
}

export function usePublish(type: KeeperType, draft: Draft<TypeDraft>) {
  const queryClient = useQueryClient()
  const editor = useBoardEditor()
  const [isPublishing, setPublishing] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [errors, setErrors] = useState<Record<string, string>>()
  const [conflict, setConflict] = useState<TypeConflict>()

  /** `conflict`: someone else saved first, and nothing was published. */
  async function send(typeDraft: TypeDraft): Promise<'published' | 'conflict' | 'failed'> {
    setPublishing(true)
    setProblem(undefined)
    setErrors(undefined)
    try {
      const typeConflict = await publishType(type.id, typeDraft)
      setConflict(typeConflict)
      if (typeConflict) return 'conflict'
      if (editor.getSnapshot().isDirty && !(await editor.save())) {
        setProblem(
          'The type was published, but someone else saved its board while you were editing. Open Canvas to merge both versions.',
        )
        return 'failed'
      }
      await draft.release()
      return 'published'
    } catch (reason) {
      setErrors(reason instanceof ApiError ? reason.fields : undefined)
      setProblem(
        `Failed to update keeper type: ${reason instanceof Error ? reason.message : reason} Your changes are still here.`,
      )
      return 'failed'
    } finally {
      setPublishing(false)
      await queryClient.invalidateQueries({ queryKey: keeperTypesKey })
      await queryClient.invalidateQueries({ queryKey: keepersKey })
    }
  }

  return {
    isPublishing,
    problem,
    errors,
    conflict,
    publish: () => send(draft.value),
    /** Publishes the draft with `values` on top of the newer version. */
    async resolve(values: Partial<TypeValues>) {
      if (!conflict) return
      const { base } = draft.value
      const resolvedDraft = {
        ...draft.value,
        values: { ...draft.value.values, ...values },
        base: { ...base, rev: conflict.current.rev, values: { ...base.values, ...getRemoteValues(conflict) } },
      }
      draft.set(resolvedDraft)
      if ((await send(resolvedDraft)) === 'conflict') throw new Error(compareAgainText)
    },
    dismissConflict: () => setConflict(undefined),
  }
}

export const getRemoteValues = ({ fields }: TypeConflict): Partial<TypeValues> =>
  Object.fromEntries(fields.map(({ name, remote }) => [name, remote]))

interface TypeConflict {
  current: KeeperType
  fields: ConflictField[]
}

/** Idempotent, so an interrupted publish can be repeated. A conflict in the same fields publishes nothing. */
async function publishType(id: string, draft: TypeDraft): Promise<TypeConflict | undefined> {
  const { values, linkedIds, unlinkedIds, isReordered, assignedIds, unassignedIds } = getTypeDraftChanges(draft)
  const conflict = await publishValues(id, draft.base.values, values, draft.base.rev)
  if (conflict) return conflict
  for (const templateId of linkedIds) await call(keeperTypes.linkTemplate, { params: { id, templateId } })
  for (const templateId of unlinkedIds) await call(keeperTypes.unlinkTemplate, { params: { id, templateId } })
  if (isReordered) {
    await call(keeperTypes.orderTemplates, { params: { id }, body: { templateIds: draft.templateIds } })
  }
  for (const agentId of assignedIds) await call(keeperTypes.assign, { params: { agentId, keeperTypeId: id } })
  for (const agentId of unassignedIds) await call(keeperTypes.unassign, { params: { agentId, keeperTypeId: id } })
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
