import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { emptyResponse, id } from '../keepers/keeper-fields.ts'
import { displayLine } from '../one-line-text.ts'
import { signInResult } from './visitor-calls.ts'

/** A sign-in that has started. The page stores `flow` under `state` until the provider sends the person back. */
const startedFlow = z.object({ url: z.string(), state: z.string(), flow: z.string() })

/** The query that the provider added to the callback address, with the flow that the page stored. */
const callback = z.object({
  flow: z.string().check(z.maxLength(4000)),
  query: z.string().check(z.maxLength(4000)),
})

/** An identity of the person at the provider. */
export const oidcIdentity = z.object({
  id: z.string(),
  /** The host name of the provider. */
  issuer: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.nullable(z.string()),
})
export type OidcIdentity = z.infer<typeof oidcIdentity>

/** Sign-in through the identity provider that the operator configured (OpenID Connect). */
export const oidc = {
  provider: defineEndpoint('GET /api/kam/auth/oidc', {
    summary: 'Get the identity provider to sign in with, if one is set up',
    access: 'public',
    response: z.object({
      /** `null`: none is set up, or it can’t be used. */
      label: z.nullable(displayLine),
      /** Why it can’t be used. */
      problem: z.nullable(z.string()),
      /** Sign-in has to start and end on pages of this origin. */
      origin: z.nullable(z.string()),
    }),
  }),
  start: defineEndpoint('POST /api/kam/auth/oidc/start', {
    summary: 'Start a sign-in at the identity provider',
    access: 'public',
    body: z.object({ invitationToken: z.optional(z.nullable(z.string().check(z.maxLength(200)))) }),
    response: startedFlow,
  }),
  complete: defineEndpoint('POST /api/kam/auth/oidc/complete', {
    summary: 'Complete a sign-in with the answer of the identity provider; can create the account',
    access: 'public',
    body: callback,
    response: z.object({
      signedIn: z.nullable(signInResult),
      /** Signs the person out at the provider; `null` if it has no such address. */
      endSessionUrl: z.nullable(z.string()),
      /** An account with this email exists. Its owner signs in to connect it, within 10 minutes. */
      connect: z.nullable(z.object({ ticket: z.string(), email: z.string() })),
    }),
  }),
  identities: defineEndpoint('GET /api/kam/auth/oidc/identities', {
    summary: 'List the identities you can sign in with, and whether you can connect one',
    access: 'person',
    response: z.object({ label: z.nullable(displayLine), items: z.array(oidcIdentity) }),
  }),
  startLink: defineEndpoint('POST /api/kam/auth/oidc/link/start', {
    summary: 'Start connecting an identity to your account',
    access: 'person',
    proof: 'recent',
    response: startedFlow,
  }),
  link: defineEndpoint('POST /api/kam/auth/oidc/link', {
    summary: 'Connect the identity that the provider confirmed to your account',
    access: 'person',
    body: callback,
    response: oidcIdentity,
  }),
  connect: defineEndpoint('POST /api/kam/auth/oidc/connect', {
    summary: 'Connect the identity of a sign-in that found your account by its email',
    access: 'person',
    proof: 'recent',
    body: z.object({ ticket: z.string().check(z.maxLength(4000)) }),
    response: oidcIdentity,
  }),
  startProof: defineEndpoint('POST /api/kam/auth/oidc/proof/start', {
    summary: 'Start confirming your identity: the identity provider asks you to sign in again',
    access: 'person',
    response: startedFlow,
  }),
  prove: defineEndpoint('POST /api/kam/auth/oidc/proof', {
    summary: 'Confirm that it’s you with the answer of the identity provider; valid for 5 minutes from that sign-in',
    access: 'person',
    worksWhileLocked: true,
    body: callback,
    response: z.object({ provedAt: z.string() }),
  }),
  unlink: defineEndpoint('DELETE /api/kam/auth/oidc/identities/:id', {
    summary: 'Disconnect an identity; the last way to sign in stays',
    access: 'person',
    proof: 'recent',
    params: z.object({ id }),
    response: emptyResponse,
  }),
}
