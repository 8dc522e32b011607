import { accounts } from '#contract/accounts/accounts.ts'
import { appLock } from '#contract/accounts/app-lock.ts'
import { oidc } from '#contract/accounts/oidc.ts'
import { passkeySignIns } from '#contract/accounts/passkey-sign-ins.ts'
import { passkeys } from '#contract/accounts/passkeys.ts'
import { getRolePermissions } from '#contract/accounts/role-permissions.ts'
import { proofs, secondFactor } from '#contract/accounts/second-factor.ts'
import { listDomains } from '#server/domains/list-domains.ts'
import { Reply, type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { toIsoTimeOrNull } from '#server/values/iso-time.ts'
import { changePassword, completePasswordReset, requestPasswordReset } from './change-password.ts'
import { lockSession, readLockSettings, saveLockSettings, unlockSession } from './lock/app-lock.ts'
import { completeSignIn, startSignIn } from './oidc/complete-sign-in.ts'
import { completeLink, connectIdentity, listIdentities, startLink, unlinkIdentity } from './oidc/identities.ts'
import { proveWithProvider, startProof } from './oidc/prove-with-provider.ts'
import { describeProvider } from './oidc/provider.ts'
import type { RoleActions } from './oidc/sync-roles.ts'
import { listPasskeys, removePasskey, renamePasskey } from './passkeys/passkeys.ts'
import { createRegistrationOptions, registerPasskey } from './passkeys/register-passkey.ts'
import { createPasskeyOptions, signInWithPasskey } from './passkeys/sign-in-with-passkey.ts'
import { getPersonalSettings, updatePersonalSettings, updateProfile } from './profile.ts'
import { createProofOptions, listProofMethods, proveSession } from './proof.ts'
import { register } from './register.ts'
import { completePendingSignIn } from './second-factor/pending-sign-in.ts'
import { forgetDevice, listRememberedDevices } from './second-factor/remembered-devices.ts'
import {
  disableSecondFactor,
  enableSecondFactor,
  renewRecoveryCodes,
  setUpSecondFactor,
  showSecondFactor,
} from './second-factor/second-factor.ts'
import { endSession, parseDevice } from './sessions.ts'
import { signIn } from './sign-in.ts'

export function accountRoutes(services: Services, roleActions: RoleActions): ServedCall[] {
  return [
    ...serveArea('passkeySignIns', passkeySignIns, {
      options: () => createPasskeyOptions(services, 'sign-in'),
      finish: ({ body, address, userAgent }) =>
        signInWithPasskey(services, body.response, address, parseDevice(userAgent)),
    }),
    ...serveArea('accounts', accounts, {
      login: ({ body, address, userAgent }) => signIn(services, body, address, parseDevice(userAgent)),
      completeSignIn: ({ body, userAgent }) => completePendingSignIn(services, body, parseDevice(userAgent)),
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
    ...serveArea('passkeys', passkeys, {
      list: ({ person }) => listPasskeys(services, person),
      registrationOptions: ({ person }) => createRegistrationOptions(services, person),
      register: ({ person, body, userAgent }) => registerPasskey(services, person, body, parseDevice(userAgent)),
      rename: ({ person, params, body }) => renamePasskey(services, person, params.id, body.name),
      remove: ({ person, params }) => removePasskey(services, person, params.id),
    }),
    ...serveArea('secondFactor', secondFactor, {
      state: ({ person }) => showSecondFactor(services, person),
      setUp: ({ person }) => setUpSecondFactor(services, person),
      enable: async ({ person, body }) => ({ recoveryCodes: await enableSecondFactor(services, person, body.code) }),
      disable: ({ person }) => disableSecondFactor(services, person),
      renewRecoveryCodes: async ({ person }) => ({ recoveryCodes: await renewRecoveryCodes(services, person) }),
      devices: ({ person }) => listRememberedDevices(services, person),
      forgetDevice: ({ person, params }) => forgetDevice(services, person, params.id),
    }),
    ...serveArea('proofs', proofs, {
      methods: ({ person }) => listProofMethods(services, person),
      passkeyOptions: ({ person }) => createProofOptions(services, person),
      prove: ({ person, body }) => proveSession(services, person, body),
    }),
    ...serveArea('appLock', appLock, {
      settings: ({ person }) => readLockSettings(services, person.id),
      save: ({ person, body }) => saveLockSettings(services, person, body),
      lock: ({ person }) => lockSession(services, person),
      unlock: ({ person, body }) => unlockSession(services, person, body),
    }),
    ...serveArea('oidc', oidc, {
      provider: () => describeProvider(services),
      start: ({ body, address }) => startSignIn(services, body.invitationToken || null, address),
      complete: ({ body, address, userAgent }) =>
        completeSignIn(services, roleActions, body, { address, device: parseDevice(userAgent) }),
      identities: ({ person }) => listIdentities(services, person),
      startLink: ({ person, address }) => startLink(services, person, address),
      link: ({ person, body, address }) => completeLink(services, person, body, address),
      connect: ({ person, body }) => connectIdentity(services, person, body.ticket),
      startProof: ({ person, address }) => startProof(services, person, address),
      prove: ({ person, body, address }) => proveWithProvider(services, person, body, address),
      unlink: ({ person, params }) => unlinkIdentity(services, person, params.id),
    }),
  ]
}
