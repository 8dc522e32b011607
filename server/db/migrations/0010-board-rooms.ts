import type { Migration } from '../migrate.ts'

/** Board presence shared by several processes. Losing it in a crash is fine: it is renewed within seconds. */
export const boardSessions: Migration = {
  name: '0010-board-rooms',
  statements: ({ engine, json, bigint, text }) => {
    const table = engine === 'postgres' ? 'unlogged table' : 'table'
    return [
      `create ${table} board_guests (
        board_id ${text} not null references boards (id) on delete cascade,
        tab ${text} not null,
        person_id ${text} not null references people (id) on delete cascade,
        may ${text} not null,
        cursor ${json},
        selection ${json} not null,
        heard_at ${bigint} not null,
        primary key (board_id, tab)
      )`,
      'create index board_guests_by_person on board_guests (person_id)',
      `create ${table} board_changes (
        id ${text} primary key,
        board_id ${text} not null references boards (id) on delete cascade,
        seq ${bigint} not null,
        tab ${text} not null,
        person_id ${text} not null references people (id) on delete cascade,
        change ${json} not null,
        passed_at ${bigint} not null
      )`,
      'create index board_changes_by_board on board_changes (board_id, seq)',
      'create index board_changes_by_person on board_changes (person_id)',
    ]
  },
}
