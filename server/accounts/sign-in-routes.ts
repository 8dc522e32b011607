import { passkeys } from '#contract/accounts/passkeys.ts'
import { proofs, secondFactor } from '#contract/accounts/second-factor.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { listPasskeys, removePasskey, renamePasskey } from './passkeys/passkeys.ts'
import { createRegistrationOptions, registerPasskey } from './passkeys/register-passkey.ts'
import { createProofOptions, listProofMethods, prove } from './proof.ts'
import { forgetDevice, listRememberedDevices } from './second-factor/remembered-devices.ts'
import {
  disableSecondFactor,
  enableSecondFactor,
  renewRecoveryCodes,
  setUpSecondFactor,
  showSecondFactor,
} from './second-factor/second-factor.ts'
import { parseDevice } from './sessions.ts'

export function signInRoutes(services: Services): ServedCall[] {
  return [
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
      prove: ({ person, body }) => prove(services, person, body),
    }),
  ]
}
