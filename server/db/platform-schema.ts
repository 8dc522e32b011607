import type { Generated } from 'kysely'
import type { Provider } from '#contract/agents/model-settings.ts'

/** Milliseconds since 1970, UTC. */
type Milliseconds = number

export interface PlatformSchema {
  provider_keys: {
    id: string
    /** The person's id, or `platform`: never null, so that uniqueness means the same on both engines. */
    owner: string
    provider: Provider
    sealed: string
    masked: string
    label: string | null
    is_active: boolean
    created_at: Milliseconds
    updated_at: Milliseconds
    /** When the provider last refused this key; `null` once it works. */
    rejected_at: Milliseconds | null
  }
  /** Services that speak like OpenAI, added by an administrator. Their keys are in `provider_keys`. */
  model_services: {
    /** Also the id of the provider. */
    id: string
    name: string
    base_url: string
    /** The headers as a JSON object. */
    sealed: string
    rev: Generated<number>
    created_at: Milliseconds
    updated_at: Milliseconds
  }
  /** Of people, for their own agents. */
  personal_tool_servers: {
    id: string
    owner_id: string
    name: string
    /** As it is shown: without its query, which can hold a secret. */
    address: string
    /** Address, header, and what a sign-in gave, as JSON. */
    sealed: string
    /** Of a sign-in under way: a hash of its `state`, what it needs at its end, and until when it can end. */
    sign_in_state: string | null
    sign_in_sealed: string | null
    sign_in_until: Milliseconds | null
    created_at: Milliseconds
  }
  /** Tool servers whose read-only tools run without asking. */
  trusted_tool_servers: {
    /** Hash of the server's name and address. */
    id: string
    name: string
    trusted_at: Milliseconds
    trusted_by: string | null
  }
}
