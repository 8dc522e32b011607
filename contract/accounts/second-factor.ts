import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { emptyResponse, id } from '../keepers/keeper-fields.ts'
import { displayLine } from '../one-line-text.ts'
import { passkeyOptions, passkeyResponse } from './passkey-messages.ts'
import { oneTimeCode } from './visitor-calls.ts'

export const recoveryCodeCount = 10

const secondFactorState = z.object({
  enabledAt: z.nullable(z.string()),
  recoveryCodesLeft: z.number(),
  /** This Keeper requires a second factor of administrators, and you are one. */
  isRequired: z.boolean(),
})
export type SecondFactorState = z.infer<typeof secondFactorState>

const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })

const rememberedDevice = z.object({
  id: z.string(),
  device: z.nullable(displayLine),
  createdAt: z.string(),
  expiresAt: z.string(),
})
export type RememberedDevice = z.infer<typeof rememberedDevice>

export const secondFactor = {
  state: defineEndpoint('GET /api/kam/auth/second-factor', {
    summary: 'Get whether codes from an authenticator app are on',
    access: 'person',
    response: secondFactorState,
  }),
  setUp: defineEndpoint('POST /api/kam/auth/second-factor/setup', {
    summary: 'Create the secret for an authenticator app; it counts from the first right code',
    access: 'person',
    proof: 'recent',
    response: z.object({ secret: z.string(), uri: z.string() }),
  }),
  enable: defineEndpoint('POST /api/kam/auth/second-factor', {
    summary: 'Turn codes on with the first one, and get the recovery codes',
    access: 'person',
    proof: 'recent',
    body: z.object({ code: oneTimeCode }),
    response: recoveryCodes,
  }),
  disable: defineEndpoint('DELETE /api/kam/auth/second-factor', {
    summary: 'Turn codes off',
    access: 'person',
    proof: 'recent',
    response: emptyResponse,
  }),
  renewRecoveryCodes: defineEndpoint('POST /api/kam/auth/second-factor/recovery-codes', {
    summary: 'Replace all recovery codes',
    access: 'person',
    proof: 'recent',
    response: recoveryCodes,
  }),
  devices: defineEndpoint('GET /api/kam/auth/second-factor/devices', {
    summary: 'List the devices on which signing in with your password needs no code',
    access: 'person',
    response: z.array(rememberedDevice),
  }),
  forgetDevice: defineEndpoint('DELETE /api/kam/auth/second-factor/devices/:id', {
    summary: 'Ask for a code on a device again',
    access: 'person',
    params: z.object({ id }),
    response: emptyResponse,
  }),
}

const proofMethods = z.object({
  password: z.boolean(),
  /** Passkeys that work on this server’s host name. */
  passkey: z.boolean(),
  code: z.boolean(),
  /** The identity provider’s name, if you’re connected to it. */
  provider: z.nullable(displayLine),
})
export type ProofMethods = z.infer<typeof proofMethods>

export const proofs = {
  methods: defineEndpoint('GET /api/kam/auth/proof', {
    summary: 'Get the ways you can confirm that it’s you',
    access: 'person',
    response: proofMethods,
  }),
  passkeyOptions: defineEndpoint('POST /api/kam/auth/proof/passkey-options', {
    summary: 'Get the options to confirm with a passkey',
    access: 'person',
    worksWhileLocked: true,
    response: passkeyOptions,
  }),
  prove: defineEndpoint('POST /api/kam/auth/proof', {
    summary: 'Confirm that it’s you, with one of password, code or passkey; valid for 5 minutes',
    access: 'person',
    body: z.object({
      password: z.optional(z.string().check(z.maxLength(1024))),
      code: z.optional(oneTimeCode),
      passkey: z.optional(passkeyResponse),
    }),
    response: z.object({ provedAt: z.string() }),
  }),
}
