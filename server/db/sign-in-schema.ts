import type { Json, Milliseconds } from './parameters.ts'

export interface SignInSchema {
  passkeys: {
    id: string
    person_id: string
    /** Base64url, like `public_key`. */
    credential_id: string
    public_key: string
    /** 0 for synced passkeys: their devices count separately. */
    counter: number
    transports: Json<string[]>
    aaguid: string
    is_synced: boolean
    is_backed_up: boolean
    /** The host name that the passkey works on. */
    rp_id: string
    name: string
    created_at: Milliseconds
    last_used_at: Milliseconds | null
  }
  used_challenges: {
    challenge_hash: string
    expires_at: Milliseconds
  }
  second_factors: {
    person_id: string
    /** The encrypted secret of the authenticator app. */
    sealed: string
    /** The 30-second step of the last accepted code. */
    last_step: number
    created_at: Milliseconds
    /** `null` until the first correct code. */
    enabled_at: Milliseconds | null
    /** After too many wrong codes, no code is checked until then. */
    rests_until: Milliseconds | null
  }
  recovery_codes: {
    person_id: string
    code_hash: string
  }
  /** Sign-ins with the correct password that still need a code. */
  pending_sign_ins: {
    token_hash: string
    person_id: string
    /** Hash of the password's hash: a changed password voids the row. */
    password_fingerprint: string
    wrong_codes: number
    expires_at: Milliseconds
  }
  /** Devices on which a password is enough for 30 days. */
  remembered_devices: {
    id: string
    person_id: string
    token_hash: string
    /** The browser and operating system, for display. */
    device: string | null
    created_at: Milliseconds
    expires_at: Milliseconds
  }
  platform_settings: {
    name: string
    value: string
    updated_at: Milliseconds
    updated_by: string | null
  }
  /** A person's account at an OpenID Connect provider, known by its issuer and subject only. */
  identities: {
    id: string
    person_id: string
    issuer: string
    subject: string
    created_at: Milliseconds
    last_used_at: Milliseconds | null
  }
  app_locks: {
    person_id: string
    idle_minutes: number
    /** Argon2id, like passwords. */
    pin_hash: string | null
  }
}
