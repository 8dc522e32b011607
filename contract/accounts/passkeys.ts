import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { id } from '../keepers/keeper-fields.ts'
import { displayLine, oneLine } from '../one-line-text.ts'
import { passkeyOptions, passkeyResponse } from './passkey-messages.ts'

export const maxPasskeys = 20

export const passkeyName = oneLine({ max: 60, min: 1, message: 'Enter a name.' })

export const passkey = z.object({
  id: z.string(),
  name: displayLine,
  createdAt: z.string(),
  lastUsedAt: z.nullable(z.string()),
  /** Available on the person's other devices, too. */
  isSynced: z.boolean(),
  isBackedUp: z.boolean(),
  /** False for a passkey of an earlier host name of this server, which no longer works. */
  worksHere: z.boolean(),
})
export type Passkey = z.infer<typeof passkey>

const passkeyList = z.object({
  passkeys: z.array(passkey),
  /** The only host name that passkeys work on; `null` with a reason in `unavailable`. */
  rpId: z.nullable(z.string()),
  /** Why passkeys can't be used on this server; `null`: they can. */
  unavailable: z.nullable(z.string()),
})
export type PasskeyList = z.infer<typeof passkeyList>

/** For `PublicKeyCredential.signal…`, so that password managers drop passkeys that Keeper no longer knows. */
const acceptedPasskeys = z.object({
  rpId: z.nullable(z.string()),
  userId: z.nullable(z.string()),
  credentialIds: z.array(z.string()),
})

export const passkeys = {
  list: defineEndpoint('GET /api/kam/auth/passkeys', {
    summary: 'List your passkeys',
    access: 'person',
    response: passkeyList,
  }),
  registrationOptions: defineEndpoint('POST /api/kam/auth/passkeys/options', {
    summary: 'Get the options to create a passkey in this browser',
    access: 'person',
    proof: 'recent',
    response: passkeyOptions,
  }),
  register: defineEndpoint('POST /api/kam/auth/passkeys', {
    summary: 'Save a passkey that this browser created',
    access: 'person',
    proof: 'recent',
    body: z.object({ name: z.optional(passkeyName), response: passkeyResponse }),
    response: passkey,
  }),
  rename: defineEndpoint('PATCH /api/kam/auth/passkeys/:id', {
    summary: 'Rename a passkey',
    access: 'person',
    proof: 'recent',
    params: z.object({ id }),
    body: z.object({ name: passkeyName }),
    response: passkey,
  }),
  remove: defineEndpoint('DELETE /api/kam/auth/passkeys/:id', {
    summary: 'Remove a passkey; the last way to sign in can’t be removed',
    access: 'person',
    proof: 'recent',
    params: z.object({ id }),
    response: acceptedPasskeys,
  }),
}
