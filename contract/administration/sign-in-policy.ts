import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'

export const signInPolicy = z.object({
  /** People with a platform role have no permissions in sessions that one factor opened. */
  administratorsNeedTwoFactors: z.boolean('Use true or false.'),
})
export type SignInPolicy = z.infer<typeof signInPolicy>

export const signInPolicies = {
  show: defineEndpoint('GET /api/admin/sign-in-policy', {
    summary: 'Get whether administrators need a second factor',
    access: { permission: 'system_configuration' },
    response: signInPolicy,
  }),
  save: defineEndpoint('PUT /api/admin/sign-in-policy', {
    summary: 'Require a second factor for administrators, or stop requiring it',
    access: { permission: 'system_configuration' },
    proof: 'recent',
    body: signInPolicy,
    response: signInPolicy,
  }),
}
