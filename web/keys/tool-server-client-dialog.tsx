import { type FormEvent, useState } from 'react'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx'

interface ToolServerClientDialogProps {
  name: string
  redirectUrl: string
  busy: boolean
  error: string | undefined
  onSubmit: (client: { client_id: string; client_secret?: string }) => void
  onClose: () => void
}

export function ToolServerClientDialog({
  name,
  redirectUrl,
  busy,
  error,
  onSubmit,
  onClose,
}: ToolServerClientDialogProps) {
  const [id, setId] = useState('')
  const [secret, setSecret] = useState('')

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!busy) onSubmit({ client_id: id, ...(secret && { client_secret: secret }) })
  }

  return (
    <FormDialog
      onClose={onClose}
      title={`Register Keeper with ${name}`}
      description="This server doesn’t register clients automatically. Create a client (an OAuth app) there with this redirect address, then enter its ID and secret."
      form={{ onSubmit: submit, noValidate: false, className: 'flex flex-col gap-4' }}
      submitLabel="Sign in"
      busyLabel="Opening..."
      busy={busy}
    >
      <div>
        <p className="font-label text-ui">Redirect address</p>
        <p className="flex flex-wrap items-center gap-2 font-mono text-code wrap-anywhere">
          {redirectUrl} <CopyButton text={redirectUrl} />
        </p>
      </div>
      <TextField label="Client ID" required mono value={id} onChange={(event) => setId(event.currentTarget.value)} />
      <PasswordField
        label="Client secret"
        mono
        secretLabel="client secret"
        autoComplete="off"
        value={secret}
        onChange={(event) => setSecret(event.currentTarget.value)}
        help="Leave this field empty if the server didn’t give you one."
      />
      {error && (
        <p role="alert" className="text-ui font-medium text-destructive">
          {error}
        </p>
      )}
    </FormDialog>
  )
}
