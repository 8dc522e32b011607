import type { BackupSchedule } from '#contract/administration/backups.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import { dayMs, hourMs } from '#server/values/time-units.ts'

export type ScheduleInput = Pick<BackupSchedule, 'frequency' | 'hour' | 'weekday' | 'keep'>
type StoredSchedule = ScheduleInput & { rev: number; updatedAt: number | null }

const scheduleId = 'platform'
const defaultHour = 2
const defaultKeep = 7

/** Without a stored schedule, `KEEPER_NIGHTLY_BACKUPS` decides; PostgreSQL starts with none. */
export async function readSchedule({ db, settings }: Pick<Services, 'db' | 'settings'>): Promise<StoredSchedule> {
  const row = await db.selectFrom('backup_schedules').selectAll().where('id', '=', scheduleId).executeTakeFirst()
  if (row) {
    const { frequency, hour, weekday, keep, rev, updated_at: updatedAt } = row
    return { frequency, hour, weekday, keep, rev, updatedAt }
  }
  const nightlyCount = db.engine === 'sqlite' ? settings.nightlyBackups : 0
  return {
    frequency: nightlyCount > 0 ? 'daily' : 'off',
    hour: defaultHour,
    weekday: 0,
    keep: nightlyCount || defaultKeep,
    rev: 0,
    updatedAt: null,
  }
}

export function toScheduleView({ updatedAt, ...schedule }: StoredSchedule, now: Date): BackupSchedule {
  const nextAt = findNextTime(schedule, now)
  return {
    ...schedule,
    updated_at: updatedAt === null ? null : toIsoTime(updatedAt),
    next_at: nextAt === null ? null : toIsoTime(nextAt),
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  }
}

/** @throws Problem 409 if it has changed since `ifMatch` */
export async function saveSchedule(
  services: Services,
  person: Person,
  input: ScheduleInput,
  ifMatch: number | null,
): Promise<BackupSchedule> {
  const previous = await readSchedule(services)
  const { db } = services
  const now = services.now()
  if (ifMatch !== null && ifMatch !== previous.rev) throw createStaleProblem(previous, now)
  const { frequency, hour, weekday, keep } = input
  const values = { frequency, hour, weekday, keep, rev: previous.rev + 1, updated_at: now.getTime() }
  const write =
    previous.rev === 0
      ? db.insertInto('backup_schedules').values({ id: scheduleId, ...values })
      : requireChanges(
          db.updateTable('backup_schedules').set(values).where('id', '=', scheduleId).where('rev', '=', previous.rev),
        )
  const details = { from: formatSchedule(previous), to: formatSchedule(input) }
  const auditWrite = insertAudit(services, { action: 'backup-schedule-changed', actor: person, details })
  try {
    if (!(await db.batchUnlessChanged([write, auditWrite]))) throw createStaleProblem(await readSchedule(services), now)
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    throw createStaleProblem(await readSchedule(services), now)
  }
  return toScheduleView({ ...input, rev: values.rev, updatedAt: values.updated_at }, now)
}

const createStaleProblem = (current: StoredSchedule, now: Date) =>
  new Problem('stale', {
    message: 'Someone changed the schedule while you were editing. Check the current one and save again.',
    data: toScheduleView(current, now),
  })

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

function formatSchedule({ frequency, hour, weekday, keep }: ScheduleInput): string {
  if (frequency === 'off') return 'off'
  const day = frequency === 'daily' ? 'daily' : weekdays[weekday]
  return `${day} ${String(hour).padStart(2, '0')}:00, keep ${keep}`
}

const getPeriodMs = ({ frequency }: Pick<ScheduleInput, 'frequency'>): number =>
  frequency === 'weekly' ? 7 * dayMs : dayMs

/** Max time between backups before one is made at any hour. */
export const getOverdueMs = (schedule: Pick<ScheduleInput, 'frequency'>): number => getPeriodMs(schedule) + 2 * hourMs

/** The last time at or before `now` that the schedule names, in local time. */
export function findLastTime({ frequency, hour, weekday }: ScheduleInput, now: Date): number {
  const time = new Date(now)
  time.setHours(hour, 0, 0, 0)
  if (frequency === 'weekly') time.setDate(time.getDate() - ((time.getDay() - weekday + 7) % 7))
  if (time > now) time.setDate(time.getDate() - (frequency === 'weekly' ? 7 : 1))
  return time.getTime()
}

function findNextTime(schedule: ScheduleInput, now: Date): number | null {
  if (schedule.frequency === 'off') return null
  const time = new Date(findLastTime(schedule, now))
  time.setDate(time.getDate() + (schedule.frequency === 'weekly' ? 7 : 1))
  return time.getTime()
}
