import { useQueryClient } from '@tanstack/react-query'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import {
  getSourceTitle,
  librarySourceKind,
  maxSourceTitleLength,
  type Source,
  sources,
} from '#contract/keepers/sources.ts'
import { call, getServerMessage } from '#web/api/api.ts'
import { EntityFormDialog } from '#web/offline/entity-form.tsx'
import { notifyDeleted } from '#web/offline/notify-deleted.tsx'
import { sendNow, useEntityForm } from '#web/offline/use-entity-form.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { withNames } from '#web/ui/text/with-names.tsx'
import { keeperKey } from '../keeper-queries.ts'

const unreachableText = 'The server couldn’t be reached. Try again.'

interface SourceActionsProps {
  source: Source
  listPath: string
  onDeletingChange: (isDeleting: boolean) => void
}

export function SourceActions({ source, listPath, onDeletingChange }: SourceActionsProps) {
  const [openDialog, setOpenDialog] = useState<'rename' | 'delete'>()
  const close = () => setOpenDialog(undefined)
  return (
    <div data-chrome className="flex shrink-0 gap-1">
      <IconButton label="Rename" onClick={() => setOpenDialog('rename')}>
        <Pencil aria-hidden size={16} />
      </IconButton>
      <IconButton label="Delete" onClick={() => setOpenDialog('delete')}>
        <Trash2 aria-hidden size={16} />
      </IconButton>
      {openDialog === 'rename' && <RenameSource source={source} onClose={close} />}
      <DeleteSource
        source={source}
        listPath={listPath}
        onDeletingChange={onDeletingChange}
        open={openDialog === 'delete'}
        onClose={close}
      />
    </div>
  )
}

function RenameSource({ source, onClose }: { source: Source; onClose: () => void }) {
  const queryClient = useQueryClient()
  const form = useEntityForm<Pick<Source, 'rev' | 'title'>, Pick<Source, 'title'>>({
    draftKey: `source/${source.id}`,
    subject: 'This source',
    entity: source,
    toValues: ({ title }) => ({ title }),
    blank: { title: '' },
    send: (body, { rev }) => sendNow(sources.update, { params: { id: source.id }, body, ifMatch: rev ?? source.rev }),
    async onSaved() {
      await queryClient.invalidateQueries({ queryKey: keeperKey(source.keeperId, 'source') })
      onClose()
    },
  })
  return (
    <EntityFormDialog
      form={form}
      title="Rename"
      onClose={onClose}
      discardsOnCancel
      saveLabel="Save"
      failureTitle="The title couldn’t be saved."
    >
      <TextField label="Title" maxLength={maxSourceTitleLength} {...form.field('title')} />
    </EntityFormDialog>
  )
}

interface DeleteSourceProps extends SourceActionsProps {
  open: boolean
  onClose: () => void
}

function DeleteSource({ source, listPath, onDeletingChange, open, onClose }: DeleteSourceProps) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const queryKey = keeperKey(source.keeperId)

  async function remove() {
    onDeletingChange(true)
    try {
      await call(sources.remove, { params: { id: source.id } })
    } catch (reason) {
      onDeletingChange(false)
      throw reason
    }
    await navigate(listPath, { replace: true })
    notifyDeleted('Source', 'source', source.id, () => queryClient.invalidateQueries({ queryKey }))
    await queryClient.invalidateQueries({ queryKey })
  }

  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={withNames`Delete “${getSourceTitle(source)}”?`}
      confirmLabel="Delete"
      onConfirm={remove}
      formatError={(reason) => getServerMessage(reason) ?? unreachableText}
    >
      {source.sourceKind === librarySourceKind
        ? 'You keep the quotes you saved and the document in this browser’s library. Agents can no longer read it.'
        : 'You keep the quotes you saved. If you import the same file again, this source stays deleted.'}
    </ConfirmDialog>
  )
}
