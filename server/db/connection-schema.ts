import type { Generated } from 'kysely'
import type { ConnectionScope } from '#contract/connections/scopes.ts'
import type { Json, JsonOrNull, Milliseconds } from './parameters.ts'

export interface ConnectionSchema {
  /** Programs that people connected. Revoked ones stay, with the receipts of the items they were given. */
  connections: {
    id: string
    owner_id: string
    name: string
    /** `null`: a personal access token. */
    client_id: string | null
    host: string | null
    scopes: Json<ConnectionScope[]>
    /** `null`: all keepers, also later ones. */
    keeper_ids: JsonOrNull<string[]>
    topics: JsonOrNull<string[]>
    without_moods: boolean
    purpose: string
    /** Millionths of a dollar for the agents it runs; `null`: no separate budget. */
    monthly_limit_micros: number | null
    created_at: Milliseconds
    expires_at: Milliseconds | null
    last_used_at: Milliseconds | null
    revoked_at: Milliseconds | null
  }
  connection_tokens: {
    token_hash: string
    connection_id: string
    kind: 'personal' | 'access' | 'refresh'
    hint: string
    resource: string | null
    created_at: Milliseconds
    expires_at: Milliseconds | null
    /** When a refresh token was exchanged for the next one. */
    replaced_at: Milliseconds | null
  }
  /** Registered by the programs themselves; those without use are removed. */
  oauth_clients: {
    id: string
    name: string
    redirect_uris: Json<string[]>
    created_at: Milliseconds
    last_used_at: Milliseconds | null
  }
  oauth_codes: {
    code_hash: string
    connection_id: string
    client_id: string
    redirect_uri: string
    code_challenge: string
    resource: string | null
    expires_at: Milliseconds
    used_at: Milliseconds | null
  }
  /** Hashes of conversations as another program sends them, to find the chat they continue. */
  chat_fingerprints: {
    fingerprint: string
    session_id: string
    created_at: Milliseconds
  }
  proposals: {
    id: string
    owner_id: string
    keeper_id: string
    kind: 'memory' | 'moment' | 'reflection'
    content: string
    topic: string | null
    /** Local day of a moment. */
    occurred_on: string | null
    /** Normalized words, to find the same fact from another sender. */
    words: string
    state: 'waiting' | 'approved' | 'rejected'
    reason: string | null
    /** The card, moment or reflection that the approval created. */
    entry_id: string | null
    created_at: Milliseconds
    decided_at: Milliseconds | null
    rev: Generated<number>
  }
  proposal_senders: {
    id: string
    proposal_id: string
    connection_id: string | null
    agent_id: string | null
    name: string
    content: string
    /** The person's own words that the sender quotes. */
    quote: string | null
    created_at: Milliseconds
  }
}
