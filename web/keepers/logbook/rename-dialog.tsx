import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { logbook } from '#contract/keepers/logbook.ts'
import { call } from '#web/api/api.ts'
import { MutationError } from '#web/queries/mutation-error.tsx'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { withNames } from '#web/ui/text/with-names.tsx'
import { keeperKey } from '../keeper-queries.ts'

type NameKind = 'category' | 'tag'

interface RenameDialogProps {
  keeperId: string
  usedNames: Record<NameKind, string[]>
  onClose: () => void
}

/** Renames a category or tag in all entries; an existing name merges the two. */
export function RenameDialog({ keeperId, usedNames, onClose }: RenameDialogProps) {
  const queryClient = useQueryClient()
  const [kind, setKind] = useState<NameKind>('category')
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const currentName = from || (usedNames[kind][0] ?? '')
  const newName = to.trim()
  const isMerge = usedNames[kind].includes(newName) && newName !== currentName

  const rename = useMutation({
    async mutationFn() {
      const body = { kind, from: currentName, to: newName }
      const { changed } = await call(logbook.renameWord, { params: { id: keeperId }, body })
      await queryClient.invalidateQueries({ queryKey: keeperKey(keeperId) })
      onClose()
      void showToast(withNames`${currentName} is now ${newName}, in ${pluralize(changed, 'entry', 'entries')}.`)
    },
  })

  const canRename = newName !== '' && newName !== currentName && currentName !== ''

  function submit(event: FormEvent) {
    event.preventDefault()
    if (canRename && !rename.isPending) rename.mutate()
  }

  return (
    <FormDialog
      onClose={onClose}
      title="Rename or merge"
      description="Changes every entry that uses the name. Earlier versions stay in each entry’s history."
      form={{ onSubmit: submit, className: 'flex flex-col gap-4' }}
      submitLabel={isMerge ? 'Merge' : 'Rename'}
      busyLabel="Renaming..."
      busy={rename.isPending}
      disabled={!canRename}
    >
      <SegmentedControl<NameKind>
        label="Kind"
        value={kind}
        onValueChange={(next) => {
          setKind(next)
          setFrom('')
        }}
        options={[
          { value: 'category', label: 'Category' },
          { value: 'tag', label: 'Tag', disabled: usedNames.tag.length === 0 },
        ]}
      />
      <SelectField
        label="Current name"
        value={currentName}
        onChange={(event) => setFrom(event.currentTarget.value)}
        options={usedNames[kind].map((usedName) => ({ value: usedName, label: usedName }))}
      />
      <TextField
        label="New name"
        maxLength={80}
        value={to}
        onChange={(event) => setTo(event.currentTarget.value)}
        help={isMerge ? `${newName} is already in use, so the two are merged.` : undefined}
      />
      <MutationError title="Failed to update logbook entry" mutation={rename} />
    </FormDialog>
  )
}
