import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type PersonalToolServer, personalToolServers } from '#contract/agents/personal-tool-servers.ts'
import { ApiError, call } from '#web/api/api.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx'
import { keysKey } from './key-queries.ts'

const accessOptions = [
  { value: 'sign-in', label: 'Sign-in, or none needed' },
  { value: 'header', label: 'A secret header' },
] as const

export function AddToolServer({
  onAdded,
  onClose,
}: {
  onAdded: (server: PersonalToolServer) => void
  onClose: () => void
}) {
  const queryClient = useQueryClient()
  const [values, setValues] = useState({ name: '', url: '', header: 'Authorization', value: '' })
  const [access, setAccess] = useState<'sign-in' | 'header'>('sign-in')
  // The same values sent twice create one server.
  const [idempotencyKey, setKey] = useState(createClientId)
  const add = useMutation({
    mutationFn: () => {
      const { name, url, header, value } = values
      const body = { name, url, ...(access === 'header' && { header: { name: header, value } }) }
      return call(personalToolServers.create, { body, idempotencyKey })
    },
    onSuccess: (server) => {
      onAdded(server)
      void queryClient.invalidateQueries({ queryKey: ['tools'] })
      return queryClient.invalidateQueries({ queryKey: toolServersKey })
    },
  })
  const fieldErrors = add.error instanceof ApiError ? add.error.fields : undefined
  const change = (name: keyof typeof values) => (event: { currentTarget: HTMLInputElement }) => {
    setValues({ ...values, [name]: event.currentTarget.value })
    setKey(createClientId())
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!add.isPending) add.mutate()
  }

  return (
    <FormDialog
      onClose={onClose}
      title="Add a tool server"
      description="An MCP server with streamable HTTP. Only your own agents can use its tools, and only when you run them."
      form={{ onSubmit: submit, noValidate: false, className: 'flex flex-col gap-4' }}
      submitLabel="Add server"
      busyLabel="Adding..."
      busy={add.isPending}
      locksWhileBusy
    >
      <TextField
        label="Name"
        required
        mono
        maxLength={30}
        value={values.name}
        onChange={change('name')}
        help="Use letters, digits and hyphens. The server’s tools are called name__tool."
        error={fieldErrors?.name}
      />
      <TextField
        label="Address"
        required
        mono
        type="url"
        placeholder="https://example.com/mcp"
        value={values.url}
        onChange={change('url')}
        error={fieldErrors?.url}
      />
      <SegmentedControl label="How Keeper signs in" options={accessOptions} value={access} onValueChange={setAccess} />
      {access === 'header' && (
        <>
          <TextField
            label="Header"
            required
            mono
            value={values.header}
            onChange={change('header')}
            error={fieldErrors?.['header.name']}
          />
          <PasswordField
            label="Value"
            required
            mono
            secretLabel="value"
            autoComplete="off"
            value={values.value}
            onChange={change('value')}
            help="For example: Bearer, then a token. The value is stored encrypted and never shown again."
            error={fieldErrors?.['header.value']}
          />
        </>
      )}
      {add.error && !fieldErrors && (
        <p role="alert" className="text-ui font-medium text-destructive">
          {add.error.message}
        </p>
      )}
    </FormDialog>
  )
}

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

export const toolServersKey = [...keysKey, 'tool-servers'] as const

export const usePersonalToolServers = () =>
  useQuery({
    queryKey: toolServersKey,
    queryFn: async ({ signal }) => (await call(personalToolServers.list, { query: { limit: 100 }, signal })).items,
  })

/** Set when the server needs an OAuth client registered by hand. */
export function getClientRequest(reason: unknown): { redirectUrl: string } | undefined {
  if (!(reason instanceof ApiError)) return undefined
  const { needs_client: needsClient, redirect_url: redirectUrl } = (reason.data ?? {}) as Record<string, unknown>
  return needsClient === true && typeof redirectUrl === 'string' ? { redirectUrl } : undefined
}
