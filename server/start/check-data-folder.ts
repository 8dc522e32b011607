import { accessSync, constants, existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { readEnvironment, readSettings } from '../settings/settings.ts'

interface CheckOptions {
  requireMount: boolean
}

/** Explains in one line why a container can't use its data folder. The server itself reports unreadable settings. */
export function checkDataFolder(workingDir: string, { requireMount }: CheckOptions): string | undefined {
  const dataDir = readDataDir(workingDir)
  if (!dataDir) return undefined
  const existingFolder = findExisting(dataDir)
  if (requireMount && !isMounted(existingFolder, readMountPoints()))
    return (
      `${dataDir} isn’t a mounted volume, so everything would be lost with this container. Mount one ` +
      `(docker run -v keeper-data:${dataDir} …), or start without --require-mount.`
    )
  const uid = process.getuid?.()
  if (uid === undefined || uid === 0 || isWritable(existingFolder)) return undefined
  const { uid: owner } = statSync(existingFolder)
  return (
    `${existingFolder} belongs to user ${owner}, and Keeper runs as user ${uid}, which can’t write there. ` +
    `Run \`chown -R ${uid}:${process.getgid?.()} ${existingFolder}\` as root (for a container, on the folder of the host that is mounted there).`
  )
}

function readDataDir(workingDir: string): string | undefined {
  try {
    return readSettings(readEnvironment(workingDir, process.env)).dataDir
  } catch {
    return undefined
  }
}

function findExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : findExisting(dirname(path))
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Undefined on systems that don't list them. The fifth field of a line is the mount point, with octal escapes. */
function readMountPoints(): string[] | undefined {
  try {
    const lines = readFileSync('/proc/self/mountinfo', 'utf8').trim().split('\n')
    return lines.map((line) =>
      (line.split(' ')[4] ?? '').replaceAll(/\\(\d{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8))),
    )
  } catch {
    return undefined
  }
}

/** Whether the folder, or one above it other than the root of the container, is a mount point. */
export function isMounted(folder: string, mountPoints: string[] | undefined): boolean {
  if (!mountPoints) return statSync(folder).dev !== statSync('/').dev
  const path = realpathSync(folder)
  return mountPoints.some((point) => point !== '/' && (path === point || path.startsWith(`${point}/`)))
}
