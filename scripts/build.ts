import { buildIfStale, root } from './fingerprint.ts'

export async function buildWhatIsStale(): Promise<void> {
  const lock = 'package-lock.json'
  await tell(
    'pages',
    buildIfStale({ made: 'dist/web/index.html', stamp: 'dist/.web-stamp' }, ['web', 'contract', lock], buildPages, [
      'KEEPER_SERVICE_WORKER',
    ]),
  )
  await tell(
    'server',
    buildIfStale(
      { made: 'dist/server/main.js', stamp: 'dist/.server-stamp' },
      ['server', 'contract', 'scripts/build-server.ts', lock],
      bundle,
    ),
  )
}

async function buildPages() {
  const { buildWeb } = await import('../web/build.ts')
  await buildWeb()
}

async function bundle() {
  const { buildServer } = await import('./build-server.ts')
  await buildServer()
}

async function tell(what: string, built: Promise<number | undefined>) {
  const milliseconds = await built
  if (milliseconds !== undefined) console.log(`Built the ${what} in ${(milliseconds / 1000).toFixed(1)} s.`)
}

if (import.meta.main) {
  process.chdir(root)
  await buildWhatIsStale()
}
