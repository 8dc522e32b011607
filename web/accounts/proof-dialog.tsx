import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { oidc } from '#contract/accounts/oidc.ts'
import { type ProofMethods, proofs } from '#contract/accounts/second-factor.ts'
import { call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { getPasswordProblem, toAccountFailureText } from './check-account.ts'
import { CodeField, getCodeProblem } from './code-field.tsx'
import { storeFlow } from './oidc/started-flow.ts'
import { canUsePasskeysHere, getPasskey, toPasskeyFailure } from './passkey-browser.ts'
import { readStoredSession } from './stored-session.ts'
import { useSubmit } from './use-submit.ts'

let pendingProof: Promise<boolean> | undefined

/** Refused calls share one dialog. It is outside the app's tree, because any call can need it. */
export function requestProof(code: 'proof-needed' | 'second-factor-required'): Promise<boolean> {
  pendingProof ??= openDialog(code).finally(() => {
    pendingProof = undefined
  })
  return pendingProof
}

async function openDialog(code: string): Promise<boolean> {
  const methods = await call(proofs.methods).catch(() => ({
    password: true,
    passkey: false,
    code: false,
    provider: null,
  }))
  const isForSecondFactor = code === 'second-factor-required'
  const offeredMethods = isForSecondFactor ? { ...methods, password: false, provider: null } : methods
  const container = document.createElement('div')
  document.body.append(container)
  const root = createRoot(container)
  try {
    return await new Promise<boolean>((resolve) => {
      root.render(<ProofDialog methods={offeredMethods} isForSecondFactor={isForSecondFactor} onDone={resolve} />)
    })
  } finally {
    root.unmount()
    container.remove()
  }
}

interface ProofDialogProps {
  methods: ProofMethods
  isForSecondFactor: boolean
  onDone: (isProved: boolean) => void
}

const formId = 'confirm-identity'

/** The provider sends the person back to this page; drafts are stored. Resolves to the reason if it can't leave. */
async function goToProvider(): Promise<string | undefined> {
  const { origin } = await call(oidc.provider)
  if (origin && origin !== location.origin)
    return `This works only at ${origin}. Open Keeper there, and do it from that page.`
  const { url, state, flow } = await call(oidc.startProof)
  storeFlow(state, { purpose: 'prove', flow, next: location.pathname + location.search + location.hash })
  location.assign(url)
  return undefined
}

function ProofDialog({ methods, isForSecondFactor, onDone }: ProofDialogProps) {
  const [method, setMethod] = useState<'password' | 'code'>(methods.password ? 'password' : 'code')
  const [passkeyFailure, setPasskeyFailure] = useState<string>()
  const [isPasskeyBusy, setPasskeyBusy] = useState(false)
  const [canUsePasskey, setCanUsePasskey] = useState(false)
  const [providerFailure, setProviderFailure] = useState<string>()
  const [isProviderBusy, setProviderBusy] = useState(false)
  useEffect(() => setCanUsePasskey(methods.passkey && 'PublicKeyCredential' in globalThis), [methods])
  const { busy, failure, errors, form } = useSubmit({
    validate: ({ password, code }): Record<string, string | undefined> =>
      method === 'password' ? { password: getPasswordProblem(password) } : { code: getCodeProblem(code) },
    send: async ({ password = '', code = '' }) => {
      await call(proofs.prove, { body: method === 'password' ? { password } : { code: code.trim() } })
      onDone(true)
    },
  })

  async function provePasskey() {
    setPasskeyBusy(true)
    try {
      const options = await call(proofs.passkeyOptions)
      if (!canUsePasskeysHere(options.rpId)) {
        setCanUsePasskey(false)
        return setPasskeyFailure(`Passkeys work only on ${options.rpId}.`)
      }
      const passkey = await getPasskey(options)
      await call(proofs.prove, { body: { passkey } })
      onDone(true)
    } catch (reason) {
      setPasskeyFailure(toPasskeyFailure(reason))
    } finally {
      setPasskeyBusy(false)
    }
  }

  async function proveWithProvider() {
    setProviderBusy(true)
    try {
      setProviderFailure(await goToProvider())
    } catch (reason) {
      setProviderFailure(toAccountFailureText(reason))
    } finally {
      // The person can also stay, or return with the browser's Back button.
      setProviderBusy(false)
    }
  }

  const hasForm = methods.password || methods.code
  const hasNoMethod = !hasForm && !methods.passkey && methods.provider === null
  const visibleFailure = failure ?? passkeyFailure ?? providerFailure
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && !busy && onDone(false)}
      size="small"
      title={isForSecondFactor ? 'Two factors needed' : 'Confirm it’s you'}
      description={
        isForSecondFactor
          ? 'This Keeper requires a second factor for administrators.'
          : 'You won’t be asked again for 5 minutes.'
      }
      footer={
        <>
          <Button onClick={() => onDone(false)} disabled={busy}>
            Cancel
          </Button>
          {hasForm && (
            <Button type="submit" form={formId} variant="primary" busy={busy} busyLabel="Checking...">
              Confirm
            </Button>
          )}
        </>
      }
    >
      {visibleFailure && <Banner tone="error">{visibleFailure}</Banner>}
      {hasForm && (
        <form {...form} id={formId} className="flex flex-col gap-4">
          <input
            type="text"
            name="username"
            autoComplete="username"
            value={readStoredSession()?.user.email ?? ''}
            readOnly
            hidden
          />
          {method === 'password' ? (
            <PasswordField label="Password" name="password" autoComplete="current-password" error={errors.password} />
          ) : (
            <CodeField error={errors.code} />
          )}
        </form>
      )}
      <div className="mt-4 flex flex-wrap gap-2 empty:hidden">
        {canUsePasskey && (
          <Button busy={isPasskeyBusy} busyLabel="Waiting..." onClick={provePasskey}>
            Use a passkey
          </Button>
        )}
        {methods.provider !== null && (
          <Button busy={isProviderBusy} busyLabel="Opening..." onClick={proveWithProvider}>
            <span className="truncate" dir="auto">
              Confirm with {methods.provider}
            </span>
          </Button>
        )}
        {methods.password && methods.code && (
          <Button variant="plain" onClick={() => setMethod(method === 'password' ? 'code' : 'password')}>
            {method === 'password' ? 'Use a code' : 'Use the password'}
          </Button>
        )}
        {hasNoMethod && (
          <p>
            {isForSecondFactor ? (
              <>
                Turn on codes or add a passkey under <a href="/root/profile#security">Profile</a>, then try again.
              </>
            ) : (
              'Sign out and in again. A new sign-in counts as a confirmation.'
            )}
          </p>
        )}
      </div>
    </Dialog>
  )
}
