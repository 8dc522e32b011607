import type { Reflection } from '#contract/keepers/reflections.ts'
import { getChanges, readFormDraft } from '#web/offline/form-draft.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { getEditingPath } from './journal-addresses.ts'
import { useJournal } from './journal-context.ts'
import { getReflectionDraftKey, toWriting } from './reflection-writing.ts'

export function useUnsavedChange(reflection: Reflection) {
  const saved = toWriting(reflection)
  const initial = { id: '', key: '', rev: reflection.rev, before: saved, values: saved }
  const { ready, value } = useDraft<unknown>(getReflectionDraftKey(reflection.id), initial)
  const { topic, ...writing } = readFormDraft(value, initial, toWriting).values
  return { ready, unsaved: Object.keys(getChanges(saved, { ...writing, topic: topic.trim() })).length > 0 }
}

export function UnsavedChange({ reflection }: { reflection: Reflection }) {
  const { keeper } = useJournal()
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="text-small text-muted-foreground">You have unsaved changes in this browser.</span>
      <LinkButton size="small" to={`/keeper/${keeper.id}/reflection-journal${getEditingPath(reflection.id)}`}>
        {reflection.promotedToMemoryCard ? 'View your changes' : 'Continue writing'}
      </LinkButton>
    </div>
  )
}
