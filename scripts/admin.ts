import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { CommandRefused, runAdminCommand } from '#server/administration/admin-commands.ts'
import { type AdminRequest, type AdminResponse, getAdminSocketPath } from '#server/administration/admin-socket.ts'
import { DataFolderInUse } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import { readVariable } from '#server/settings/setting-reader.ts'
import { readEnvironment, readSettings } from '#server/settings/settings.ts'
import { stopWithOneLine, withServices } from './open-services.ts'
import { enterWorkingFolder } from './working-folder.ts'

const folder = enterWorkingFolder()
const commandArguments = process.argv.slice(2)

try {
  const environment = readEnvironment(folder, process.env)
  const { dataDir, databaseUrl } = readSettings(environment)
  const request: AdminRequest = {
    words: commandArguments,
    environment: { KEEPER_NEW_SECRET: readVariable(environment, 'KEEPER_NEW_SECRET') ?? undefined },
  }
  const answer =
    (databaseUrl ? null : await sendToRunningServer(dataDir, request)) ?? (await executeLocally(environment, request))
  if (answer.done) console.log(answer.text)
  else {
    console.error(answer.text)
    process.exitCode = 1
  }
} catch (error) {
  stopWithOneLine(error)
}

/** A running server executes the command, because the embedded database allows one process. Null if none runs. */
async function sendToRunningServer(dataDir: string, request: AdminRequest): Promise<AdminResponse | null> {
  const path = getAdminSocketPath(dataDir)
  if (!path) return null
  const socket = connect({ path, allowHalfOpen: true })
  try {
    await new Promise((connected, failed) => socket.once('connect', connected).once('error', failed))
  } catch {
    return null
  }
  socket.end(JSON.stringify(request))
  return JSON.parse(await text(socket)) as AdminResponse
}

async function executeLocally(
  environment: Record<string, string | undefined>,
  request: AdminRequest,
): Promise<AdminResponse> {
  try {
    const commandOutput = await withServices(environment, (services) =>
      runAdminCommand(services, request.words, request.environment),
    )
    return { done: true, text: commandOutput }
  } catch (error) {
    if (error instanceof CommandRefused || error instanceof Problem) return { done: false, text: error.message }
    if (error instanceof DataFolderInUse)
      return {
        done: false,
        text: 'Keeper is running and can’t receive commands, because its data folder holds no socket. Stop Keeper, repeat the command, and start Keeper again.',
      }
    throw error
  }
}
