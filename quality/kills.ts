import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { report } from '../bench/measure.ts'
import { startPostgres, withDatabaseName } from '../tests/engines-setup.ts'
import { startProviderFake } from '../tests/fakes/model-providers/start-provider-fake.ts'
import { openInspector } from './faults/database-inspector.ts'
import { type KillOutcome, killRepeatedly } from './faults/kill-rounds.ts'

// 1,000 SIGKILLs under eight writers lose nothing acknowledged and leave nothing half done.

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    'kills-postgres': { type: 'string', default: '100' },
    /** Concurrent servers; most of a kill is the following start. */
    lanes: { type: 'string', default: '2' },
  },
})
const lanes = Number(values.lanes)
const dataDir = mkdtempSync(join(tmpdir(), 'keeper-kills-'))
const fake = await startProviderFake({ provider: 'openai', key: 'gate-key', wordDelayMs: 2 })
const environment = { OPENAI_BASE_URL: fake.baseUrl, OPENAI_API_KEY: 'gate-key' }

const earlyReplyDefect = {
  file: 'server/db/sqlite-write-queue.ts',
  from: `this.#connection.exec('commit')
      return replies`,
  to: `this.#callbacks.post(replies)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
      this.#connection.exec('commit')
      return []`,
}
// A kill must fall between a response and its commit, which takes a few attempts.
let [lost, killsOfControl] = [0, 0]
while (lost === 0 && killsOfControl < 60) {
  const control = await killRepeatedly(
    { dataDir: join(dataDir, `control-${killsOfControl}`), environment, defect: earlyReplyDefect },
    10,
  )
  lost += control.lost.length
  killsOfControl += control.kills
}
report(
  'control: a writer that acknowledges before its commit',
  `${lost} acknowledged writes lost in ${killsOfControl} kills`,
  'must be noticed',
  lost > 0,
)

const sqliteOutcomes = await Promise.all(
  Array.from({ length: lanes }, (_, lane) =>
    killRepeatedly({ dataDir: join(dataDir, `lane-${lane}`), environment }, Math.ceil(Number(values.kills) / lanes)),
  ),
)
reportKills('SQLite', sumKills(sqliteOutcomes))

if (Number(values['kills-postgres']) > 0) {
  const postgres = await startPostgres()
  const admin = await openInspector({ dataDir: '', databaseUrl: postgres.url })
  await admin.rows('create database gate')
  await admin.close()
  const options = {
    dataDir: join(dataDir, 'postgres'),
    databaseUrl: withDatabaseName(postgres.url, 'gate'),
    environment,
  }
  reportKills('PostgreSQL', await killRepeatedly(options, Number(values['kills-postgres'])))
  await postgres.stop()
}

await fake.close()
rmSync(dataDir, { recursive: true })

function reportKills(
  engine: string,
  { kills, acknowledged, lost, partial, inconsistencies, problems }: KillOutcome,
): void {
  for (const line of [...lost, ...partial, ...inconsistencies, ...problems].slice(0, 40)) console.log(`  ${line}`)
  report(
    `nothing acknowledged is lost by SIGKILL under eight writers, ${engine}`,
    `${lost.length} lost of ${acknowledged} acknowledged, ${partial.length} incomplete, ${inconsistencies.length} left inconsistent, ${problems.length} wrong responses, ${kills} kills`,
    '0, 0, 0, 0',
    lost.length + partial.length + inconsistencies.length + problems.length === 0 && acknowledged > kills * 3,
  )
}

function sumKills(outcomes: KillOutcome[]): KillOutcome {
  return {
    kills: outcomes.reduce((total, { kills }) => total + kills, 0),
    acknowledged: outcomes.reduce((total, { acknowledged }) => total + acknowledged, 0),
    lost: outcomes.flatMap(({ lost }) => lost),
    partial: outcomes.flatMap(({ partial }) => partial),
    inconsistencies: outcomes.flatMap(({ inconsistencies }) => inconsistencies),
    problems: outcomes.flatMap(({ problems }) => problems),
  }
}
