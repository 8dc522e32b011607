import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { type Connection, connections } from '#contract/connections/connections.ts'
import { scopeLabels } from '#contract/connections/scopes.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { isSampleKeeper } from '#contract/keepers/sample-keeper.ts'
import { call, getServerMessage } from '#web/api/api.ts'
import { EntityFormDialog } from '#web/offline/entity-form.tsx'
import { useSubmitForm } from '#web/offline/use-entity-form.tsx'
import { QueryState } from '#web/queries/query-error.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { Time } from '#web/ui/text/time.tsx'
import { ConnectionReads } from './connection-reads.tsx'
import { blankConsent, ConsentFields, findConsentProblems, toConsentBody, toConsentValues } from './consent-fields.tsx'

const connectionsKey = ['connections'] as const

/** Programs that can use a person's memory, and their access tokens. @param keepers undefined while they load */
export function ConnectedPrograms({ keepers }: { keepers: readonly Keeper[] | undefined }) {
  const queryClient = useQueryClient()
  const list = useQuery({ queryKey: connectionsKey, queryFn: ({ signal }) => call(connections.list, { signal }) })
  const [token, setToken] = useState<string>()
  const [connectionToInspect, setConnectionToInspect] = useState<Connection>()
  const [connectionToEdit, setConnectionToEdit] = useState<Connection | 'new'>()
  const [connectionToRevoke, setConnectionToRevoke] = useState<Connection>()
  const revoke = useMutation({
    mutationFn: ({ id }: Connection) => call(connections.revoke, { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: connectionsKey }),
  })
  return (
    <section aria-label="Connected programs" className="mt-10 max-w-[860px]">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2>Connected programs</h2>
        <Button
          size="small"
          onClick={() => {
            setToken(undefined)
            setConnectionToEdit('new')
          }}
        >
          Create access token
        </Button>
      </div>
      <p className="mt-1 mb-4 max-w-[72ch] text-muted-foreground">
        Scripts and apps that use your memory with an access token. They do only what you allow, and nothing they
        suggest enters your memory until you approve it.{' '}
        <a href="/docs/connecting-programs.md" className="underline underline-offset-[3px]">
          How to connect a program
        </a>
        {', '}
        <Link to="/api" className="underline underline-offset-[3px]">
          all calls
        </Link>
        .
      </p>
      {token !== undefined && (
        <Banner tone="info" className="mb-4">
          <p>Copy your token now. It won’t be shown again.</p>
          <p className="mt-1 flex flex-wrap items-center gap-2 font-mono text-code wrap-anywhere">
            {token} <CopyButton text={token} />
          </p>
        </Banner>
      )}
      {revoke.error && (
        <Banner tone="error" className="mb-4">
          The access couldn’t be revoked. {getServerMessage(revoke.error)}
        </Banner>
      )}
      <QueryState
        query={list}
        skeleton={<SkeletonRows label="Loading connected programs" rowClassName="h-5 w-60" />}
        title="Connected programs couldn’t be loaded"
      />
      {list.data?.length === 0 && <p className="text-ui">No program is connected.</p>}
      {list.data && list.data.length > 0 && (
        <ul className="rounded-lg border border-border bg-card shadow-e1">
          {list.data.map((connection) => (
            <ConnectionRow
              key={connection.id}
              connection={connection}
              keepers={keepers}
              onShowReads={() => setConnectionToInspect(connection)}
              onChange={() => setConnectionToEdit(connection)}
              onRevoke={() => setConnectionToRevoke(connection)}
            />
          ))}
        </ul>
      )}
      {connectionToInspect && (
        <ConnectionReads connection={connectionToInspect} onClose={() => setConnectionToInspect(undefined)} />
      )}
      {connectionToEdit && (
        <ConnectionDialog
          connection={connectionToEdit === 'new' ? undefined : connectionToEdit}
          keepers={keepers ?? []}
          onClose={() => setConnectionToEdit(undefined)}
          onSaved={(created) => {
            setConnectionToEdit(undefined)
            if (created) setToken(created.token)
            return queryClient.invalidateQueries({ queryKey: connectionsKey })
          }}
        />
      )}
      <ConfirmDialog
        open={connectionToRevoke !== undefined}
        onOpenChange={(open) => !open && setConnectionToRevoke(undefined)}
        title="Revoke this access?"
        confirmLabel="Revoke"
        busyLabel="Revoking..."
        onConfirm={async () => {
          setToken(undefined)
          if (connectionToRevoke) await revoke.mutateAsync(connectionToRevoke).catch(() => undefined)
        }}
      >
        Starting with its next call, <bdi>{connectionToRevoke?.name}</bdi> can’t read or write anything. Keeper can’t
        delete what it has already read.
      </ConfirmDialog>
    </section>
  )
}

interface ConnectionRowProps {
  connection: Connection
  keepers: readonly Keeper[] | undefined
  onShowReads: () => void
  onChange: () => void
  onRevoke: () => void
}

function ConnectionRow({ connection, keepers, onShowReads, onChange, onRevoke }: ConnectionRowProps) {
  const { name, hint, scopes, purpose, createdAt, lastUsedAt, expiresAt, revokedAt } = connection
  const hasExpired = expiresAt !== null && Date.parse(expiresAt) <= Date.now()
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 border-b border-hairline px-5 py-4 last:border-0 phone:px-4">
      <div className="min-w-0 flex-1 basis-64">
        <div className="flex flex-wrap items-center gap-2">
          <h3 dir="auto" className="wrap-anywhere">
            {name}
          </h3>
          {revokedAt !== null ? <Badge>Revoked</Badge> : hasExpired && <Badge tone="warning">Expired</Badge>}
        </div>
        {purpose && (
          <p dir="auto" className="mt-0.5 text-ui wrap-anywhere">
            {purpose}
          </p>
        )}
        <p className="mt-0.5 text-ui text-muted-foreground">
          {scopes.map((scope) => scopeLabels[scope].label).join(', ')} ·{' '}
          <KeeperNames ids={connection.keeperIds} keepers={keepers} />
        </p>
        <p className="mt-0.5 text-small text-muted-foreground">
          {hint && <span className="font-mono">…{hint}</span>} Created <Time value={createdAt} />
          {', '}
          {lastUsedAt ? (
            <>
              last used <Time value={lastUsedAt} timeStyle="date-time" />
            </>
          ) : (
            'never used'
          )}
          {revokedAt === null && expiresAt !== null && (
            <>
              , expires <Time value={expiresAt} />
            </>
          )}
        </p>
      </div>
      <Button size="small" variant="plain" aria-label={`What it knows: ${name}`} onClick={onShowReads}>
        What it knows
      </Button>
      {revokedAt === null && (
        <Button size="small" variant="plain" aria-label={`Change the access of ${name}`} onClick={onChange}>
          Change
        </Button>
      )}
      {revokedAt === null && (
        <Button size="small" aria-label={`Revoke the access of ${name}`} onClick={onRevoke}>
          Revoke
        </Button>
      )}
    </li>
  )
}

function KeeperNames({ ids, keepers = [] }: { ids: string[] | null; keepers: readonly Keeper[] | undefined }) {
  if (ids === null) return <>all keepers</>
  const titles = keepers.filter(({ id }) => ids.includes(id)).map(({ title }) => title)
  return <bdi>{titles.join(', ') || 'no keeper'}</bdi>
}

const createTexts = {
  title: 'Create an access token',
  description: 'For a script or an app that calls Keeper for you. Anyone who has the token can do what you allow here.',
  saveLabel: 'Create token',
  busyLabel: 'Creating...',
  failureTitle: 'The token couldn’t be created.',
}
const changeTexts = {
  title: 'Change the access',
  description: 'It applies from the program’s next call. Keeper can’t delete what it has already read.',
  saveLabel: 'Save',
  busyLabel: 'Saving...',
  failureTitle: 'The change couldn’t be saved.',
}

interface ConnectionDialogProps {
  /** The connection to edit; undefined to create a token. */
  connection: Connection | undefined
  keepers: readonly Keeper[]
  onSaved: (created?: EndpointOutput<typeof connections.createToken>) => Promise<unknown>
  onClose: () => void
}

function ConnectionDialog({ connection, keepers, onSaved, onClose }: ConnectionDialogProps) {
  const form = useSubmitForm({
    draftKey: connection ? `connections/${connection.id}` : 'access-token/new',
    blank: { name: connection?.name ?? '', ...(connection ? toConsentValues(connection) : blankConsent) },
    validate: (values) => ({
      ...(values.name.trim() === '' && { name: 'Enter a name.' }),
      ...findConsentProblems(values),
    }),
    async submit(values) {
      const { name, scopes } = values
      const body = { name, ...toConsentBody(values) }
      if (!connection) return onSaved(await call(connections.createToken, { body: { ...body, scopes } }))
      await call(connections.update, { params: { id: connection.id }, body })
      await onSaved()
    },
  })
  return (
    <EntityFormDialog form={form} onClose={onClose} {...(connection ? changeTexts : createTexts)} locksWhileBusy>
      <TextField label="Name" required maxLength={80} placeholder="My editor" {...form.field('name')} />
      <ConsentFields
        values={form.values}
        onChange={form.set}
        keepers={keepers.filter((keeper) => !isSampleKeeper(keeper))}
        {...(connection && { offeredScopes: [] })}
        errors={form.errors}
      />
    </EntityFormDialog>
  )
}
