import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { type PersonalToolServer, personalToolServers } from '#contract/agents/personal-tool-servers.ts'
import { type CallInput, call, getServerMessage } from '#web/api/api.ts'
import { QueryState } from '#web/queries/query-error.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { useNotice } from '#web/ui/hooks/use-notice.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { withNames } from '#web/ui/text/with-names.tsx'
import {
  AddToolServer,
  getClientRequest,
  personalToolServersKey,
  ToolServerClientDialog,
  usePersonalToolServers,
} from './add-tool-server.tsx'

/** Guards against double effects: a sign-in can finish only once. */
const finishedStates = new Set<string>()

/** Finishes a sign-in redirected back from a tool server and removes its parameters from the address. */
function useReturnedSignIn(onEnd: (server: PersonalToolServer | undefined, reason?: unknown) => void) {
  const { search, pathname } = useLocation()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: (body: FinishedSignIn) => call(personalToolServers.finishSignIn, { body }),
    onSuccess: (server) => {
      onEnd(server)
      void queryClient.invalidateQueries({ queryKey: ['tools'] })
      return queryClient.invalidateQueries({ queryKey: personalToolServersKey })
    },
    onError: (reason) => onEnd(undefined, reason),
  })
  useEffect(() => {
    const params = new URLSearchParams(search)
    const state = params.get('state')
    if (!state || !(params.has('code') || params.has('error')) || finishedStates.has(state)) return
    finishedStates.add(state)
    const getParam = (name: string) => params.get(name) ?? undefined
    mutate({ state, code: getParam('code'), iss: getParam('iss'), error: getParam('error') })
    navigate(pathname, { replace: true })
  }, [search, pathname, navigate, mutate])
  return { isFinishing: isPending }
}

type FinishedSignIn = CallInput<typeof personalToolServers.finishSignIn>['body']

export function PersonalToolServers() {
  const list = usePersonalToolServers()
  const queryClient = useQueryClient()
  const [isAdding, setAdding] = useState(false)
  const [serverToRemove, setServerToRemove] = useState<PersonalToolServer>()
  const { showNotice, clearNotice, noticeBanner } = useNotice('mb-4')
  const showServer = (server: PersonalToolServer) => showNotice(...describeServer(server))
  const { isFinishing } = useReturnedSignIn((server, reason) =>
    server ? showServer(server) : showNotice('error', describeReason(reason)),
  )
  const startSignIn = async (id: string, client: { client_id?: string; client_secret?: string } = {}) => {
    const { authorization_url } = await call(personalToolServers.startSignIn, { params: { id }, body: client })
    window.location.assign(authorization_url)
  }
  const signIn = useMutation({
    mutationFn: ({ id }: PersonalToolServer) => startSignIn(id),
    onMutate: clearNotice,
    onError: (reason) => {
      if (!getClientRequest(reason)) showNotice('error', describeReason(reason))
    },
  })
  const clientRequest = getClientRequest(signIn.error)

  async function remove({ id, name }: PersonalToolServer) {
    try {
      await call(personalToolServers.remove, { params: { id } })
      showNotice('success', `${name} was removed.`)
    } catch (reason) {
      showNotice('error', describeReason(reason))
    }
    void queryClient.invalidateQueries({ queryKey: ['tools'] })
    await queryClient.invalidateQueries({ queryKey: personalToolServersKey })
  }

  return (
    <section aria-label="Your tool servers" className="mt-10 max-w-[860px]">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2>Your tool servers</h2>
        <Button size="small" onClick={() => setAdding(true)}>
          Add tool server
        </Button>
      </div>
      <p className="mt-1 mb-4 max-w-[72ch] text-muted-foreground">
        Tools (MCP) that your own agents can use when you run them. Tools that make changes ask you first. So do tools
        that can send data, once an agent has read something of yours.
      </p>
      {noticeBanner}
      {isFinishing && <p role="status">Finishing the sign-in...</p>}
      <QueryState
        query={list}
        skeleton={<SkeletonRows label="Loading your tool servers" rowClassName="h-5 w-60" />}
        title="Failed to load your tool servers"
      >
        Nothing was changed.
      </QueryState>
      {list.data?.length === 0 && <p className="text-ui">You have no tool servers yet.</p>}
      {list.data && list.data.length > 0 && (
        <ul className="rounded-lg border border-border bg-card shadow-e1">
          {list.data.map((server) => (
            <ToolServerRow
              key={server.id}
              server={server}
              signingIn={signIn.isPending && signIn.variables.id === server.id}
              onSignIn={() => signIn.mutate(server)}
              onRemove={() => setServerToRemove(server)}
            />
          ))}
        </ul>
      )}
      {isAdding && (
        <AddToolServer
          onClose={() => setAdding(false)}
          onAdded={(server) => {
            setAdding(false)
            showServer(server)
          }}
        />
      )}
      {clientRequest && signIn.variables && (
        <ToolServerClientDialog
          server={signIn.variables}
          redirectUrl={clientRequest.redirectUrl}
          onSignIn={(client) => startSignIn(signIn.variables.id, client)}
          onClose={signIn.reset}
        />
      )}
      <ConfirmDialog
        open={serverToRemove !== undefined}
        onOpenChange={(open) => !open && setServerToRemove(undefined)}
        title={withNames`Remove ${serverToRemove?.name ?? ''}?`}
        confirmLabel="Remove server"
        busyLabel="Removing..."
        onConfirm={() => serverToRemove && remove(serverToRemove)}
      >
        Agents that use this server’s tools will run without them. Its sign-in or header is deleted from Keeper. To
        revoke access on the server itself, do that there.
      </ConfirmDialog>
    </section>
  )
}

interface ToolServerRowProps {
  server: PersonalToolServer
  signingIn: boolean
  onSignIn: () => void
  onRemove: () => void
}

function ToolServerRow({ server, signingIn, onSignIn, onRemove }: ToolServerRowProps) {
  const { name, address, access, reason, tools, needs_sign_in: needsSignIn } = server
  const signInLabel = access === 'sign-in' ? 'Sign in again' : 'Sign in'
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 border-b border-hairline px-5 py-4 last:border-0 phone:px-4">
      <div className="min-w-0 flex-1 basis-64">
        <div className="flex flex-wrap items-center gap-2">
          <h3 className="wrap-anywhere">{name}</h3>
          {needsSignIn ? (
            <Badge tone="warning" dot>
              Sign in
            </Badge>
          ) : reason ? (
            <Badge tone="destructive" dot>
              Unreachable
            </Badge>
          ) : (
            <Badge tone="success" dot>
              {pluralize(tools, 'tool')}
            </Badge>
          )}
        </div>
        <p className="mt-0.5 font-mono text-code wrap-anywhere text-muted-foreground">{address}</p>
        {reason && !needsSignIn && <p className="mt-1 text-ui wrap-anywhere text-destructive">{reason}</p>}
        {needsSignIn && (
          <p className="mt-1 text-ui text-muted-foreground">
            {access === 'sign-in' ? 'Its sign-in has expired.' : 'Sign in to see its tools.'}
          </p>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-1.5">
        {access !== 'header' && (needsSignIn || access === 'sign-in') && (
          <Button
            size="small"
            variant={needsSignIn ? 'primary' : undefined}
            aria-label={`${signInLabel} to ${name}`}
            busy={signingIn}
            busyLabel="Opening..."
            onClick={onSignIn}
          >
            {signInLabel}
          </Button>
        )}
        <Button size="small" variant="danger-text" aria-label={`Remove ${name}`} onClick={onRemove}>
          Remove
        </Button>
      </div>
    </li>
  )
}

function describeServer(server: PersonalToolServer): ['success' | 'error', string] {
  const { name, tools, reason, needs_sign_in: needsSignIn } = server
  if (needsSignIn) return ['success', `${name} was added. Sign in to see its tools.`]
  if (reason) return ['error', `${name} was added, but its tools couldn’t be read. ${reason}`]
  return ['success', `${name} is connected with ${pluralize(tools, 'tool')}.`]
}

function describeReason(reason: unknown): string {
  return getServerMessage(reason) ?? 'The server couldn’t be reached. Check your connection.'
}
