import type { ColumnType, Generated } from 'kysely'
import type { AuditAction } from '#contract/administration/audit.ts'
import type { DomainRole } from '#contract/domains/domain-actions.ts'
import type { DomainSetup } from '#contract/domains/domain-setup.ts'
import type { MemberRole } from '#contract/domains/domains.ts'
import type { JsonText, JsonWithDefault, Milliseconds } from './parameters.ts'

/** Member roles that can read; the sharer and the domain's owner always can. */
interface ForRoles {
  for_admin: boolean
  for_user: boolean
  for_friend: boolean
  for_connection: boolean
}

export interface DomainSchema {
  domains: {
    id: string
    owner_id: string
    name: string
    slug: string
    description: string | null
    is_primary: boolean
    custom_domain: string | null
    custom_domain_verified: boolean
    created_at: Milliseconds
    updated_at: Milliseconds
    rev: Generated<number>
    lead_agent_id: string | null
    custom_domain_token: string | null
    custom_domain_attached_at: Milliseconds | null
    custom_domain_checked_at: Milliseconds | null
    custom_domain_broken_since: Milliseconds | null
    custom_domain_failures: Generated<number>
    setup_just_me: Generated<boolean>
    setup_no_custom_domain: Generated<boolean>
    setup_skipped: JsonWithDefault<(keyof DomainSetup['steps'])[]>
  }
  domain_members: {
    domain_id: string
    person_id: string
    role: Exclude<DomainRole, 'owner'>
    added_at: Milliseconds
    added_by: string | null
    /** `null` until a person added by someone else agrees; until then, others can't see their content. */
    agreed_at: Milliseconds | null
    note: Generated<string>
    journey_ids: JsonWithDefault<string[]>
  }
  invitations: {
    id: string
    domain_id: string
    email: string
    email_folded: string
    role: MemberRole
    note: string
    token_hash: string
    invited_by: string | null
    created_at: Milliseconds
    sent_at: Milliseconds
    expires_at: Milliseconds
    accepted_at: Milliseconds | null
    accepted_by: string | null
    revoked_at: Milliseconds | null
  }
  domain_keepers: ForRoles & {
    domain_id: string
    keeper_id: string
    owner_id: string
    with_moments: boolean
    with_journeys: boolean
    with_logbook: boolean
    with_sole: boolean
    shared_at: Milliseconds
  }
  domain_journeys: ForRoles & {
    domain_id: string
    journey_id: string
    owner_id: string
    shared_at: Milliseconds
  }
  /** Append-only, enforced by the database. */
  audit_events: {
    id: string
    at: Milliseconds
    action: AuditAction
    actor_id: string | null
    person_id: string | null
    domain_id: string | null
    subject: string | null
    details: ColumnType<Record<string, string | null>, JsonText<Record<string, string | null>>, never>
  }
}
