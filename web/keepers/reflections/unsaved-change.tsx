import type { Reflection } from '#contract/keepers/reflections.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { LinkButton } from '#web/ui/link-button.tsx'
import { getEditingPath } from './journal-addresses.ts'
import { useJournal } from './journal-context.ts'
import { getEditKey, isUnsaved, type ReflectionEdit } from './reflection-edit.ts'

export function useUnsavedChange(reflection: Reflection) {
  const { ready, value } = useDraft<ReflectionEdit | undefined>(getEditKey(reflection.id), undefined)
  return { ready, unsaved: value !== undefined && isUnsaved(value, reflection) }
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
