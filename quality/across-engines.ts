import { rm } from 'node:fs/promises'
import { sql } from 'kysely'
import { report } from '../bench/measure.ts'
import { createBackup } from '../server/db/backup.ts'
import { type Database, type Engine, json, openDatabase } from '../server/db/database.ts'
import { migrations } from '../server/db/migrations/index.ts'
import { restoreBackup } from '../server/db/restore.ts'
import { createFreshDatabase, engines, startEnginesWithoutRunner } from '../tests/engines.ts'
import { listTables } from '../tests/every-table.ts'
import { createFullDatabase, type DatabaseLocation, getNextSecond, hashContent } from './backups/under-load.ts'

const rowCount = Number(process.argv.find((word) => word.startsWith('--rows='))?.slice(7) ?? 100_000)
const batchSize = 500

const texts = [
  'a plain line',
  '🫖👩‍👩‍👧🏳️‍🌈 tea',
  'שלום ‏עולם‎ مرحبا \u202Eright to left\u202C',
  'line\nbreak\ttab\r\nreturn',
  `"quotes" 'and' \\ backslash \\u0041 \\n`,
  'é vs é ﬁ Å Å',
  '',
  ' ',
  '\u0001\u001f\u007f\u0085\u2028\u2029\ufeff',
  '\ud800\udc00 \u{10ffff} \uffff',
  '𝕫 z Z ß ẞ İ ı',
  '5',
  'null',
  '{"z":1}',
]
const numbers = [0, -0, 0.1, 1 / 3, -1.5e-7, 5e-324, 1.7976931348623157e308, 1e21, 2 ** 53, -(2 ** 53), Math.PI]
const wholeNumbers = [0, -1, 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53 - 1, -(2 ** 53 - 1), 1_795_000_000_123]
const documents: unknown[] = [
  { z: [1, { b: 2, a: null }], a: '🫖', '': 0.1, 10: 'ten', 9: 'nine', 'e\u0301': 1, '\u00e9': 2 },
  [],
  {},
  null,
  5,
  'text',
  true,
  [[[]], [1e21, 0.1, -0.5, 9_007_199_254_740_991]],
  { 'key "with" quotes': '\u0001\\' },
]

async function fillDatabase(db: Database): Promise<void> {
  await fillEveryColumn(db)
  for (let start = 0; start < rowCount; start += batchSize) {
    const values = Array.from({ length: Math.min(batchSize, rowCount - start) }, (_, index) => {
      const number = start + index
      const text = `${texts[number % texts.length]} ${number * 7919}`
      return sql`(${text}, ${texts[(number * 5) % texts.length]}, ${wholeNumbers[number % wholeNumbers.length]})`
    })
    await db.write(sql`insert into held_slugs (slug, owner_id, held_until) values ${sql.join(values)}`)
  }
}

async function fillEveryColumn(db: Database): Promise<void> {
  const embedding = new Uint8Array(new Float32Array([0, -0, 1e-45, 0.1, Number.MAX_VALUE, Number.NaN]).buffer)
  const bytes = [new Uint8Array(), new Uint8Array([0, 1, 254, 255]), embedding]
  for (const [table, columns] of await listTables(db)) {
    const freeColumns = columns.filter(
      ({ name, target }) => target === null && !/(^|_)(id|slug|key|email|by)$|_folded$|_hash$/.test(name),
    )
    const [templateRow] = await db.longRead<Record<string, unknown>>(sql`select * from ${sql.table(table)} limit 1`)
    if (!templateRow || !('id' in templateRow)) continue
    for (let number = 0; number < texts.length; number++) {
      const row: Record<string, unknown> = { ...templateRow, id: `${table}-${number}` }
      for (const { name, type } of columns)
        if (/^json/i.test(type) && row[name] !== null) row[name] = JSON.stringify(row[name])
      for (const { name, type } of freeColumns) {
        const kind = type.toLowerCase()
        if (kind.startsWith('json')) row[name] = json(documents[number % documents.length])
        else if (kind === 'blob' || kind === 'bytea') row[name] = bytes[number % bytes.length]
        else if (kind === 'real' || kind === 'double precision') row[name] = numbers[number % numbers.length]
        else if (kind.startsWith('text')) row[name] = texts[number]
      }
      const names = Object.keys(row)
      await db
        .write(
          sql`insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
            values (${sql.join(names.map((name) => row[name]))})`,
        )
        // Some tables allow only one such row.
        .catch((error: Error) => {
          if (error.name !== 'UniqueViolation') throw error
        })
    }
  }
}

async function moveToEngine(source: DatabaseLocation, engine: Engine) {
  const { path } = await createBackup(source, getNextSecond(), null)
  const target = await createFreshDatabase(engine)
  await target.db.close()
  const { movedPaths } = await restoreBackup(path, target, { migrations, now: getNextSecond(), keyFingerprint: null })
  for (const movedPath of movedPaths) await rm(movedPath, { recursive: true, force: true })
  return target
}

const stopEngines = await startEnginesWithoutRunner()
if (engines.length < 2) report('SQLite, PostgreSQL, SQLite', 'only one engine is available', 'both engines', false)
else {
  const first = await createFullDatabase('sqlite')
  await fillDatabase(first.db)
  const tables = (await listTables(first.db)).size
  await first.db.close()
  const second = await moveToEngine(first, 'postgres')
  const third = await moveToEngine(second, 'sqlite')
  const checksums: string[] = []
  for (const database of [first, second, third]) checksums.push(await hashContent(database))
  const [firstChecksum = ''] = checksums
  const isSame = checksums.every((checksum) => checksum === firstChecksum)
  report(
    'SQLite, PostgreSQL, SQLite: the canonical dump is identical',
    isSame
      ? `${tables} tables and ${rowCount} rows, ${firstChecksum.slice(0, 12)} three times`
      : checksums.map((checksum) => checksum.slice(0, 12)).join(', '),
    'identical',
    isSame,
  )

  const changedDatabase = await openDatabase(third)
  const firstSlug = sql`select min(slug) from held_slugs where held_until = 0`
  await changedDatabase.write(sql`update held_slugs set held_until = 1 where slug = (${firstSlug})`)
  await changedDatabase.close()
  const isNoticed = (await hashContent(third)) !== firstChecksum
  report(
    'control: one number of one row differs by one',
    isNoticed ? 'noticed' : 'not noticed',
    'must be noticed',
    isNoticed,
  )
  for (const database of [first, second, third]) await database.close()
}
await stopEngines()
