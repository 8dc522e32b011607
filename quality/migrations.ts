import { report } from '../bench/measure.ts'
import type { Migration } from '../server/db/migrate.ts'
import { migrations as releasedMigrations } from '../server/db/migrations/index.ts'
import { engines, startEnginesWithoutRunner } from '../tests/engines.ts'
import { killUpgrades, upgradeConcurrently } from './migrations/kills.ts'
import { upgradeFrom } from './migrations/upgrade.ts'

const kills = Number(process.argv.find((word) => word.startsWith('--kills='))?.slice(8) ?? 20)

const stopEngines = await startEnginesWithoutRunner()
const formatOutcome = (problems: string[], successText: string) =>
  problems.length === 0 ? successText : problems.slice(0, 5).join('; ')

for (const engine of engines) {
  const problems: string[] = []
  for (let count = 1; count <= releasedMigrations.length; count++)
    for (const text of await upgradeFrom(engine, count))
      problems.push(`from ${releasedMigrations[count - 1]?.name} ${text}`)
  report(
    `${engine}: every earlier version becomes the newest, and its backup restores`,
    formatOutcome(
      problems,
      `${releasedMigrations.length} versions: tables like new, every row kept, older code refused, backup restored`,
    ),
    'nothing lost or changed',
    problems.length === 0,
  )

  const { stages, kills: killCount, problems: wrongAfterKills } = await killUpgrades(engine, kills)
  report(
    `${engine}: killed during an upgrade, the next start finishes it`,
    formatOutcome(
      wrongAfterKills,
      `${killCount} kills, found with ${stages.sort((one, two) => one - two).join(', ')} migrations applied`,
    ),
    'nothing lost, each migration complete or not applied',
    wrongAfterKills.length === 0,
  )

  const careless: Migration = {
    name: '9001-careless',
    statements: () => [`delete from throttle_windows`, 'create table pots (id text)'],
  }
  const noticed = await upgradeFrom(engine, 1, [...releasedMigrations, careless])
  const isNoticed =
    noticed.some((text) => text.includes('throttle_windows')) && noticed.some((text) => text.includes('tables differ'))
  report(
    `control: ${engine}, a migration that loses rows and leaves a table`,
    isNoticed ? 'noticed' : `not noticed: ${noticed.join('; ')}`,
    'must be noticed',
    isNoticed,
  )
}

if (engines.includes('postgres')) {
  const problems = await upgradeConcurrently()
  report(
    'postgres: two processes that start together upgrade once',
    formatOutcome(problems, 'one upgraded, one waited'),
    'each migration once',
    problems.length === 0,
  )
}
await stopEngines()
