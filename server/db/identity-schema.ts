import type { Milliseconds } from './schema-types.ts'

export interface IdentitySchema {
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
    /** Argon2id, as passwords. */
    pin_hash: string | null
  }
}
