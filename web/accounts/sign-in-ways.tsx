import { useEffect, useRef, useState } from 'react'
import type { PasskeyOptions } from '#contract/accounts/passkey-messages.ts'
import { passkeySignIns } from '#contract/accounts/passkey-sign-ins.ts'
import { visitorCalls } from '#contract/accounts/visitor-calls.ts'
import { ApiError, call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Checkbox } from '#web/ui/controls/checkbox.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { AuthHeading, SubmitButton, TextButton } from './auth-frame.tsx'
import { CodeField, getCodeProblem } from './code-field.tsx'
import {
  browserSupportsWebAuthnAutofill,
  canUsePasskeysHere,
  getPasskey,
  signalUnknownPasskey,
  toPasskeyFailure,
  WebAuthnAbortService,
} from './passkey-browser.ts'
import { storeDeviceToken } from './second-step.ts'
import { redirectAfterSignIn } from './sign-in-destination.ts'
import { useSubmit } from './use-submit.ts'

/** The second step of a sign-in with the password. */
export function CodeStep({ pendingToken, onBack }: { pendingToken: string; onBack: () => void }) {
  const [remembersDevice, setRemembersDevice] = useState(false)
  const { busy, failure, errors, form } = useSubmit({
    validate: ({ code }) => ({ code: getCodeProblem(code) }),
    send: async ({ code = '' }) => {
      const body = { pendingToken, code: code.trim(), remembersDevice }
      const { deviceToken, ...signedIn } = await call(visitorCalls.completeSignIn, { body })
      storeDeviceToken(deviceToken)
      redirectAfterSignIn(signedIn)
    },
  })
  return (
    <>
      <AuthHeading title="One more step">Signing in to your account also needs a code.</AuthHeading>
      <form {...form} className="flex flex-col gap-4">
        {failure && <Banner tone="error">{failure}</Banner>}
        <CodeField error={errors.code} autoFocus />
        <Checkbox
          label="Don’t ask for a code on this device for 30 days"
          checked={remembersDevice}
          onCheckedChange={setRemembersDevice}
        />
        <SubmitButton busy={busy} busyLabel="Signing in...">
          Sign in
        </SubmitButton>
        <p>
          <TextButton onClick={onBack}>Back to sign in</TextButton>
        </p>
      </form>
    </>
  )
}

/** Offers passkeys in the email field, and a button where this page can use them. */
export function PasskeySignIn() {
  const [isOffered, setOffered] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const isUnmounted = useRef(false)

  useEffect(() => {
    isUnmounted.current = false
    const offer = async () => {
      const options = await fetchOptions()
      if (isUnmounted.current || !canUsePasskeysHere(options.rpId)) return
      setOffered(true)
      if (await browserSupportsWebAuthnAutofill()) await signInWithPasskey(options, { useBrowserAutofill: true })
    }
    // Only a refused passkey is reported; any other error means that this browser offers none.
    offer().catch((reason: unknown) => {
      if (reason instanceof ApiError && reason.status === 403) setFailure(reason.message)
    })
    return () => {
      isUnmounted.current = true
      WebAuthnAbortService.cancelCeremony()
    }
  }, [])

  async function onClick() {
    setBusy(true)
    setFailure(undefined)
    try {
      await signInWithPasskey(await fetchOptions())
    } catch (reason) {
      setFailure(toPasskeyFailure(reason))
    } finally {
      setBusy(false)
    }
  }

  if (!isOffered) return null
  return (
    <>
      {failure && <Banner tone="error">{failure}</Banner>}
      <Button size="large" className="w-full" busy={busy} busyLabel="Waiting for your passkey..." onClick={onClick}>
        Sign in with a passkey
      </Button>
    </>
  )
}

const fetchOptions = () => call(passkeySignIns.options)

async function signInWithPasskey(options: PasskeyOptions, { useBrowserAutofill = false } = {}): Promise<void> {
  const response = await getPasskey(options, useBrowserAutofill)
  try {
    redirectAfterSignIn(await call(passkeySignIns.finish, { body: { response } }))
  } catch (reason) {
    if (reason instanceof ApiError && reason.code === 'passkey-unknown') signalUnknownPasskey(options.rpId, response.id)
    throw reason
  }
}
