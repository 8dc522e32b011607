import { existsSync, rmSync } from 'node:fs'
import ownPath, { relative, resolve } from 'node:path'
import { lockDataFolder } from '#server/db/data-folder-lock.ts'
import { cast, seedCast } from '#tests/cast.ts'
import { root } from './fingerprint.ts'
import { stopWithOneLine, withServices } from './open-services.ts'

export const developmentFolder = resolve(root, 'data/dev')

/** An empty data folder with the cast in it. Takes the folder's lock first, so that a running server keeps its data. */
export async function resetFolder(dataDir: string): Promise<void> {
  if (existsSync(dataDir)) {
    const lock = await lockDataFolder(dataDir)
    lock.release()
    rmSync(dataDir, { recursive: true })
  }
  await withServices({ KEEPER_DATA_DIR: dataDir, KEEPER_REGISTRATION: 'open' }, seedCast)
}

export function isForDevelopment(folder: string, development = developmentFolder, path = ownPath): boolean {
  const way = path.relative(development, folder)
  // Absolute from one drive of Windows to another.
  return !way.startsWith('..') && !path.isAbsolute(way)
}

/** What to sign in with, as it is printed. */
export function sampleSignIns(): string {
  return Object.values(cast)
    .map(({ email, password, name }) => `  ${email.padEnd(28)}${password.padEnd(22)}${name}`)
    .join('\n')
}

if (import.meta.main) {
  const named = process.argv.slice(2).find((word) => !word.startsWith('--'))
  const folder = named ? resolve(named) : developmentFolder
  const isDevelopment = isForDevelopment(folder)
  if (!isDevelopment && !process.argv.includes('--yes')) {
    console.error(`This deletes everything in ${folder}. If that is what you want: npm run reset -- ${named} --yes`)
    process.exit(1)
  }
  if (!isDevelopment && existsSync(folder) && !existsSync(resolve(folder, 'data.db'))) {
    console.error(`${folder} holds no Keeper data, so nothing in it is deleted.`)
    process.exit(1)
  }
  await resetFolder(folder).catch(stopWithOneLine)
  console.log(`${relative(root, folder) || folder} is new. Sign in as\n${sampleSignIns()}`)
}
