import type { ReactNode } from 'react'
import { DraftRestoredNote, EntityForm } from '#web/offline/entity-form.tsx'
import {
  type EntityFormOptions,
  type EntityForm as Form,
  type FormState,
  useEntityForm,
} from '#web/offline/use-entity-form.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import type { BaseEntry, EntryKind } from './entry-kinds.ts'
import type { EntryList } from './use-entry-list.ts'

type EntryBody = Record<string, unknown>

interface EntryEditorOptions<Entry extends BaseEntry, Values extends object>
  extends Pick<
    EntityFormOptions<Entry, Values, EntryBody>,
    'entity' | 'toValues' | 'blank' | 'toBody' | 'validate' | 'toMaskedFields'
  > {
  kind: EntryKind<Entry>
  entryList: EntryList<Entry>
  keeperId: string
  onSaved: () => void
}

export function useEntryEditor<Entry extends BaseEntry, Values extends object>({
  kind,
  entryList,
  keeperId,
  onSaved,
  ...options
}: EntryEditorOptions<Entry, Values>): Form<Values> & { failureTitle: string } {
  const { entity: entry } = options
  const form = useEntityForm<Entry, Values, EntryBody>({
    ...options,
    draftKey: `${entryList.isDemo ? 'sample-' : ''}${kind.entity}/${entry ? entry.id : `new/${keeperId}`}`,
    subject: `This ${kind.label.toLowerCase()}`,
    findSaved: (id) => entryList.entries?.find((savedEntry) => savedEntry.id === id && !entryList.queuedIds.has(id)),
    send: (body, { id, rev }) => entryList.save({ id: entry?.id ?? id, body, rev }),
    onSaved(result) {
      if (result?.state === 'sent') void entryList.put(result.answer)
      onSaved()
    },
  })
  return { ...form, failureTitle: kind.errorTitles[entry ? 'update' : 'create'] }
}

interface EntryFormProps {
  editor: FormState & { failureTitle: string }
  label: string
  saveLabel: string
  onClose: () => void
  children: ReactNode
}

export function EntryForm({ editor, label, saveLabel, onClose, children }: EntryFormProps) {
  return (
    <Card kind="paper" className="mb-5 max-w-[49.25rem]">
      <EntityForm
        form={editor}
        aria-label={label}
        saveLabel={saveLabel}
        failureTitle={editor.failureTitle}
        onCancel={onClose}
        endButtons
        offersRetry
      >
        {editor.restored && <DraftRestoredNote />}
        {children}
      </EntityForm>
    </Card>
  )
}
