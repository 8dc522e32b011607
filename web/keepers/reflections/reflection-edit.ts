import type { Reflection } from '#contract/keepers/reflections.ts'
import type { ReflectionWriting } from './journal-backend.ts'

/** An unsaved edit of a reflection, stored as a draft. */
export interface ReflectionEdit extends ReflectionWriting {
  /** The revision this edit is based on. */
  rev: number
  /** AI visibility at that revision. */
  wasAiVisible: boolean
  /** Sent for that revision; it may have arrived although its answer was lost. */
  sent: ReflectionWriting | null
}

export const getEditKey = (id: string) => `reflection/${id}`

export const createEdit = ({ topic, content, aiVisible, rev }: Reflection): ReflectionEdit => ({
  topic: topic ?? '',
  content,
  aiVisible,
  rev,
  wasAiVisible: aiVisible,
  sent: null,
})

export const isSameWriting = (one: ReflectionWriting, other: ReflectionWriting): boolean =>
  one.content === other.content && one.topic.trim() === other.topic.trim() && one.aiVisible === other.aiVisible

/** Sends AI visibility only if changed here: someone may have hidden the reflection in the meantime. */
export const getEditChanges = ({
  topic,
  content,
  aiVisible,
  wasAiVisible,
}: ReflectionEdit): Partial<ReflectionWriting> => ({
  topic: topic.trim(),
  content,
  ...(aiVisible !== wasAiVisible && { aiVisible }),
})

export const rebaseEdit = (current: Reflection, edit: ReflectionEdit): ReflectionEdit => ({
  ...createEdit(current),
  ...getEditChanges(edit),
})

export const isUnsaved = (edit: ReflectionEdit, reflection: Reflection): boolean =>
  !isSameWriting(rebaseEdit(reflection, edit), createEdit(reflection))

/** Rebases onto the edit's own save whose answer was lost; `undefined` for any other version. */
export function rebaseOnOwnSave(current: Reflection, edit: ReflectionEdit): ReflectionEdit | undefined {
  const wasSaved = edit.sent && current.rev === edit.rev + 1 && isSameWriting(edit.sent, createEdit(current))
  return wasSaved ? { ...edit, rev: current.rev, wasAiVisible: current.aiVisible, sent: null } : undefined
}
