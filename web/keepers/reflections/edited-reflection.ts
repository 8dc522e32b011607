import type { Reflection } from '#contract/keepers/reflections.ts'
import type { Writing } from './journal-backend.ts'

/** What is changed of a reflection, as it lies in this browser until it is saved. */
export interface Edit extends Writing {
  /** What these words are based on. */
  rev: number
  /** Whether agents might read it then. */
  wasAiVisible: boolean
  /** What was sent on that revision; it may have arrived, also when its answer was never heard. */
  sent: Writing | null
}

export const editKey = (id: string) => `reflection/${id}`

export const editOf = ({ topic, content, aiVisible, rev }: Reflection): Edit => ({
  ...{ topic: topic ?? '', content, aiVisible, rev, wasAiVisible: aiVisible, sent: null },
})

export const same = (one: Writing, other: Writing): boolean =>
  one.content === other.content && one.topic.trim() === other.topic.trim() && one.aiVisible === other.aiVisible

/** Whether agents may read it only where that was changed here: somebody may have hidden it meanwhile. */
export const changesOf = ({ topic, content, aiVisible, wasAiVisible }: Edit): Partial<Writing> => ({
  ...{ topic: topic.trim(), content },
  ...(aiVisible !== wasAiVisible && { aiVisible }),
})

/** As it would be on a newer version. */
export const onto = (current: Reflection, edit: Edit): Edit => ({ ...editOf(current), ...changesOf(edit) })

/** Whether it says something that the reflection does not. */
export const isUnsaved = (edit: Edit, reflection: Reflection): boolean =>
  !same(onto(reflection, edit), editOf(reflection))

/** On the newer version that it made itself, where that is so: a save that arrived and whose answer was not heard. */
export function onItsOwn(current: Reflection, edit: Edit): Edit | undefined {
  const arrived = edit.sent && current.rev === edit.rev + 1 && same(edit.sent, editOf(current))
  return arrived ? { ...edit, rev: current.rev, wasAiVisible: current.aiVisible, sent: null } : undefined
}
