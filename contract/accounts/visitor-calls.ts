import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { displayLine, oneLine } from '../one-line-text.ts'
import { emailAddress } from './email-address.ts'

export const user = z.object({
  id: z.string(),
  name: z.nullable(displayLine),
  nickname: z.nullable(displayLine),
  email: z.string(),
})
export type User = z.infer<typeof user>

export const passwordLength = { min: 8, max: 128 }
export const password = z
  .string()
  .check(
    z.minLength(passwordLength.min, `Use at least ${passwordLength.min} characters.`),
    z.maxLength(passwordLength.max, `Use at most ${passwordLength.max} characters.`),
  )

export const signInResult = z.object({ user, token: z.string(), expiresAt: z.string() })
export type SignInResult = z.infer<typeof signInResult>

/** A code of an authenticator app, or a recovery code. */
export const oneTimeCode = z
  .string()
  .check(z.trim(), z.minLength(1, 'Enter the code.'), z.maxLength(64, 'Enter a code of 6 digits, or a recovery code.'))

const emptyResponse = z.nullable(z.object({}))

/** Endpoints for visitors, in a separate file to keep the sign-in bundle small. */
export const visitorCalls = {
  login: defineEndpoint('POST /api/kam/auth/login', {
    summary: 'Sign in with email and password',
    access: 'public',
    worksWhileLocked: true,
    body: z.object({
      email: z.string().check(z.maxLength(254)),
      password: z.string().check(z.maxLength(1024)),
      /** From an earlier sign-in with a code on this device; it takes the place of the code. */
      deviceToken: z.optional(z.nullable(z.string().check(z.maxLength(200)))),
    }),
    response: signInResult,
  }),
  completeSignIn: defineEndpoint('POST /api/kam/auth/login/code', {
    summary: 'Finish a sign-in with a code, after "second-factor-needed"',
    access: 'public',
    body: z.object({
      pendingToken: z.string().check(z.maxLength(200)),
      code: oneTimeCode,
      /** Signing in on this device needs no code for 30 days. */
      remembersDevice: z.optional(z.boolean()),
    }),
    response: z.extend(signInResult, { deviceToken: z.nullable(z.string()) }),
  }),
  register: defineEndpoint('POST /api/kam/auth/register', {
    summary: 'Create an account; a setup token makes it the first administrator',
    access: 'public',
    body: z.object({
      email: emailAddress,
      password,
      name: z.optional(z.nullable(oneLine({ max: 120 }))),
      setupToken: z.optional(z.nullable(z.string().check(z.maxLength(200)))),
      /** The new account joins the inviting domain right away, even if registration is closed. */
      invitationToken: z.optional(z.nullable(z.string().check(z.maxLength(200)))),
    }),
    response: signInResult,
  }),
  requestPasswordReset: defineEndpoint('POST /api/kam/auth/password-reset', {
    summary: 'Email a reset link if the account exists; the response is the same either way',
    access: 'public',
    body: z.object({ email: emailAddress }),
    response: z.object({ mailed: z.boolean() }),
  }),
  completePasswordReset: defineEndpoint('POST /api/kam/auth/password-reset/complete', {
    summary: 'Set a new password with the one-time link',
    access: 'public',
    body: z.object({ token: z.string().check(z.maxLength(200)), newPassword: password }),
    response: emptyResponse,
  }),
}
