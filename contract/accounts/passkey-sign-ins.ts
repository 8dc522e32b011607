import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { passkeyOptions, passkeyResponse } from './passkey-messages.ts'
import { signInResult } from './visitor-calls.ts'

/** Separate from visitor-calls.ts, which every page loads. */
export const passkeySignIns = {
  options: defineEndpoint('POST /api/kam/auth/passkeys/sign-in-options', {
    summary: 'Get the options to sign in with a passkey, without an email',
    access: 'public',
    response: passkeyOptions,
  }),
  finish: defineEndpoint('POST /api/kam/auth/passkeys/sign-in', {
    summary: 'Sign in with a passkey',
    access: 'public',
    body: z.object({ response: passkeyResponse }),
    response: signInResult,
  }),
}
