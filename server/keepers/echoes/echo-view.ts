import type { Echo, EchoState } from '#contract/keepers/echoes.ts'
import { isoTime, isoTimeOrNull } from '#server/iso-time.ts'
import type { EntryRow } from '../entries/entry-tables.ts'
import { jsonColumn } from '../entries/json-column.ts'

export type EchoRow = EntryRow<'echo'>
type Timed = Pick<EchoRow, 'trigger_at' | 'ready_at' | 'delivered_at'>

/** A date that is reached counts at once, also before a sweep comes by. */
function echoState({ trigger_at, ready_at, delivered_at }: Timed, now: number): EchoState {
  if (delivered_at !== null) return 'delivered'
  return ready_at !== null || (trigger_at !== null && trigger_at <= now) ? 'ready' : 'pending'
}

export const itsDay = 'Its day has come.'

/** As the wire shows it: of a sealed one nobody learns the text before it is delivered. */
export function echoView(row: EchoRow, now: number): Echo {
  const state = echoState(row, now)
  const readyAt = row.ready_at ?? (state === 'ready' ? row.trigger_at : null)
  return {
    id: row.id,
    keeperId: row.keeper_id,
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
    rev: row.rev,
    agentId: row.agent_id,
    message: row.sealed && state !== 'delivered' ? '' : row.message,
    sealed: row.sealed,
    triggerDate: isoTimeOrNull(row.trigger_at),
    triggerTimezone: row.trigger_timezone,
    triggerConditions: jsonColumn(row.trigger_conditions),
    state,
    delivered: state === 'delivered',
    deliveredAt: isoTimeOrNull(row.delivered_at),
    readyAt: isoTimeOrNull(readyAt),
    readyBecause: readyAt === null ? null : (row.ready_because ?? itsDay),
  }
}
