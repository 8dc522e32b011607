import type { Generated } from 'kysely'
import type { Provider } from '#contract/agents/model-settings.ts'
import type { Milliseconds } from './schema-types.ts'

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
}
