import { accounts } from '#contract/accounts/accounts.ts'
import { passkeySignIns } from '#contract/accounts/passkey-sign-ins.ts'
import { getRolePermissions } from '#contract/accounts/role-permissions.ts'
import { listDomains } from '#server/domains/list-domains.ts'
import { Reply, type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { toIsoTimeOrNull } from '#server/values/iso-time.ts'
import { changePassword, completePasswordReset, requestPasswordReset } from './change-password.ts'
import { readLockSettings } from './lock/app-lock.ts'
import { createPasskeyOptions, signInWithPasskey } from './passkeys/sign-in-with-passkey.ts'
import { getPersonalSettings, updatePersonalSettings, updateProfile } from './profile.ts'
import { register } from './register.ts'
import { completeSignIn } from './second-factor/pending-sign-in.ts'
import { endSession, parseDevice } from './sessions.ts'
import { signIn } from './sign-in.ts'

export function accountRoutes(services: Services): ServedCall[] {
  return [
    ...serveArea('passkeySignIns', passkeySignIns, {
      options: () => createPasskeyOptions(services, 'sign-in'),
      finish: ({ body, address, userAgent }) =>
        signInWithPasskey(services, body.response, address, parseDevice(userAgent)),
    }),
    ...serveArea('accounts', accounts, {
      login: ({ body, address, userAgent }) => signIn(services, body, address, parseDevice(userAgent)),
      completeSignIn: ({ body, userAgent }) => completeSignIn(services, body, parseDevice(userAgent)),
      register: ({ body, address, userAgent }) => register(services, body, address, parseDevice(userAgent)),
      logout: async ({ person }) => {
        await endSession(services, person)
        // Cached page URLs may contain searches. Not `storage`: local documents stay.
        return new Reply({}, { headers: { 'clear-site-data': '"cache"' } })
      },
      session: async ({ person }) => ({
        user: { id: person.id, name: person.name, nickname: person.nickname, email: person.email },
        expiresAt: new Date(person.sessionExpiresAt).toISOString(),
        platformRoles: [...person.roles],
        // Includes permissions that wait for a second factor, so that administration pages can say what is missing.
        permissions: [...getRolePermissions(person.roles)],
        domains: await listDomains(services, person),
        deletesAt: toIsoTimeOrNull(person.deletesAt),
        secondFactorMissing: person.secondFactorMissing,
        lockMinutes: (await readLockSettings(services, person.id)).minutes,
      }),
      changePassword: ({ person, body }) => changePassword(services, person, body),
      requestPasswordReset: ({ body, address }) => requestPasswordReset(services, body.email, address),
      completePasswordReset: ({ body }) => completePasswordReset(services, body),
      updateProfile: ({ person, params, body }) => updateProfile(services, person, params.id, body),
      settings: ({ person }) => getPersonalSettings(services, person),
      updateSettings: ({ person, body }) => updatePersonalSettings(services, person, body),
    }),
  ]
}
