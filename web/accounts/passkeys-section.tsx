import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { maxPasskeys, type Passkey, type PasskeyList, passkeys } from '#contract/accounts/passkeys.ts'
import { call } from '#web/api/api.ts'
import { QueryState } from '#web/queries/query-error.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Section } from '#web/ui/panels/section.tsx'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { Time } from '#web/ui/text/time.tsx'
import { toAccountFailureText } from './check-account.ts'
import {
  browserSupportsWebAuthn,
  createPasskey,
  isPasskeyHost,
  signalAcceptedPasskeys,
  toPasskeyFailure,
} from './passkey-browser.ts'
import { useSubmit } from './use-submit.ts'

const passkeysKey = ['own-account', 'passkeys']

export function PasskeysSection() {
  const queryClient = useQueryClient()
  const query = useQuery({ queryKey: passkeysKey, queryFn: ({ signal }) => call(passkeys.list, { signal }) })
  const [passkeyToRename, setPasskeyToRename] = useState<Passkey>()
  const [passkeyToRemove, setPasskeyToRemove] = useState<Passkey>()
  const refresh = () => queryClient.invalidateQueries({ queryKey: passkeysKey })
  const add = useMutation({
    mutationFn: async () => {
      const options = await call(passkeys.registrationOptions)
      return call(passkeys.register, { body: { response: await createPasskey(options) } })
    },
    onSettled: refresh,
  })
  const failure = add.error && toPasskeyFailure(add.error)
  const { data } = query
  const otherHostCount = data?.passkeys.filter(({ worksHere }) => !worksHere).length ?? 0
  const unavailableText = data && getUnavailableText(data)

  return (
    <Section
      title="Passkeys"
      help="Sign in with your fingerprint, face or device PIN, without a password or code."
      className="border-t! pt-[30px]!"
    >
      {add.isSuccess && (
        <Banner key={add.submittedAt} tone="success">
          {add.data.name} was added.
        </Banner>
      )}
      {failure && <Banner tone="error">{failure}</Banner>}
      <QueryState
        query={query}
        skeleton={<SkeletonRows rowClassName="h-14" />}
        title="Your passkeys couldn’t be loaded"
      />
      {data && data.passkeys.length > 0 && (
        <ul className="border-y border-border">
          {data.passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              onRename={() => setPasskeyToRename(passkey)}
              onRemove={() => setPasskeyToRemove(passkey)}
            />
          ))}
        </ul>
      )}
      {otherHostCount > 0 && (
        <Banner tone="warning">
          {pluralize(otherHostCount, 'passkey')} of an earlier address of this server can’t be used here. Add a new one.
        </Banner>
      )}
      {unavailableText && <p className="text-muted-foreground">{unavailableText}</p>}
      {data && !unavailableText && (
        <div>
          <Button
            busy={add.isPending}
            busyLabel="Waiting for your device..."
            disabled={data.passkeys.length >= maxPasskeys}
            onClick={() => add.mutate()}
          >
            Add a passkey
          </Button>
        </div>
      )}
      {passkeyToRename && (
        <RenameDialog passkey={passkeyToRename} onClose={() => setPasskeyToRename(undefined)} onRenamed={refresh} />
      )}
      <ConfirmDialog
        open={passkeyToRemove !== undefined}
        onOpenChange={() => setPasskeyToRemove(undefined)}
        title="Remove this passkey?"
        confirmLabel="Remove"
        busyLabel="Removing..."
        formatError={toAccountFailureText}
        onConfirm={async () => {
          if (!passkeyToRemove) return
          const { rpId, userId, credentialIds } = await call(passkeys.remove, { params: { id: passkeyToRemove.id } })
          if (rpId !== null && userId !== null) signalAcceptedPasskeys(rpId, userId, credentialIds)
          await refresh()
        }}
      >
        <p>
          <span dir="auto">{passkeyToRemove?.name}</span> can no longer sign in. Remove it from your device or password
          manager, too.
        </p>
      </ConfirmDialog>
    </Section>
  )
}

/** Why there is nothing to add here: the server has no host name, or this page isn't on it. */
function getUnavailableText({ unavailable, rpId }: PasskeyList): string | undefined {
  if (unavailable !== null || rpId === null) return unavailable ?? undefined
  if (!isPasskeyHost(rpId))
    return rpId === 'localhost'
      ? 'Passkeys need a host name. Set KEEPER_PUBLIC_URL to this server’s https address and open Keeper there. On the server itself, localhost works, too.'
      : `Passkeys of this server work only on ${rpId}. Open Keeper there.`
  return browserSupportsWebAuthn() ? undefined : 'This browser doesn’t support passkeys on this page.'
}

interface PasskeyRowProps {
  passkey: Passkey
  onRename: () => void
  onRemove: () => void
}

function PasskeyRow({ passkey, onRename, onRemove }: PasskeyRowProps) {
  return (
    <li
      data-item
      className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 border-b border-hairline py-2.5 last:border-b-0"
    >
      <KeyRound aria-hidden size={18} className="shrink-0 text-muted-foreground" />
      <span className="min-w-0 flex-1 basis-48">
        <span className="flex flex-wrap items-center gap-2 font-medium">
          <span dir="auto" className="wrap-anywhere">
            {passkey.name}
          </span>
          <Badge>{passkey.isSynced ? 'Synced' : 'This device only'}</Badge>
          {!passkey.worksHere && <Badge tone="warning">Other address</Badge>}
        </span>
        <span className="block text-small text-muted-foreground">
          Added <Time value={passkey.createdAt} />
          {passkey.lastUsedAt && (
            <>
              , last used <Time value={passkey.lastUsedAt} timeStyle="date-time" />
            </>
          )}
        </span>
      </span>
      <Button size="small" aria-label={`Rename ${passkey.name}`} onClick={onRename}>
        Rename
      </Button>
      <Button size="small" aria-label={`Remove ${passkey.name}`} onClick={onRemove}>
        Remove
      </Button>
    </li>
  )
}

interface RenameDialogProps {
  passkey: Passkey
  onClose: () => void
  onRenamed: () => void
}

function RenameDialog({ passkey, onClose, onRenamed }: RenameDialogProps) {
  const { busy, failure, errors, form } = useSubmit({
    validate: ({ name = '' }) => ({ name: name.trim() === '' ? 'Enter a name.' : undefined }),
    send: async ({ name = '' }) => {
      await call(passkeys.rename, { params: { id: passkey.id }, body: { name } })
      onRenamed()
      onClose()
    },
  })
  return (
    <FormDialog onClose={onClose} title="Rename passkey" size="small" form={form} submitLabel="Save" busy={busy}>
      {failure && <Banner tone="error">{failure}</Banner>}
      <TextField label="Name" name="name" maxLength={60} defaultValue={passkey.name} error={errors.name} />
    </FormDialog>
  )
}
