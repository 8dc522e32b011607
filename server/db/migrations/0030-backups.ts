import type { Migration } from '../migrate.ts'

export const backups: Migration = {
  name: '0030-backups',
  statements: ({ boolean, integer, json, bigint, text }) => [
    // Only one row can have the slot, and each scheduled occasion is taken once, by whichever process comes first.
    `create table backup_jobs (
      id ${text} primary key,
      kind ${text} not null,
      backup ${text} not null,
      scheduled ${boolean} not null,
      slot ${integer} unique,
      occasion ${text} unique,
      status ${text} not null,
      done_bytes ${bigint} not null,
      total_bytes ${bigint} not null,
      problem ${text},
      started_at ${bigint} not null,
      finished_at ${bigint},
      lease_until ${bigint} not null
    )`,
    'create index backup_jobs_by_start on backup_jobs (started_at, id)',
    `create table backup_checks (
      backup ${text} primary key,
      checked_at ${bigint} not null,
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
      updated_at ${bigint} not null
    )`,
  ],
}
