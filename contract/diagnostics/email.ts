import * as z from 'zod/mini'
import { displayLine } from '../one-line-text.ts'

export const emailProblems = [
  'unreachable',
  'sign-in-refused',
  'sender-refused',
  'server-busy',
  'refused-by-policy',
  'try-later',
  'address-refused',
] as const
export type EmailProblem = (typeof emailProblems)[number]

export const pendingEmailKinds = ['password-reset', 'account-deletion', 'invitation', 'custom-domain-lost'] as const
export type PendingEmailKind = (typeof pendingEmailKinds)[number]

export const emailState = z.object({
  is_set_up: z.boolean(),
  /** Name and address, as in the From line; `null` without a mail server. */
  sender: z.nullable(z.string()),
  /** Settings that are missing for emails to be delivered. */
  warning: z.nullable(z.string()),
  /** Emails that were not delivered, newest first. */
  undelivered: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(pendingEmailKinds),
      problem: z.enum(emailProblems),
      at: z.string(),
      attempts: z.number(),
      /** `null`: it isn't sent again. */
      next_attempt_at: z.nullable(z.string()),
      /** The account it belongs to, for people who can manage accounts. */
      person: z.nullable(z.object({ id: z.string(), name: z.nullable(displayLine) })),
    }),
  ),
  undelivered_count: z.number(),
})
export type EmailState = z.infer<typeof emailState>

export const emailTest = z.object({
  accepted: z.boolean(),
  to: z.string(),
  sender: z.nullable(z.string()),
  /** The problem and its remedy. */
  message: z.string(),
  /** The mail server's own words, without secrets. */
  answer: z.nullable(z.string()),
  ms: z.number(),
})
export type EmailTest = z.infer<typeof emailTest>
