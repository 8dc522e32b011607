import { existsSync, rmSync } from 'node:fs'
import systemPath, { relative, resolve } from 'node:path'
import { lockDataFolder } from '#server/db/data-folder.ts'
import { isMain } from '#server/start/require-node.ts'
import { cast, seedCast } from '#tests/cast.ts'
import { root } from './fingerprint.ts'
import { stopWithOneLine, withServices } from './open-services.ts'

export const developmentFolder = resolve(root, 'data/dev')

/** Replaces a data folder with sample data. Takes the folder's lock first, so that a running server keeps its data. */
export async function resetFolder(dataDir: string): Promise<void> {
  if (existsSync(dataDir)) {
    const lock = await lockDataFolder(dataDir)
    lock.release()
    rmSync(dataDir, { recursive: true })
  }
  await withServices({ KEEPER_DATA_DIR: dataDir, KEEPER_REGISTRATION: 'open' }, seedCast)
}

export function isForDevelopment(dataDir: string, development = developmentFolder, path = systemPath): boolean {
  const relativePath = path.relative(development, dataDir)
  // Absolute for different Windows drives.
  return !relativePath.startsWith('..') && !path.isAbsolute(relativePath)
}

export function formatSampleSignIns(): string {
  return Object.values(cast)
    .map(({ email, password, name }) => `  ${email.padEnd(28)}${password.padEnd(22)}${name}`)
    .join('\n')
}

if (isMain(import.meta)) {
  const folderArgument = process.argv.slice(2).find((word) => !word.startsWith('--'))
  const dataDir = folderArgument ? resolve(folderArgument) : developmentFolder
  const isDevelopment = isForDevelopment(dataDir)
  if (!isDevelopment && !process.argv.includes('--yes')) {
    console.error(`This deletes everything in ${dataDir}. To continue: npm run reset -- ${folderArgument} --yes`)
    process.exit(1)
  }
  if (!isDevelopment && existsSync(dataDir) && !existsSync(resolve(dataDir, 'data.db'))) {
    console.error(`${dataDir} contains no Keeper data, so nothing was deleted.`)
    process.exit(1)
  }
  await resetFolder(dataDir).catch(stopWithOneLine)
  console.log(`${relative(root, dataDir) || dataDir} has been reset. Sign in as\n${formatSampleSignIns()}`)
}
