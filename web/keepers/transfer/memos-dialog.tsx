import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { transfer } from '#contract/keepers/transfer.ts'
import { ApiError, call } from '#web/api/api.ts'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx'
import { importsKey } from './imports-key.ts'

export function MemosDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient()
  const [values, setValues] = useState({ address: '', token: '' })
  const read = useMutation({
    mutationFn: () => call(transfer.readMemos, { body: values }),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: importsKey })
      onClose()
    },
  })
  const fieldErrors = read.error instanceof ApiError ? read.error.fields : undefined
  const change = (name: keyof typeof values) => (event: { currentTarget: HTMLInputElement }) =>
    setValues({ ...values, [name]: event.currentTarget.value })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!read.isPending) read.mutate()
  }

  return (
    <FormDialog
      onClose={onClose}
      title="Import from memos"
      description="Keeper reads your own memos, archived ones too, with their comments and attachments, and shows you what it found before anything is imported."
      form={{ onSubmit: submit, noValidate: false, className: 'flex flex-col gap-4' }}
      submitLabel="Read memos"
      busyLabel="Connecting..."
      busy={read.isPending}
      locksWhileBusy
    >
      <TextField
        label="Address"
        required
        mono
        type="url"
        placeholder="https://memos.example.com"
        value={values.address}
        onChange={change('address')}
        error={fieldErrors?.address}
      />
      <PasswordField
        label="Access token"
        required
        mono
        secretLabel="access token"
        autoComplete="off"
        value={values.token}
        onChange={change('token')}
        help="Create one in memos, under Settings. Keeper uses it for this import only and never stores it."
        error={fieldErrors?.token}
      />
      {read.error && !fieldErrors && (
        <p role="alert" className="text-ui font-medium text-destructive">
          {read.error.message}
        </p>
      )}
    </FormDialog>
  )
}
