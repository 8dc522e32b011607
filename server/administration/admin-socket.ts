import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { relative, resolve } from 'node:path'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { type AdminEnvironment, CommandRefused, runAdminCommand } from './admin-commands.ts'

export interface AdminRequest {
  words: string[]
  environment: AdminEnvironment
}
export interface AdminResponse {
  done: boolean
  text: string
}

const maxRequestLength = 10_000
/** Limit for receiving a request and for delivering its response (ms); the command itself may take any time. */
const defaultTimeoutMs = 10_000
const maxSocketPathBytes = 100

/** Path of the socket or pipe that receives admin commands, or null if none is short enough. */
export function getAdminSocketPath(dataDir: string): string | null {
  if (process.platform === 'win32') {
    return `\\\\.\\pipe\\keeper-${createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 16)}`
  }
  const absolutePath = resolve(dataDir, 'admin.sock')
  const relativePath = relative(process.cwd(), absolutePath)
  const shorter = relativePath.length < absolutePath.length ? relativePath : absolutePath
  return Buffer.byteLength(shorter) <= maxSocketPathBytes ? shorter : null
}

/**
 * The socket's file mode is the permission: only the data folder's owner can open it. Call once the folder is locked.
 * Null with a warning where no socket can be created: commands are optional, and the server isn't.
 */
export async function listenForAdmin(
  services: Services,
  path: string,
  timeoutMs = defaultTimeoutMs,
): Promise<{ close(): void } | null> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    handleConnection(services, socket, timeoutMs).catch((error: unknown) =>
      services.log.error({ err: error }, 'the connection of an admin command was lost'),
    )
  })
  try {
    await listen(server, path)
    return { close: () => close(server) }
  } catch (error) {
    // exFAT leaves an empty file.
    removeSocket(path)
    services.log.warn(
      { code: (error as NodeJS.ErrnoException).code },
      'the data folder can’t hold a socket, so npm run admin works only while Keeper is stopped',
    )
    return null
  }
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    removeSocket(path)
    // listen() creates the socket, which must never be open to others.
    const umask = process.umask(0o177)
    server.listen(path, resolve)
    process.umask(umask)
  })
}

function removeSocket(path: string): void {
  try {
    if (process.platform !== 'win32') rmSync(path, { force: true })
  } catch {
    // A folder of that name stays, and listening fails.
  }
}

function close(server: Server) {
  server.close()
  server.unref()
}

async function handleConnection(services: Services, socket: Socket, timeoutMs: number): Promise<void> {
  socket.setTimeout(timeoutMs, () => socket.destroy())
  let text = ''
  for await (const chunk of socket.setEncoding('utf8')) {
    text += chunk
    if (text.length > maxRequestLength) return void socket.destroy()
  }
  socket.setTimeout(0)
  const response = await executeRequest(services, text)
  socket.setTimeout(timeoutMs)
  socket.end(JSON.stringify(response))
}

async function executeRequest(services: Services, text: string): Promise<AdminResponse> {
  try {
    const { words, environment } = JSON.parse(text) as AdminRequest
    services.log.info({ command: words[0] }, 'running an admin command')
    return { done: true, text: await runAdminCommand(services, words, environment) }
  } catch (error) {
    if (error instanceof CommandRefused || error instanceof Problem) return { done: false, text: error.message }
    services.log.error({ err: error }, 'an admin command failed')
    return { done: false, text: 'The command failed. See the server’s log for the reason.' }
  }
}
