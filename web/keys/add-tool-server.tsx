import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type PersonalToolServer, personalToolServers } from '#contract/agents/personal-tool-servers.ts'
import { ApiError, call } from '#web/api/api.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx'
import { toolServersKey } from './tool-server-queries.ts'

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
