import type { Selectable } from 'kysely'
import type { Schema } from '#server/db/schema.ts'

export type AgentRow = Selectable<Schema['agents']>
