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
export interface AdminAnswer {
  done: boolean
  text: string
}

const longestRequest = 10_000
/** For the whole request to come, and for its answer to be taken; ms. The command itself may take as long as it takes. */
const defaultPatience = 10_000
/** What the operating system allows for the address of a socket, with room to spare. */
const longestSocketPath = 100

/** Where the server of this data folder listens for `npm run admin`, or null where no address is short enough. */
export function adminSocketPath(dataDir: string): string | null {
  if (process.platform === 'win32') {
    return `\\\\.\\pipe\\keeper-${createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 16)}`
  }
  const whole = resolve(dataDir, 'admin.sock')
  const fromHere = relative(process.cwd(), whole)
  const shorter = fromHere.length < whole.length ? fromHere : whole
  return Buffer.byteLength(shorter) <= longestSocketPath ? shorter : null
}

/**
 * Takes admin commands while the server runs, for the embedded database belongs to one process. Whoever may open the
 * socket owns the data folder, so the file's mode is the whole permission. Call it once the data folder is locked.
 */
export function listenForAdmin(
  services: Services,
  path: string,
  patience = defaultPatience,
): Promise<{ close(): void }> {
  if (process.platform !== 'win32') rmSync(path, { force: true })
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    answerOne(services, socket, patience).catch((error: unknown) =>
      services.log.error({ err: error }, 'an admin command was cut off'),
    )
  })
  return new Promise((done, failed) => {
    server.once('error', failed)
    // The socket is made inside listen(), and must never be open to others, not even for a moment.
    const umask = process.umask(0o177)
    server.listen(path, () => done({ close: () => close(server) }))
    process.umask(umask)
  })
}

function close(server: Server) {
  server.close()
  server.unref()
}

async function answerOne(services: Services, socket: Socket, patience: number): Promise<void> {
  socket.setTimeout(patience, () => socket.destroy())
  let text = ''
  for await (const chunk of socket.setEncoding('utf8')) {
    text += chunk
    if (text.length > longestRequest) return void socket.destroy()
  }
  socket.setTimeout(0)
  const answer = await carryOut(services, text)
  socket.setTimeout(patience)
  socket.end(JSON.stringify(answer))
}

async function carryOut(services: Services, text: string): Promise<AdminAnswer> {
  try {
    const { words, environment } = JSON.parse(text) as AdminRequest
    services.log.info({ command: words[0] }, 'an admin command was given')
    return { done: true, text: await runAdminCommand(services, words, environment) }
  } catch (error) {
    if (error instanceof CommandRefused || error instanceof Problem) return { done: false, text: error.message }
    services.log.error({ err: error }, 'an admin command failed')
    return { done: false, text: 'This failed. The log of the server says why.' }
  }
}
