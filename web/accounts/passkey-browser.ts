import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import type { PasskeyOptions, PasskeyResponse } from '#contract/accounts/passkey-messages.ts'

export { browserSupportsWebAuthn, browserSupportsWebAuthnAutofill, WebAuthnAbortService }

/** Browsers accept a passkey only on its own host, which can't be an IP address. */
export function isPasskeyHost(rpId: string): boolean {
  const { hostname } = location
  return hostname === rpId || hostname.endsWith(`.${rpId}`)
}

export const canUsePasskeysHere = (rpId: string): boolean => browserSupportsWebAuthn() && isPasskeyHost(rpId)

export async function createPasskey({ options }: PasskeyOptions): Promise<PasskeyResponse> {
  return (await startRegistration({ optionsJSON: options as never })) as PasskeyResponse
}

export async function getPasskey({ options }: PasskeyOptions, useBrowserAutofill = false): Promise<PasskeyResponse> {
  return (await startAuthentication({ optionsJSON: options as never, useBrowserAutofill })) as PasskeyResponse
}

interface SignalMethods {
  signalUnknownCredential?(options: { rpId: string; credentialId: string }): Promise<void>
  signalAllAcceptedCredentials?(options: {
    rpId: string
    userId: string
    allAcceptedCredentialIds: string[]
  }): Promise<void>
}

const getSignals = () => globalThis.PublicKeyCredential as unknown as SignalMethods | undefined

/** Lets the password manager drop a passkey that Keeper no longer knows. Best effort: there is no answer. */
export function signalUnknownPasskey(rpId: string, credentialId: string): void {
  getSignals()
    ?.signalUnknownCredential?.({ rpId, credentialId })
    .catch(() => undefined)
}

export function signalAcceptedPasskeys(rpId: string, userId: string, credentialIds: string[]): void {
  getSignals()
    ?.signalAllAcceptedCredentials?.({ rpId, userId, allAcceptedCredentialIds: credentialIds })
    .catch(() => undefined)
}

/** Texts for the person; undefined if they canceled. */
export function toPasskeyFailure(reason: unknown): string | undefined {
  if (!(reason instanceof Error)) return 'The passkey couldn’t be used.'
  if (reason.name === 'NotAllowedError' || reason.name === 'AbortError') return undefined
  if (reason.name === 'InvalidStateError') return 'This device already has a passkey for your account.'
  return reason.message || 'The passkey couldn’t be used.'
}
