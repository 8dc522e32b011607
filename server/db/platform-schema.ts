import type { Generated } from 'kysely'
import type { BackupJob, BackupProblem, BackupSchedule } from '#contract/administration/backups.ts'
import type { Provider } from '#contract/agents/model-settings.ts'
import type { EmailProblem, PendingEmailKind } from '#contract/diagnostics/email.ts'
import type { JsonOrNull, Milliseconds } from './parameters.ts'

export interface PlatformSchema {
  provider_keys: {
    id: string
    /** A person's ID or `platform`, never null, so that uniqueness works on both engines. */
    owner: string
    provider: Provider
    sealed: string
    masked: string
    label: string | null
    is_active: boolean
    created_at: Milliseconds
    updated_at: Milliseconds
    rejected_at: Milliseconds | null
  }
  model_services: {
    id: string
    name: string
    base_url: string
    sealed: string
    rev: Generated<number>
    created_at: Milliseconds
    updated_at: Milliseconds
  }
  personal_tool_servers: {
    id: string
    owner_id: string
    name: string
    /** Displayed without its query, which can hold a secret. */
    address: string
    sealed: string
    sign_in_state: string | null
    sign_in_sealed: string | null
    sign_in_until: Milliseconds | null
    created_at: Milliseconds
  }
  trusted_tool_servers: {
    id: string
    name: string
    trusted_at: Milliseconds
    trusted_by: string | null
  }
  pending_emails: {
    id: string
    kind: PendingEmailKind
    subject_id: string
    person_id: string
    created_at: Milliseconds
    attempts: number
    problem: EmailProblem
    /** `null`: not sent again, only listed. */
    next_attempt_at: Milliseconds | null
  }
  backup_jobs: {
    id: string
    kind: BackupJob['kind']
    /** Name of the archive in `backups/`. */
    backup: string
    scheduled: boolean
    /** 1 while running, so that there is only one; else `null`. */
    slot: number | null
    /** Unique for a scheduled time and attempt, so that only one process runs it. */
    occasion: string | null
    status: BackupJob['status']
    done_bytes: number
    total_bytes: number
    problem: BackupProblem | null
    started_at: Milliseconds
    finished_at: Milliseconds | null
    lease_until: Milliseconds
  }
  backup_checks: {
    backup: string
    checked_at: Milliseconds
    problem: BackupProblem | null
    contents: JsonOrNull<BackupContents>
  }
  backup_schedules: Pick<BackupSchedule, 'frequency' | 'hour' | 'weekday' | 'keep' | 'rev'> & {
    /** Always `platform`. */
    id: string
    updated_at: Milliseconds
  }
}

export interface BackupContents {
  counts: Partial<Record<string, number>>
  sealed: { total: number; readable: number }
}

/** The search index; everything in it is derived from other tables. */
export interface SearchSchema {
  search_entries: {
    /** Unique and ordered by time: see `toPosition`. */
    position: number
    entity: string
    id: string
    owner_id: string
    /** The keeper, board or chat it belongs to. */
    container_id: string
    day: string
    /** Normalized text. */
    text: string
  }
  /** Entries that changed since they were indexed. Triggers write it; each change increments `mark`. */
  search_pending: {
    entity: string
    id: string
    owner_id: string
    mark: number
  }
}
