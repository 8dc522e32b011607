import { buildIfStale, root } from './fingerprint.ts'

/** Builds the pages and the server, each only if its inputs changed. */
export async function buildIfChanged(): Promise<void> {
  const lock = 'package-lock.json'
  await reportBuild(
    'pages',
    buildIfStale(
      { outputFile: 'dist/web/index.html', stamp: 'dist/.web-stamp' },
      ['web', 'contract', lock],
      buildPages,
      ['KEEPER_SERVICE_WORKER'],
    ),
  )
  await reportBuild(
    'server',
    buildIfStale(
      { outputFile: 'dist/server/main.js', stamp: 'dist/.server-stamp' },
      ['server', 'contract', 'scripts/build-server.ts', lock],
      bundle,
    ),
  )
}

async function buildPages() {
  const { buildWeb } = await import('../web/build/build-web.ts')
  await buildWeb()
}

async function bundle() {
  const { buildServer } = await import('./build-server.ts')
  await buildServer()
}

async function reportBuild(target: string, built: Promise<number | undefined>) {
  const milliseconds = await built
  if (milliseconds !== undefined) console.log(`Built the ${target} in ${(milliseconds / 1000).toFixed(1)} s.`)
}

if (import.meta.main) {
  process.chdir(root)
  await buildIfChanged()
}
