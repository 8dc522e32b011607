import type { Reflection } from '#contract/keepers/reflections.ts'
import type { Writing } from './journal-backend.ts'

/** An unsaved edit of a reflection, stored as a draft. */
export interface Edit extends Writing {
  /** The revision this edit is based on. */
  rev: number
  /** AI visibility at that revision. */
  wasAiVisible: boolean
  /** Sent for that revision; it may have arrived although its answer was lost. */
  sent: Writing | null
}

export const editKey = (id: string) => `reflection/${id}`

export const editOf = ({ topic, content, aiVisible, rev }: Reflection): Edit => ({
  ...{ topic: topic ?? '', content, aiVisible, rev, wasAiVisible: aiVisible, sent: null },
})

export const same = (one: Writing, other: Writing): boolean =>
  one.content === other.content && one.topic.trim() === other.topic.trim() && one.aiVisible === other.aiVisible

/** Sends AI visibility only if changed here: someone may have hidden the reflection in the meantime. */
export const changesOf = ({ topic, content, aiVisible, wasAiVisible }: Edit): Partial<Writing> => ({
  ...{ topic: topic.trim(), content },
  ...(aiVisible !== wasAiVisible && { aiVisible }),
})

export const onto = (current: Reflection, edit: Edit): Edit => ({ ...editOf(current), ...changesOf(edit) })

export const isUnsaved = (edit: Edit, reflection: Reflection): boolean =>
  !same(onto(reflection, edit), editOf(reflection))

/** Rebases onto the edit's own save whose answer was lost; `undefined` for any other version. */
export function onItsOwn(current: Reflection, edit: Edit): Edit | undefined {
  const arrived = edit.sent && current.rev === edit.rev + 1 && same(edit.sent, editOf(current))
  return arrived ? { ...edit, rev: current.rev, wasAiVisible: current.aiVisible, sent: null } : undefined
}
