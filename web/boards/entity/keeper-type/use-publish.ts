import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { KeeperType } from '#contract/keepers/keeper-types.ts'
import { keeperTypes } from '#contract/keepers/keeper-types.ts'
import { ApiError, call } from '#web/api/api.ts'
import { keepersKey } from '#web/keepers/keeper-queries.ts'
import type { TypeValues } from '#web/keepers/types/type-form.tsx'
import { toTypeValues } from '#web/keepers/types/type-form.tsx'
import { type ConflictField, compareAgainText, findOverlaps, getConflict } from '#web/offline/conflict-dialog.tsx'
import type { Draft } from '#web/offline/use-draft.ts'
import { getChanges } from '#web/offline/use-entity-form.tsx'
import { keeperTypesKey } from '#web/queries/keeper-types-query.ts'
import { useBoardEditor } from '../../document/use-board-editor.tsx'
import type { TypeDraft } from './type-draft.ts'
import { getTypeDraftChanges } from './type-draft.ts'

export function usePublish(type: KeeperType, draft: Draft<TypeDraft>) {
  const queryClient = useQueryClient()
  const editor = useBoardEditor()
  const [publishing, setPublishing] = useState(false)
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
      if (editor.getSnapshot().dirty && !(await editor.save())) {
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
    publishing,
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
