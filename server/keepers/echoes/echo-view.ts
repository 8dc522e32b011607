import type { Echo, EchoState } from '#contract/keepers/echoes.ts'
import { toIsoTime, toIsoTimeOrNull } from '#server/values/iso-time.ts'
import type { EntryRow } from '../entries/entry-tables.ts'
import { parseJsonColumn } from '../entries/json-column.ts'
import { getEchoTimezone } from './echo-triggers.ts'

export type EchoRow = EntryRow<'echo'>
type EchoTimes = Pick<EchoRow, 'trigger_at' | 'ready_at' | 'delivered_at'>

/** A reached date counts before the sweep records it. */
function getEchoState({ trigger_at, ready_at, delivered_at }: EchoTimes, now: number): EchoState {
  if (delivered_at !== null) return 'delivered'
  return ready_at !== null || (trigger_at !== null && trigger_at <= now) ? 'ready' : 'pending'
}

export function formatDueReason(at: number, timeZone: string): string {
  return `Due since ${new Date(at).toLocaleDateString('en-US', { timeZone, month: 'short', day: 'numeric' })}.`
}

/** Hides the text of an undelivered sealed echo. */
export function toEcho(row: EchoRow, now: number): Echo {
  const state = getEchoState(row, now)
  const readyAt = row.ready_at ?? (state === 'ready' ? row.trigger_at : null)
  return {
    id: row.id,
    keeperId: row.keeper_id,
    createdAt: toIsoTime(row.created_at),
    updatedAt: toIsoTime(row.updated_at),
    rev: row.rev,
    agentId: row.agent_id,
    message: row.sealed && state !== 'delivered' ? '' : row.message,
    sealed: row.sealed,
    triggerDate: toIsoTimeOrNull(row.trigger_at),
    triggerTimezone: row.trigger_timezone,
    triggerConditions: parseJsonColumn(row.trigger_conditions),
    state,
    delivered: state === 'delivered',
    deliveredAt: toIsoTimeOrNull(row.delivered_at),
    readyAt: toIsoTimeOrNull(readyAt),
    readyBecause: readyAt === null ? null : (row.ready_because ?? formatDueReason(readyAt, getEchoTimezone(row))),
  }
}
