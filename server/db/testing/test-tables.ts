import { type Generated, type Kysely, sql } from 'kysely'
import { type ColumnTypes, columnTypes } from '../column-types.ts'
import type { Database } from '../database.ts'
import type { JsonText } from '../parameters.ts'

export interface TestSchema {
  boxes: { id: string; label: string }
  things: {
    id: string
    box_id: string | null
    name: string
    is_red: boolean | null
    details: unknown
    made_at: number | null
    weight: number | null
    picture: Uint8Array | null
    rev: Generated<number>
  }
}

export function getTestTableStatements({ text, boolean, json, bigint, integer, real, bytes }: ColumnTypes): string[] {
  return [
    `create table boxes (id ${text} primary key, label ${text} not null unique)`,
    `create table things (
      id ${text} primary key,
      box_id ${text} references boxes (id) on delete cascade,
      name ${text} not null,
      is_red ${boolean},
      details ${json},
      made_at ${bigint},
      weight ${real},
      picture ${bytes},
      rev ${integer} not null default 1,
      unique (box_id, name)
    )`,
  ]
}

export async function createTestTables(db: Database): Promise<Kysely<TestSchema>> {
  for (const statement of getTestTableStatements(columnTypes[db.engine])) await db.write(sql.raw(statement))
  return db as unknown as Kysely<TestSchema>
}

export function createEntity(
  id: string,
  more: Partial<{
    box_id: string
    name: string
    is_red: boolean
    details: JsonText
    made_at: number
    weight: number
    picture: Uint8Array
  }> = {},
) {
  return { id, name: `thing ${id}`, ...more }
}
