import { platformRoles } from '#contract/accounts/accounts.ts'
import { administration } from '#contract/administration/administration.ts'
import { signInPolicies } from '#contract/administration/sign-in-policy.ts'
import { readSignInPolicy, saveSignInPolicy } from '#server/accounts/second-factor/sign-in-policy.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import {
  createHandedOverResetLink,
  deactivateAccount,
  reactivateAccount,
  removeAnothersSecondFactor,
  signOutEverywhere,
} from './account-actions.ts'
import { grantRole, listRoleUsers, revokeRole, showRoleUser } from './roles.ts'
import { exportUser, listUsers, showUser } from './users.ts'

export function administrationRoutes(services: Services): ServedCall[] {
  return [
    ...serveArea('signInPolicies', signInPolicies, {
      show: () => readSignInPolicy(services),
      save: ({ person, body }) => saveSignInPolicy(services, person, body),
    }),
    ...serveArea('administration', administration, {
      roles: () => platformRoles.map((name) => ({ id: name, name })),
      roleUsers: ({ query }) => listRoleUsers(services, query),
      assignRole: async ({ person, body }) => {
        await grantRole(services, { personId: body.userId, role: body.roleName, by: person })
        return showRoleUser(services, body.userId)
      },
      removeRole: async ({ person, body }) => {
        await revokeRole(services, { personId: body.userId, role: body.roleName, by: person })
        return showRoleUser(services, body.userId)
      },
      users: ({ query }) => listUsers(services, query),
      user: ({ person, params }) => showUser(services, person, params.id),
      signOutEverywhere: ({ person, params }) => signOutEverywhere(services, person, params.id),
      deactivate: ({ person, params }) => deactivateAccount(services, person, params.id),
      reactivate: ({ person, params }) => reactivateAccount(services, person, params.id),
      resetLink: async ({ person, params }) => ({ link: await createHandedOverResetLink(services, person, params.id) }),
      removeSecondFactor: ({ person, params }) => removeAnothersSecondFactor(services, person, params.id),
      exportUser: ({ person, params }) => exportUser(services, person, params.id),
    }),
  ]
}
