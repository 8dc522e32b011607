import * as z from 'zod/mini'

/** 1023 bytes, the longest credential id, as base64url. */
const credentialId = z.string().check(z.minLength(1), z.maxLength(1364))
const base64UrlBytes = z.string().check(z.maxLength(32_768))

/** The answer of an authenticator, as `@simplewebauthn/browser` sends it. Extensions aren't used. */
export const passkeyResponse = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  authenticatorAttachment: z.optional(z.enum(['platform', 'cross-platform'])),
  response: z.object({
    clientDataJSON: base64UrlBytes,
    attestationObject: z.optional(base64UrlBytes),
    authenticatorData: z.optional(base64UrlBytes),
    signature: z.optional(base64UrlBytes),
    userHandle: z.optional(z.string().check(z.maxLength(128))),
    transports: z.optional(z.array(z.string().check(z.maxLength(32))).check(z.maxLength(10))),
  }),
})
export type PasskeyResponse = z.infer<typeof passkeyResponse>

/** Options for the browser, with the only host name that they work on. */
export const passkeyOptions = z.object({ rpId: z.string(), options: z.record(z.string(), z.unknown()) })
export type PasskeyOptions = z.infer<typeof passkeyOptions>
