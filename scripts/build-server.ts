import { build } from 'rolldown'
import { isMain } from '#server/start/require-node.ts'
import { root } from './fingerprint.ts'

/** Bundles the server into `directory`; the bundle starts three times as fast as the sources. The bundler never returns its memory. */
export async function buildServer(directory: string): Promise<void> {
  await build({
    cwd: root,
    // Worker threads are separate entries, because a bundler doesn't follow their URLs.
    input: {
      main: 'server/entry.ts',
      keeper: 'scripts/keeper.ts',
      'sqlite-writer': 'server/db/sqlite-writer.ts',
      'sqlite-reader': 'server/db/sqlite-reader.ts',
      'backup-thread': 'server/backups/backup-thread.ts',
      'hash-thread': 'server/accounts/hash-thread.ts',
      'card-scanner': 'server/keepers/memory-cards/card-scanner.ts',
      'archive-thread': 'server/keepers/transfer/archive-thread.ts',
      'shrink-thread': 'server/keepers/media/shrink-thread.ts',
    },
    platform: 'node',
    output: {
      dir: directory,
      cleanDir: true,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
    },
    logLevel: 'warn',
  })
}

if (isMain(import.meta)) await buildServer(process.argv[2] ?? 'dist/server')
