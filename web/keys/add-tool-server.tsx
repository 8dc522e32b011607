import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type PersonalToolServer, personalToolServers } from '#contract/agents/personal-tool-servers.ts'
import { ApiError, call } from '#web/api/api.ts'
import { EntityFormDialog } from '#web/offline/entity-form.tsx'
import { useSubmitForm } from '#web/offline/use-entity-form.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { withNames } from '#web/ui/text/with-names.tsx'
import { keysKey } from './key-queries.ts'

const accessOptions = [
  { value: 'sign-in', label: 'Sign-in, or none needed' },
  { value: 'header', label: 'A secret header' },
] as const

const blankServer = { name: '', url: '', header: 'Authorization', value: '', access: 'sign-in' as 'sign-in' | 'header' }

export const checkToolServer = ({ name, url }: { name: string; url: string }): Record<string, string> => ({
  ...(name.trim() === '' && { name: 'Enter a name.' }),
  ...(url.trim() === '' && { url: 'Enter an address.' }),
})

interface AddToolServerProps {
  onAdded: (server: PersonalToolServer) => void
  onClose: () => void
}

export function AddToolServer({ onAdded, onClose }: AddToolServerProps) {
  const queryClient = useQueryClient()
  const form = useSubmitForm({
    draftKey: 'tool-server/new',
    draftOptions: { isStored: false },
    blank: blankServer,
    validate: checkToolServer,
    async submit({ name, url, header, value, access }, { key: idempotencyKey }) {
      const body = { name, url, ...(access === 'header' && { header: { name: header, value } }) }
      onAdded(await call(personalToolServers.create, { body, idempotencyKey }))
      void queryClient.invalidateQueries({ queryKey: ['tools'] })
      await queryClient.invalidateQueries({ queryKey: personalToolServersKey })
    },
  })
  const { values, set, field, errors } = form
  return (
    <EntityFormDialog
      form={form}
      onClose={onClose}
      title="Add a tool server"
      description="An MCP server with streamable HTTP. Only your own agents can use its tools, and only when you run them."
      saveLabel="Add server"
      busyLabel="Adding..."
      failureTitle="The server couldn’t be added."
      locksWhileBusy
    >
      <TextField
        label="Name"
        required
        mono
        maxLength={30}
        help="Use letters, digits and hyphens. The server’s tools are called name__tool."
        {...field('name')}
      />
      <TextField label="Address" required mono type="url" placeholder="https://example.com/mcp" {...field('url')} />
      <SegmentedControl
        label="How Keeper signs in"
        options={accessOptions}
        value={values.access}
        onValueChange={(access) => set({ access })}
      />
      {values.access === 'header' && (
        <>
          <TextField label="Header" required mono {...field('header')} error={errors['header.name']} />
          <PasswordField
            label="Value"
            required
            mono
            secretLabel="value"
            autoComplete="off"
            help="For example: Bearer, then a token. The value is stored encrypted and never shown again."
            {...field('value')}
            error={errors['header.value']}
          />
        </>
      )}
    </EntityFormDialog>
  )
}

interface ToolServerClientDialogProps {
  server: PersonalToolServer
  redirectUrl: string
  onSignIn: (client: { client_id: string; client_secret?: string }) => Promise<unknown>
  onClose: () => void
}

export function ToolServerClientDialog({ server, redirectUrl, onSignIn, onClose }: ToolServerClientDialogProps) {
  const form = useSubmitForm({
    draftKey: `tool-server/${server.id}/client`,
    draftOptions: { isStored: false },
    blank: { id: '', secret: '' },
    submit: ({ id, secret }) => onSignIn({ client_id: id, ...(secret && { client_secret: secret }) }),
  })
  return (
    <EntityFormDialog
      form={form}
      onClose={onClose}
      title={withNames`Register Keeper with ${server.name}`}
      description="This server doesn’t register clients automatically. Create a client (an OAuth app) there with this redirect address, then enter its ID and secret."
      saveLabel="Sign in"
      busyLabel="Opening..."
      failureTitle="The sign-in couldn’t be started."
      disabled={form.values.id === ''}
    >
      <div>
        <p className="font-label text-ui">Redirect address</p>
        <p className="flex flex-wrap items-center gap-2 font-mono text-code wrap-anywhere">
          {redirectUrl} <CopyButton text={redirectUrl} />
        </p>
      </div>
      <TextField label="Client ID" required mono {...form.field('id')} />
      <PasswordField
        label="Client secret"
        mono
        secretLabel="client secret"
        autoComplete="off"
        help="Leave this field empty if the server didn’t give you one."
        {...form.field('secret')}
      />
    </EntityFormDialog>
  )
}

export const personalToolServersKey = [...keysKey, 'tool-servers'] as const

export const usePersonalToolServers = () =>
  useQuery({
    queryKey: personalToolServersKey,
    queryFn: async ({ signal }) => (await call(personalToolServers.list, { query: { limit: 100 }, signal })).items,
  })

/** Set when the server needs an OAuth client registered by hand. */
export function getClientRequest(reason: unknown): { redirectUrl: string } | undefined {
  if (!(reason instanceof ApiError)) return undefined
  const { needs_client: needsClient, redirect_url: redirectUrl } = (reason.data ?? {}) as Record<string, unknown>
  return needsClient === true && typeof redirectUrl === 'string' ? { redirectUrl } : undefined
}
