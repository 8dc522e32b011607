import type * as z from 'zod/mini'
import type { TriggerConditions, triggerConditions } from '#contract/keepers/echoes.ts'
import { getInstant, getLocalDay } from '#contract/keepers/local-time.ts'
import type { Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { publishKeeperChanged } from '../entries/publish-keeper-changed.ts'
import type { EchoRow } from './echo-view.ts'

/** A date starts at midnight in `timezone`; a time without an offset is in `timezone`. Returns milliseconds. */
export function parseTriggerInstant(date: string, timezone: string): number {
  const [day = '', time = '00:00'] = date.split('T')
  return /(?:Z|[+-]\d{2}:?\d{2})$/i.test(time) ? Date.parse(date) : getInstant(timezone, day, time)
}

/** Midnight in `timezone` after `since`, in milliseconds. A missing day becomes the last of its month. */
export function findNextAnniversary(monthAndDay: string, since: number, timezone: string): number {
  const [month = 1, day = 1] = monthAndDay.split('-').map(Number)
  const toInstantInYear = (year: number) => {
    const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate()
    const date = new Date(Date.UTC(year, month - 1, Math.min(day, lastDay)))
    return getInstant(timezone, date.toISOString().slice(0, 10), '00:00')
  }
  const year = Number(getLocalDay(timezone, since).slice(0, 4))
  return toInstantInYear(year) > since ? toInstantInYear(year) : toInstantInYear(year + 1)
}

export const getEchoTimezone = (row: Pick<EchoRow, 'trigger_timezone'>): string => row.trigger_timezone ?? 'UTC'

export const getArmedAt = (row: Pick<EchoRow, 'armed_at' | 'created_at'>): number => row.armed_at ?? row.created_at

/** Drops empty values but keeps unknown keys; `null` when nothing is left. */
export function removeEmptyConditions(input: z.output<typeof triggerConditions> | null): TriggerConditions | null {
  const filledEntries = Object.entries(input ?? {}).filter(([, value]) => value !== undefined && value !== '')
  return filledEntries.length === 0 ? null : (Object.fromEntries(filledEntries) as TriggerConditions)
}

const waitingColumns = [
  'echoes.id',
  'echoes.keeper_id',
  'echoes.owner_id',
  'echoes.rev',
  'echoes.created_at',
  'echoes.armed_at',
  'echoes.trigger_at',
  'echoes.trigger_conditions',
  'echoes.trigger_timezone',
] as const

export type WaitingEcho = Awaited<ReturnType<ReturnType<typeof queryWaitingEchoes>['execute']>>[number]

export function queryWaitingEchoes({ db }: Services, keeperId: string | null) {
  const waiting = db
    .selectFrom('echoes')
    .innerJoin('keepers', 'keepers.id', 'echoes.keeper_id')
    .select(waitingColumns)
    .where('echoes.ready_at', 'is', null)
    .where('echoes.delivered_at', 'is', null)
    .where('echoes.deleted_at', 'is', null)
    .where('keepers.deleted_at', 'is', null)
  return keeperId === null ? waiting : waiting.where('echoes.keeper_id', '=', keeperId)
}

/** Returns false if the echo was changed since it was read. Keeps `rev`, so that an open editor sees no conflict. */
export async function markEchoReady(
  services: Services,
  echo: WaitingEcho,
  reason: string,
  readyAt: number,
): Promise<boolean> {
  const { changes } = await services.db.write(createReadyWrite(services, echo, reason, readyAt))
  if (changes === 0) return false
  publishKeeperChanged(services, echo.owner_id, echo.keeper_id, 'echo')
  return true
}

export function createReadyWrite({ db }: Services, echo: WaitingEcho, reason: string, readyAt: number): Write {
  return db
    .updateTable('echoes')
    .set({ ready_at: readyAt, ready_because: reason })
    .where('id', '=', echo.id)
    .where('rev', '=', echo.rev)
    .where('ready_at', 'is', null)
    .where('delivered_at', 'is', null)
    .where('deleted_at', 'is', null)
}
