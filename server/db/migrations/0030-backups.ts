import type { Migration } from '../migrate.ts'

export const backups: Migration = {
  name: '0030-backups',
  statements: ({ boolean, integer, json, milliseconds, text }) => [
    // Only one row can have the slot, and each scheduled occasion is taken once, by whichever process comes first.
    `create table backup_jobs (
      id ${text} primary key,
      kind ${text} not null,
      backup ${text} not null,
      scheduled ${boolean} not null,
      slot ${integer} unique,
      occasion ${text} unique,
      status ${text} not null,
      done_bytes ${milliseconds} not null,
      total_bytes ${milliseconds} not null,
      problem ${text},
      started_at ${milliseconds} not null,
      finished_at ${milliseconds},
      lease_until ${milliseconds} not null
    )`,
    'create index backup_jobs_by_start on backup_jobs (started_at, id)',
    `create table backup_checks (
      backup ${text} primary key,
      checked_at ${milliseconds} not null,
      problem ${text},
      contents ${json}
    )`,
    `create table backup_schedules (
      id ${text} primary key,
      frequency ${text} not null,
      hour ${integer} not null,
      weekday ${integer} not null,
      keep ${integer} not null,
      rev ${integer} not null,
      updated_at ${milliseconds} not null
    )`,
  ],
}
